import { configMapDestinationErrors, secretDestinationErrors } from './destinations';
import { together } from './errors';
import { pairErrors } from './pairs';
import { ownerErrors, referenceErrors } from './references';
import { singleKindErrors } from './single-kinds';
import { writeOnceErrors } from './write-once';
import type { ExpressionEngine } from '../../../engine/export/cel';
import { defaultEngine } from '../../../engine/export/secret-values';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { KindVersion } from '../../../src/catalog';

/**
 * Every rule for an object that its schema does not express (docs/spec/webhooks.md#validation and docs/spec/webhooks.md#write-once), as one
 * text; undefined: there is nothing to say against it. Pure. The webhook refuses such an object; without webhooks the reconciler makes a
 * condition of it.
 *
 * @param old the object before an UPDATE
 */
export function refusalOf(
  version: KindVersion, object: KubernetesObject, old?: KubernetesObject, engine: ExpressionEngine = defaultEngine,
): string | undefined {
  return together([
    ...referenceErrors(version, object),
    ...ownerErrors(version, object),
    ...secretDestinationErrors(version, object, engine),
    ...configMapDestinationErrors(version, object, engine),
    ...pairErrors(version, object),
    ...(old ? writeOnceErrors(version, object, old) : []),
    ...singleKindErrors(version, object, old),
  ]);
}
