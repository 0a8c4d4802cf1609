import type { ValueSource } from '../../engine/convert';
import { armIdOf, checkReference, ResolutionError, versionOf, type ReferenceValue } from '../../engine/resolve';
import { struct } from '../../src/util/records';
import { isLater } from '../manifests/later/variables';
import type { ManifestLookup } from '../manifests/manifest-lookup';
import type { SubscriptionOf } from '../manifests/subscriptions';

/**
 * The values that a spec refers to, as far as the files have them: predicted ids, `<configmap:NAME/KEY>` for what exists only later, and
 * `<secret:NAME/KEY>` always, because a plan is shown and logged.
 */
export function plannedValues(namespace: string, lookup: ManifestLookup, subscriptionOf: SubscriptionOf): ValueSource {
  return {
    reference: (reference) => predictedId(reference, namespace, lookup, subscriptionOf),
    secret: (name, key) => `<secret:${name}/${key}>`,
    secretMap: (name) => {
      const secret = lookup.find('', 'Secret', namespace, name);
      const keys = secret ? Object.keys({ ...struct(secret.data), ...struct(secret.stringData) }) : ['*'];
      return Object.fromEntries(keys.map((key) => [key, `<secret:${name}/${key}>`]));
    },
    configMap: (name, key) => {
      const data = lookup.find('', 'ConfigMap', namespace, name)?.data;
      const value = data && Object.hasOwn(data, key) ? data[key] : undefined;
      return typeof value === 'string' ? value : `<configmap:${name}/${key}>`;
    },
    comesLater: isLater,
  };
}

/** The ARM id that a referenced object will have. Throws ResolutionError where the files do not have it. */
export function predictedId(reference: ReferenceValue, namespace: string, lookup: ManifestLookup, subscriptionOf: SubscriptionOf): string {
  checkReference(reference);
  if ('armId' in reference && reference.armId) return reference.armId;
  const { group, kind, name } = reference as { group: string; kind: string; name: string };
  const found = lookup.find(group, kind, namespace, name);
  const version = found && versionOf(found);
  if (!found || !version) {
    throw new ResolutionError('ReferenceNotFound', 'Warning', `${kind} ${namespace}/${name} of group ${group} is not in the files`);
  }
  return armIdOf(found, version, lookup, subscriptionOf(found), { placeholders: true });
}
