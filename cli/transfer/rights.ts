import type { Journal, TransferFinding } from './types';
import { valueOf } from './values';
import { missingRights, rightTexts, type AccessReviewer, type Right } from '../cluster/access-rights';
import { CONFIG_MAPS, NAMESPACES } from '../cluster/resource-types';

/** The rights that a transfer needs on each side, of its first step to its last, and to take it back. */
export interface TransferRights {
  readonly from: readonly Right[];
  readonly to: readonly Right[];
}

/** @param values Secrets and ConfigMaps that the objects read, whether they are copied or only compared, as `Kind/name` */
export function rightsNeeded({ fromNamespace, toNamespace, items, values: copied }: Journal, values: readonly string[]): TransferRights {
  const kinds = [...new Map(items.map(({ type }) => [`${type.group}/${type.plural}`, type])).values()];
  const read = values.map((key) => {
    const [type, name] = valueOf(key);
    return { type, name, verbs: ['get'] };
  });
  const written = [...new Set(copied.map((key) => valueOf(key)[0]))];
  return {
    from: [
      { type: NAMESPACES, name: fromNamespace, namespace: fromNamespace, verbs: ['get'] },
      { type: CONFIG_MAPS, namespace: fromNamespace, verbs: ['get', 'create', 'update', 'delete'] },
      ...kinds.map((type) => ({ type, namespace: fromNamespace, verbs: ['get', 'list', 'patch', 'delete'] })),
      ...read.map((right) => ({ ...right, namespace: fromNamespace })),
    ],
    to: [
      { type: NAMESPACES, name: toNamespace, namespace: toNamespace, verbs: ['get'] },
      ...kinds.map((type) => ({ type, namespace: toNamespace, verbs: ['get', 'create', 'patch', 'delete'] })),
      ...read.map((right) => ({ ...right, namespace: toNamespace })),
      ...written.map((type) => ({ type, namespace: toNamespace, verbs: ['create', 'delete'] })),
    ],
  };
}

export interface RightsOptions {
  readonly from: AccessReviewer;
  readonly to: AccessReviewer;
  readonly isOneCluster: boolean;
}

/**
 * A sentence for each right that this user lacks, so that no transfer ends in its middle.
 * @throws KubernetesError where an API server does not tell
 */
export async function rightsFindings({ from, to, isOneCluster }: RightsOptions, rights: TransferRights): Promise<TransferFinding[]> {
  const finding = (cluster: string) => (text: string): TransferFinding => ({
    severity: 'error',
    object: 'this user',
    message: `may not ${text}${isOneCluster ? '' : ` of the ${cluster}`}`,
    fix: 'ask for a Role with this right, or use another context',
  });
  return [
    ...rightTexts(await missingRights(from, rights.from)).map(finding('cluster that is left')),
    ...rightTexts(await missingRights(to, rights.to)).map(finding('other cluster')),
  ];
}
