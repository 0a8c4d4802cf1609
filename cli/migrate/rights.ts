import { stop, note, type Finding } from './finding';
import type { MigratedKind } from './migrated-kinds';
import { typeOf } from './migrated-kinds';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import { counted, listed } from '../../src/util/words';
import { missingRights, rightText, type AccessReviewer, type Right } from '../cluster/access-rights';
import {
  ADMISSION_POLICIES,
  ADMISSION_POLICY_BINDINGS,
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  CONFIG_MAPS,
  DEPLOYMENTS,
  LEASES,
  MUTATING_WEBHOOKS,
  PODS,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICES,
  VALIDATING_WEBHOOKS,
} from '../cluster/resource-types';

/** The rights that the user needs. */
export function rightsNeeded(namespace: string, kinds: readonly MigratedKind[]): Right[] {
  const removed = [SERVICES, ROLES, ROLE_BINDINGS].map((type) => ({ type, verbs: ['list', 'delete'], namespace }));
  const clusterWide = [MUTATING_WEBHOOKS, VALIDATING_WEBHOOKS, CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS];
  return [
    { type: DEPLOYMENTS, verbs: ['get', 'update', 'delete'], namespace },
    { type: PODS, verbs: ['list'], namespace },
    { type: LEASES, verbs: ['get', 'create', 'update'], namespace },
    { type: CONFIG_MAPS, verbs: ['get', 'create', 'update', 'delete'], namespace },
    { type: CONFIG_MAPS, verbs: ['list', 'patch'] },
    { type: SECRETS, verbs: ['list', 'patch'] },
    { type: SECRETS, verbs: ['get', 'delete'], namespace },
    { type: CRD_KIND, verbs: ['get', 'list', 'update'] },
    { type: CRD_KIND, subresource: 'status', verbs: ['patch'] },
    { type: ADMISSION_POLICIES, verbs: ['get', 'create', 'update', 'delete'] },
    { type: ADMISSION_POLICY_BINDINGS, verbs: ['get', 'create', 'update', 'delete'] },
    ...removed,
    ...clusterWide.map((type) => ({ type, verbs: ['list', 'delete'] })),
    ...kinds.flatMap((kind): Right[] => [
      { type: typeOf(kind, kind.to), verbs: ['get', 'list', 'update'] },
      { type: typeOf(kind, kind.to), subresource: 'status', verbs: ['update'] },
    ]),
  ];
}

/** A sentence for each right that the user does not have. @throws KubernetesError where the API server does not tell */
export async function rightsFindings(client: AccessReviewer, rights: readonly Right[]): Promise<Finding[]> {
  const missing = await missingRights(client, rights);
  if (missing.length === 0) return [note('rights', `${counted(rights.reduce((sum, { verbs }) => sum + verbs.length, 0), 'right')} of this user`)];
  return missing.map((right) =>
    stop('rights', `this user may not ${listed(right.verbs, 'or')} ${rightText(right)}`, 'use a kubeconfig with the rights of a cluster administrator'));
}
