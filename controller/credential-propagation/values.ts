import type { KubernetesObject } from '../../engine/kubernetes/types';
import { parseArmId } from '../../src/azure/arm-id';
import type { PropagationKind } from '../../src/azure/credential-propagation';
import { UUID } from '../../src/azure/uuid';

/** The propagated values of an identity. None of them is secret. */
export interface IdentityIds {
  readonly clientId?: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  readonly subscriptionId?: string;
}

export type IdName = keyof IdentityIds;


/** The values that a target needs before it is written at all: an incomplete credential is worse than none. */
const NEEDED: Readonly<Record<PropagationKind, readonly IdName[]>> = {
  Secret: ['clientId', 'tenantId', 'subscriptionId'],
  ServiceAccount: ['clientId', 'tenantId'],
  ConfigMap: ['clientId', 'principalId', 'tenantId'],
};

/** The IDs that Azure has assigned to the identity so far; a malformed ID counts as absent. */
export function idsOf({ status = {} }: KubernetesObject): IdentityIds {
  const { clientId, principalId, tenantId, id } = status as Readonly<Record<string, unknown>>;
  const subscriptionId = typeof id === 'string' ? parseArmId(id)?.subscriptionId : undefined;
  const known = Object.entries({ clientId, principalId, tenantId, subscriptionId }).filter(
    ([, value]) => typeof value === 'string' && UUID.test(value),
  );
  return Object.fromEntries(known) as IdentityIds;
}

/** The names of the values that are still missing for a target of the kind. */
export function missingFor(kind: PropagationKind, ids: IdentityIds): readonly IdName[] {
  return NEEDED[kind].filter((name) => ids[name] === undefined);
}
