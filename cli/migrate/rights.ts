import { stop, note, type Finding } from './finding';
import type { MigratedKind } from './migrated-kinds';
import { typeOf } from './migrated-kinds';
import type { KubernetesClient, ResourceType } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import { isRecord } from '../../src/util/records';
import { counted, listed } from '../../src/util/words';
import { atATime } from '../cluster/at-a-time';
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
  SELF_ACCESS_REVIEWS,
  SERVICES,
  VALIDATING_WEBHOOKS,
} from '../cluster/resource-types';

const AT_A_TIME = 8;

/** Verbs that a migration needs. */
export interface Right {
  readonly type: ResourceType;
  readonly verbs: readonly string[];
  readonly subresource?: string;
  /** Absent: in all namespaces. */
  readonly namespace?: string;
}

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
export async function rightsFindings(client: KubernetesClient, rights: readonly Right[]): Promise<Finding[]> {
  const missing = new Map<Right, string[]>();
  const asked = rights.flatMap((right) => right.verbs.map((verb) => ({ right, verb })));
  await atATime(asked, AT_A_TIME, async ({ right, verb }) => {
    if (!(await isAllowed(client, right, verb))) missing.set(right, [...(missing.get(right) ?? []), verb]);
  });
  if (missing.size === 0) return [note('rights', `${counted(asked.length, 'right')} of this user`)];
  return rights.flatMap((right) => {
    const verbs = missing.get(right);
    return verbs ? [stop('rights', `this user may not ${listed(verbs.sort(), 'or')} ${described(right)}`, 'use a kubeconfig with the rights of a cluster administrator')] : [];
  });
}

async function isAllowed(client: KubernetesClient, { type, subresource, namespace }: Right, verb: string): Promise<boolean> {
  const resourceAttributes = {
    verb,
    group: type.group,
    version: type.version,
    resource: type.plural,
    ...(subresource && { subresource }),
    ...(namespace !== undefined && { namespace }),
  };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', metadata: { name: '' }, spec: { resourceAttributes } };
  const answer = await client.create(SELF_ACCESS_REVIEWS, review);
  return isRecord(answer.status) && answer.status.allowed === true;
}

function described({ type, subresource, namespace }: Right): string {
  const name = `${type.plural}${type.group === '' ? '' : `.${type.group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  if (!type.namespaced) return name;
  return namespace === undefined ? `${name} in all namespaces` : `${name} in the namespace ${namespace}`;
}
