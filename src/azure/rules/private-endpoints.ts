import { LEARN, rule, subjectAlone, violation, type AzureRule, type AzureSubject, type Violation } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import { isRecord } from '../../util/records';
import { PRIVATE_LINK } from '../private-link';

const ENDPOINT = 'network.azure.com/PrivateEndpoint';
const LINKS = ['privateLinkServiceConnections', 'manualPrivateLinkServiceConnections'];
const OVERVIEW = [`${LEARN}/private-link/private-endpoint-overview#private-link-resource`, 'IncorrectPrivateLinkServiceConnectionGroupId'] as const;
const TIER = [`${LEARN}/private-link/availability`, 'BadRequest'] as const;

/** Kinds by their type in ARM ids, in lower case. */
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries(PRIVATE_LINK).map(([kind, { type }]) => [type, kind]));

/** A target that is known by its ARM id alone. */
function targetOfId(reference: unknown): AzureSubject | undefined {
  const armId = isRecord(reference) && typeof reference.armId === 'string' ? reference.armId : '';
  const [, type, name] = /\/providers\/([^/]+\/[^/]+)\/([^/]+)$/.exec(armId) ?? [];
  const kind = type === undefined ? undefined : TYPES.get(type.toLowerCase());
  return kind === undefined ? undefined : subjectAlone(kind, name!, {});
}
/** Tiers that have no private endpoints. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'containerregistry.azure.com/Registry': ['basic', 'standard'],
  'servicebus.azure.com/Namespace': ['basic', 'standard'],
  'eventhub.azure.com/Namespace': ['basic'],
  'appconfiguration.azure.com/ConfigurationStore': ['free'],
  'search.azure.com/SearchService': ['free'],
};

const eachLink = (find: (target: AzureSubject, field: string, link: unknown) => readonly Violation[]): AzureRule['find'] => (subject) =>
  LINKS.flatMap((list) => valuesAt(subject.spec, `${list}[]`)).flatMap(({ field, value }) => {
    const reference = isRecord(value) ? value.privateLinkServiceReference : undefined;
    const target = subject.referenced(reference) ?? targetOfId(reference);
    return target ? find(target, field, value) : [];
  });

export const PRIVATE_ENDPOINT_RULES: readonly AzureRule[] = [
  rule('private-endpoint-group', ENDPOINT, 'A group id is a sub-resource that the target has.', OVERVIEW, eachLink((target, field, link) => {
    const groups = PRIVATE_LINK[target.kind]?.targets.map(({ groupId }) => groupId);
    if (!groups || !isRecord(link)) return [];
    const known = groups.map((group) => group.toLowerCase());
    return valuesAt(link, 'groupIds[]').filter(({ value }) => typeof value === 'string' && !known.includes(value.toLowerCase()))
      .map((at) => ({ field: `${field}.${at.field}`, message: `'${String(at.value)}' is no group of a ${target.kind.split('/')[1]!}`, fix: `write ${groups.join(' or ')}` }));
  })),
  rule('private-endpoint-tier', ENDPOINT, 'Some tiers of a service have no private endpoints.', TIER, eachLink((target, field) => {
    const tier = wordAt(target.spec, 'sku.name');
    return tier !== undefined && WITHOUT[target.kind]?.includes(tier)
      ? violation(`${field}.privateLinkServiceReference`, `'${target.name}' is of sku.name ${String(valueAtPath(target.spec, 'sku.name'))}, which has no private endpoints`, 'use a higher tier') : [];
  })),
  rule('private-endpoint-connection', ENDPOINT, 'A private endpoint has one connection, automatic or manual.',
    [OVERVIEW[0], 'InvalidRequestFormat'], ({ spec }) => {
      const all = LINKS.flatMap((list) => valuesAt(spec, `${list}[]`));
      return all.length > 1 ? violation(all[1]!.field, `is one of ${all.length} connections`, 'make an endpoint for each') : [];
    }),
];
