import type { KubernetesObject } from '../../engine/kubernetes/types';
import { parseArmId } from '../../src/azure/arm-id';
import type { PropagationKind } from '../../src/azure/credential-propagation';
import { UUID } from '../../src/azure/uuid';

/** The values of an identity that are propagated. None of them is secret. */
export interface IdentityIds {
  readonly clientId?: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  readonly subscriptionId?: string;
}

export type IdName = keyof IdentityIds;


/** What a target of a kind has to have before it is written at all: half a credential is worse than none. */
const NEEDED: Readonly<Record<PropagationKind, readonly IdName[]>> = {
  Secret: ['clientId', 'tenantId', 'subscriptionId'],
  ServiceAccount: ['clientId', 'tenantId'],
  ConfigMap: ['clientId', 'principalId', 'tenantId'],
};

/** The ids that Azure has given the identity so far; a text that is no id counts as none. */
export function idsOf({ status = {} }: KubernetesObject): IdentityIds {
  const { clientId, principalId, tenantId, id } = status as Readonly<Record<string, unknown>>;
  const subscriptionId = typeof id === 'string' ? parseArmId(id)?.subscriptionId : undefined;
  const known = Object.entries({ clientId, principalId, tenantId, subscriptionId }).filter(([, value]) => typeof value === 'string' && UUID.test(value));
  return Object.fromEntries(known) as IdentityIds;
}

/** The names of what is missing for a target of a kind. */
export function missingFor(kind: PropagationKind, ids: IdentityIds): readonly IdName[] {
  return NEEDED[kind].filter((name) => ids[name] === undefined);
}
