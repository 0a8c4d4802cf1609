import { ownerName, type ComposerName } from './installation/names';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { APPLY_SET_PARENT_TYPE, DEFINITION } from '../../src/azure/annotations';

/** Why a CRD in the cluster must not be changed for a composer; undefined: it may. */
export function crdConflict(crd: KubernetesObject | undefined, composer: ComposerName): string | undefined {
  if (!crd) return undefined;
  const { name, labels, annotations } = crd.metadata;
  const owner = annotations?.[DEFINITION];
  if (owner === ownerName(composer)) return undefined;
  if (owner !== undefined && owner !== '') {
    return `the CRD ${name} belongs to the composer ${owner}, and this is ${ownerName(composer)}: `
      + 'take its --namespace and --name, or, once that composer '
      + `is gone, kubectl annotate crd ${name} ${DEFINITION}-`;
  }
  // CRDs of `api build` of earlier versions have no owner, and this label.
  if (labels?.[APPLY_SET_PARENT_TYPE] === 'true') return undefined;
  return `the CRD ${name} exists already and is of no definition: choose another group or kind`;
}
