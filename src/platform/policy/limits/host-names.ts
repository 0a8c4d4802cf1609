import { AZURE_NAME, ofEntries, ofType, OWNER_ID } from './facts';
import { withoutTrailingSlashes } from '../../../azure/trailing-slashes';
import { relativeName, zonesOf } from '../../model/dns-zones';
import { domainOfWildcard, hostNameRule, isAllowedHostName } from '../../model/host-names';
import { armTypeOfService } from '../../model/shared-kind-facts';
import type { SharedService } from '../../model/shared-service';
import { FRONT_DOOR_ENDPOINT } from '../../model/shared-service-types';
import {
  all, any, Condition, contains, endsWith, everyElement, is, lower, matches, member, not, OBJECT, oneOf, present, spec, startsWith,
  Text, text, valuesAt,
} from '../condition';
import type { Limit } from '../limit';
import { NOT_IN_IDS } from '../shared-ids';
import type { TeamPolicy } from '../team-policy';

const CUSTOM_DOMAIN = 'cdn.azure.com/AfdCustomDomain';
const ROUTE = 'cdn.azure.com/Route';
const RECORDS = /^network\.azure\.com\/DnsZones\w+Record$/;
/** Labels of record sets: no name ends with a dot, has an empty label or another script. */
const LABEL = '[a-z0-9*_-]+';
const NAME_LABEL = '[a-z0-9*-][a-z0-9*_-]*';
const ABOUT_THE_NEXT = '_[a-z0-9_-]*';
/** All labels before the one that decides. */
const BEFORE = `(${LABEL}[.])*`;
const HOST_NAME = '^([*][.])?[a-z0-9-]+([.][a-z0-9-]+)+$';

/** The host names of the team: of its custom domains, in the routes that refer to domains, and of record sets in shared DNS zones. */
export function hostNameLimits(policy: TeamPolicy): Limit[] {
  const { team: { hostNames } } = policy;
  const limit = { id: 'self-service-host-name', rule: hostNameRule(hostNames), option: 'hostNames', ofTeam: true };
  const hostName = spec('hostName');
  return [
    {
      ...limit,
      concerns: ofType(CUSTOM_DOMAIN),
      holds: all(matches(lower(hostName), HOST_NAME), isAllowed(lower(hostName), hostNames)),
      field: 'spec.hostName',
      found: hostName,
    },
    routeLimit(policy),
    ...defaultDomainLimits(policy, limit),
    ...recordLimits(policy, limit),
  ];
}

function isAllowed(name: Text, hostNames: readonly string[]): Condition {
  const domains = hostNames.map(domainOfWildcard).filter((domain) => domain !== undefined);
  return any(oneOf(name, hostNames.filter((one) => domainOfWildcard(one) === undefined)), endsWith(name, domains.map((domain) => `.${domain}`)));
}

/** A route with another team's domain would answer in its place. */
function routeLimit({ scopes, groupIds }: TeamPolicy): Limit {
  const prefixes = scopes
    .filter(({ entries }) => entries?.some(({ type }) => type === CUSTOM_DOMAIN))
    .map(({ id, namePrefix, otherPrefixes }) => {
      const below = (prefix: string) => `${id}/customdomains/${prefix}`;
      return { own: below(namePrefix), others: otherPrefixes.map(below) };
    });
  const isOwn = (id: Text) => all(not(contains(id, NOT_IN_IDS)), any(
    ...prefixes.map(({ own, others }) => all(startsWith(id, [own]), not(startsWith(id, others)))),
    startsWith(id, groupIds.map((group) => `${group}/`)),
  ));
  const path = {
    text: 'customDomains[].reference.armId',
    type: 'string' as const,
    steps: [
      { property: 'customDomains' }, 'elements' as const, { property: 'reference' }, { property: 'armId' },
    ],
  };
  return {
    id: 'self-service-host-name',
    concerns: ofType(ROUTE),
    holds: everyElement(member(OBJECT, 'spec', 'customDomains'), (domain) => {
      const id = lower(text(domain, 'reference', 'armId'));
      return any(is(id, ''), isOwn(id));
    }),
    field: `spec.${path.text}`,
    found: { read: (environment) => valuesAt(path, environment).join(', ') },
    rule: 'has to be a custom domain of the team.',
    option: 'sharedNamePrefix',
  };
}

/** The host name of a shared endpoint: a route that is linked to it answers there for all teams. */
function defaultDomainLimits({ team, entries }: TeamPolicy, limit: Pick<Limit, 'id' | 'rule' | 'option' | 'ofTeam'>): Limit[] {
  if (!entries.some(({ creates, type }) => creates && type === ROUTE)) return [];
  const endpoints = team.uses.filter((service) => armTypeOfService(service)?.toLowerCase() === FRONT_DOOR_ENDPOINT);
  const ids = (of: readonly SharedService[]) =>
    of.map(({ resource }) => withoutTrailingSlashes(team.environment.armIdOf(resource)).toLowerCase());
  const link = spec('linkToDefaultDomain');
  const own = endpoints.filter(({ hostName }) => hostName !== undefined && isAllowedHostName(hostName, team.hostNames));
  return [{
    ...limit,
    concerns: all(ofType(ROUTE), oneOf(OWNER_ID, ids(endpoints))),
    holds: any(oneOf(lower(link), ['', 'disabled']), oneOf(OWNER_ID, ids(own))),
    field: 'spec.linkToDefaultDomain',
    found: link,
    rule: `has to be Disabled, because the endpoint's host name ${hostNameRule(team.hostNames)}`,
  }];
}

function recordLimits({ team, entries }: TeamPolicy, limit: Pick<Limit, 'id' | 'rule' | 'option'>): Limit[] {
  const records = entries.filter(({ creates, type }) => creates && RECORDS.test(type));
  const zones = zonesOf(team).map((zone) => ({ ...zone, id: zone.armId.toLowerCase() }));
  if (records.length === 0 || zones.length === 0) return [];
  const name = lower(AZURE_NAME);
  const inZone = zones.map(({ id, name: zone }) => all(is(OWNER_ID, id), namesIn(zone, team.hostNames, name)));
  const elsewhere = not(any(oneOf(OWNER_ID, zones.map(({ id }) => id)), startsWith(OWNER_ID, zones.map(({ id }) => `${id}/`))));
  return [{
    ...limit,
    concerns: ofEntries(records),
    holds: any(elsewhere, all(not(present(member(OBJECT, 'spec', 'azureNameFromConfig'))), any(...inZone))),
    field: 'spec.azureName',
    found: AZURE_NAME,
  }];
}

/**
 * The names, relative to a zone, that the team may have. A label with `_` at its beginning is about the name after it, so `_dnsauth.shop`
 * belongs to whom `shop` belongs.
 */
function namesIn(zone: string, hostNames: readonly string[], name: Text): Condition {
  const wildcards = hostNames.map(domainOfWildcard).filter((domain) => domain !== undefined) as string[];
  const inside = (domain: string) => domain === zone || domain.endsWith(`.${zone}`);
  const exact = hostNames.filter((one) => domainOfWildcard(one) === undefined && inside(one)).map((one) => relativeName(one, zone));
  if (isAllowedHostName(zone, wildcards.map((domain) => `*.${domain}`))) return any(is(name, '@'), matches(name, `^${BEFORE}${LABEL}$`));
  return any(
    oneOf(name, exact),
    ...exact.map((one) => matches(name, `^${BEFORE}${ABOUT_THE_NEXT}${ending(one)}$`)),
    ...wildcards.filter(inside).map((domain) => matches(name, `^${BEFORE}${NAME_LABEL}${ending(relativeName(domain, zone))}$`)),
  );
}

/** The end of a pattern for names below a relative name. */
function ending(relative: string): string {
  return relative === '@' ? '' : `[.]${relative.replaceAll('.', '[.]')}`;
}
