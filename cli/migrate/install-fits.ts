import type { JournalState } from './journal-state';
import { isCrd } from './migrated-kinds';
import { versionsOf } from './storage-versions';
import type { KubernetesObject } from '../../engine/kubernetes/types';

/** A reason why manifests cannot be those of a migration in its middle. They may differ: an image that cannot be pulled is corrected. */
export function misfitOf(
  { direction, kinds, installedByUser }: Pick<JournalState, 'direction' | 'kinds' | 'installedByUser'>, install: readonly KubernetesObject[],
): string | undefined {
  if (installedByUser) return undefined;
  if (!install.some(({ kind }) => kind === 'Deployment')) return 'they have no Deployment';
  const crds = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd]));
  for (const { crd: name, to } of kinds) {
    const crd = crds.get(name);
    // From ASO, CRDs without objects are those of the catalog.
    if (!crd && direction === 'from-aso') continue;
    const stored = crd && versionsOf(crd).find(({ storage }) => storage)?.name;
    if (stored !== to) return `the CRD ${name} ${crd ? `stores ${stored ?? 'no version'}` : 'is not there'}, and objects are stored in ${to}`;
  }
  return undefined;
}
