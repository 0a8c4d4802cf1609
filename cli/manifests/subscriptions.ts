import { namespaceOf } from './manifests';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { RESOURCE_ID } from '../../src/azure/annotations';
import { parseArmId } from '../../src/azure/arm-id';
import { UUID } from '../../src/azure/uuid';
import type { ObjectSet } from '../../src/core/rules/object-set';
import { isAzure, type AzureObject } from '../../src/core/rules/set-object';
import { groupOf } from '../../src/object-id';

/** The subscription of the credential that applies to an object, or a placeholder for it. */
export type SubscriptionOf = (object: KubernetesObject) => string;

/** Stands in a plan for the subscription of the operator's own credential, where neither the files nor the caller give it. */
export const NO_SUBSCRIPTION = '00000000-0000-0000-0000-000000000000';

/**
 * The subscriptions of the objects of a set: of the Secret that the controller would select for each (its annotation `credential-from`,
 * else `aso-credential` of its namespace, else the controller's settings); else that of a resource that is known to be made with the same
 * credential; else what the caller gives. What the caller gives is one subscription: of two credentials that are in the files without
 * their subscriptions (sealed, or fetched from a vault) it is neither's, and each has a placeholder of its own.
 *
 * @param given the subscription of objects whose credential the files do not have
 * @param unknown stands for that subscription where it is not given
 */
export function subscriptionsOf(set: ObjectSet, given: string | undefined, unknown: string = NO_SUBSCRIPTION): SubscriptionOf {
  const found = set.azure.map((object) => ({ object, ...set.subscriptionOf(object) }));
  const bySource = new Map<string, string>();
  for (const { object, id, secret } of found) {
    const made = id === undefined ? madeIn(object) : undefined;
    if (made !== undefined) bySource.set(sourceOf(object, secret), made);
  }
  const open = found.filter(({ object, id, secret }) => id === undefined && !bySource.has(sourceOf(object, secret)));
  // A UUID that is given is that of the only credential that it can be of.
  const only = new Set(open.map(({ secret }) => secret)).size === 1;
  return (object) => {
    const one = set.find(groupOf(object), object.kind, namespaceOf(object), object.metadata.name);
    if (!one || !isAzure(one)) return given ?? unknown;
    const { id, secret } = set.subscriptionOf(one);
    const known = id ?? bySource.get(sourceOf(one, secret));
    if (known !== undefined) return known;
    if (secret === undefined) return given ?? unknown;
    return (only ? given : undefined) ?? `<subscription:${secret.replace('/', '.')}>`;
  };
}

/** Objects of one source are in one subscription. */
function sourceOf({ namespace = '' }: AzureObject, secret: string | undefined): string {
  return secret ?? `${namespace}/`;
}

/** The subscription in which the controller has made the resource. */
function madeIn({ annotations }: AzureObject): string | undefined {
  const id = parseArmId(annotations[RESOURCE_ID] ?? '')?.subscriptionId;
  return id !== undefined && UUID.test(id) ? id : undefined;
}
