import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import { isDataBearing } from '../../../src/azure/data-bearing-kinds';
import { immutableChanges, type KindVersion } from '../../../src/catalog';

/** An API server cuts warnings off, and many say no more than some. */
const MOST = 5;

/**
 * Warnings about properties that Azure does not change once the resource exists. They are no refusal: the old value may be the one that
 * Azure has refused, and the new one the way back.
 */
export function immutableWarnings(version: KindVersion, object: KubernetesObject, old: KubernetesObject): string[] {
  if (!object.metadata.annotations?.[RESOURCE_ID]) return [];
  const data = isDataBearing(version.kind.group, version.kind.kind) ? ', with its data,' : '';
  return immutableChanges(version, old.spec, object.spec, 'spec').slice(0, MOST)
    .map(({ path, when }) => (
      `spec.${path}: Azure refuses this change once the resource exists${when === undefined ? '' : `, ${when}`}; `
      + `keep the value, or delete the resource${data} and create it anew`
    ));
}
