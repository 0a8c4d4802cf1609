import { wordsOf } from './words';
import { capitalized } from '../src/util/words';

/** The part of a kind's name that says what it is within its owner: `add` and this name make the method of the owner. */
interface Exception {
  readonly name: string;
  readonly why: string;
}

/** Names that the rule does not give, by `<service>/<kind>`. */
export const CHILD_NAME_EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'cdn/AfdOrigin': { name: 'Origin', why: 'the owner is an origin group of Front Door already' },
  'cdn/AfdCustomDomain': { name: 'CustomDomain', why: 'a profile has custom domains of Front Door only' },
  'cdn/AfdOriginGroup': { name: 'OriginGroup', why: 'a profile has origin groups of Front Door only' },
  'documentdb/CassandraDataCenter': { name: 'DataCenter', why: 'the owner is a Cassandra cluster already' },
  'eventhub/NamespacesEventhub': { name: 'EventHub', why: 'two words, as in Azure' },
  'managedidentity/FederatedIdentityCredential': { name: 'FederatedCredential', why: 'the name in the Azure portal' },
  'servicebus/TopicAuthorizationRule': { name: 'AuthorizationRule', why: 'the owner is a topic already' },
  'web/SitesSourcecontrol': { name: 'SourceControl', why: 'two words, as in Azure' },
};

/**
 * A child's name within its owner: the kind's name without that of its owner, the owner in the singular or the plural, once or more often:
 * `StorageAccountsBlobServicesContainer` in `StorageAccountsBlobService` is a `Container`, `VirtualNetworksVirtualNetworkPeering` in
 * `VirtualNetwork` is a `Peering`.
 */
export function childName(service: string, kind: string, owner: string): string {
  const exception = CHILD_NAME_EXCEPTIONS[`${service}/${kind}`];
  if (exception) return exception.name;
  let rest = kind;
  for (let prefix = ownerIn(rest, owner); prefix !== undefined; prefix = ownerIn(rest, owner)) rest = rest.slice(prefix.length);
  return wordsOf(rest).map((word) => capitalized(word.toLowerCase())).join('');
}

/** The owner's name at the beginning of a name, if more follows: `DnsForwardingRuleset` is in `DnsForwardingRuleSetsForwardingRule`. */
function ownerIn(name: string, owner: string): string | undefined {
  const forms = [owner.replace(/y$/, 'ies'), `${owner}s`, owner];
  return forms.find((form) => name.length > form.length && name.toLowerCase().startsWith(form.toLowerCase()) && /[A-Z]/.test(name[form.length]!));
}
