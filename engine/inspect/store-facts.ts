import type { StoreFacts } from './types';
import { UUID } from '../../src/azure/uuid';
import { groupOf, objectKeyOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { ownValue } from '../../src/util/elements';
import { decodeSecretValue } from '../../src/util/secret-data';
import type { KubernetesObject } from '../kubernetes/types';

const MODES: ReadonlySet<string> = new Set(['podidentity', 'workloadidentity']);

/** The keys of a Secret or ConfigMap, and the two values of a credential that are no secrets. No other value stays in memory. */
export function storeFactsOf({ kind, metadata, data = {} }: KubernetesObject): StoreFacts {
  const { namespace = '', name, ownerReferences = [], deletionTimestamp } = metadata;
  const plain = (key: string) => (kind === 'Secret' ? decoded(ownValue(data, key)) : undefined);
  const subscriptionId = plain('AZURE_SUBSCRIPTION_ID');
  const authMode = plain('AUTH_MODE');
  const owner = ownerReferences.find((reference) => mayBeInCatalog(groupOf(reference)));
  return {
    namespace,
    name,
    keys: Object.keys(data).sort(),
    ...(subscriptionId !== undefined && UUID.test(subscriptionId) ? { subscriptionId } : {}),
    ...(authMode !== undefined && MODES.has(authMode) ? { authMode } : {}),
    ...(owner ? { writtenBy: objectKeyOf({ group: groupOf(owner), kind: owner.kind, namespace, name: owner.name }) } : {}),
    ...(deletionTimestamp === undefined ? {} : { isDeleting: true }),
  };
}

/** Values that could be one of the two are short: nothing long is decoded. */
function decoded(base64: unknown): string | undefined {
  if (typeof base64 !== 'string' || base64.length > 100) return undefined;
  return decodeSecretValue(base64).trim();
}
