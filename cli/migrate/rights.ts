import { stop, note, type Finding } from './finding';
import type { MigratedKind } from './migrated-kinds';
import { typeOf } from './migrated-kinds';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import { counted } from '../../src/util/words';
import { missingRights, rightTexts, type AccessReviewer, type Right } from '../cluster/access-rights';
import {
  ADMISSION_POLICIES,
  ADMISSION_POLICY_BINDINGS,
  CERTIFICATES,
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  CONFIG_MAPS,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ISSUERS,
  LEASES,
  MUTATING_WEBHOOKS,
  NAMESPACES,
  NETWORK_POLICIES,
  PODS,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICES,
  SERVICE_ACCOUNTS,
  VALIDATING_WEBHOOKS,
} from '../cluster/resource-types';

/** The rights that the user needs; those to create objects of the kinds are for a dry run. */
export function rightsNeeded(namespace: string, kinds: readonly MigratedKind[]): Right[] {
  const inNamespace = [SERVICES, ROLES, ROLE_BINDINGS, SERVICE_ACCOUNTS, DISRUPTION_BUDGETS, NETWORK_POLICIES, CERTIFICATES, ISSUERS];
  const clusterWide = [MUTATING_WEBHOOKS, VALIDATING_WEBHOOKS, CLUSTER_ROLES, CLUSTER_ROLE_BINDINGS];
  return [
    { type: DEPLOYMENTS, verbs: ['list'] },
    { type: DEPLOYMENTS, verbs: ['get', 'update', 'patch', 'delete'], namespace },
    { type: NAMESPACES, verbs: ['get'] },
    { type: PODS, verbs: ['list'], namespace },
    { type: LEASES, verbs: ['get', 'create', 'update'], namespace },
    { type: CONFIG_MAPS, verbs: ['create', 'update', 'delete'], namespace },
    { type: CONFIG_MAPS, verbs: ['get', 'list', 'patch'] },
    { type: SECRETS, verbs: ['get', 'list', 'patch'] },
    { type: SECRETS, verbs: ['delete'], namespace },
    { type: CRD_KIND, verbs: ['get', 'list', 'update'] },
    { type: CRD_KIND, subresource: 'status', verbs: ['patch'] },
    { type: ADMISSION_POLICIES, verbs: ['get', 'create', 'update', 'delete'] },
    { type: ADMISSION_POLICY_BINDINGS, verbs: ['get', 'create', 'update', 'delete'] },
    ...inNamespace.map((type) => ({ type, verbs: ['get', 'list', 'delete'], namespace })),
    ...clusterWide.map((type) => ({ type, verbs: ['get', 'list', 'delete'] })),
    ...kinds.flatMap((kind): Right[] => [
      { type: typeOf(kind, kind.to), verbs: ['get', 'list', 'create', 'update'] },
      { type: typeOf(kind, kind.to), subresource: 'status', verbs: ['update'] },
    ]),
  ];
}

/** A sentence for the rights that the user does not have, by their verbs. @throws KubernetesError where the API server does not tell */
export async function rightsFindings(client: AccessReviewer, rights: readonly Right[]): Promise<Finding[]> {
  const missing = await missingRights(client, rights);
  if (missing.length === 0) return [note('rights', `${counted(rights.reduce((sum, { verbs }) => sum + verbs.length, 0), 'right')} of this user`)];
  return rightTexts(missing).map((text) => stop('rights', `this user may not ${text}`, 'use a kubeconfig with the rights of a cluster administrator'));
}
