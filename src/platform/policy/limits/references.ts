import { either, ofType } from './facts';
import { groupBy } from '../../../util/group-by';
import { all, any, contains, everyAt, is, lower, not, oneOf, spec, startsWith, valuesAt } from '../condition';
import type { Limit } from '../limit';
import { referencePathsOf } from '../reference-paths';
import { mayRefer, NOT_IN_NAMES, plainId, sharedAccountsOf, sharedIds, usedIds, within, type ReferenceScope } from '../shared-ids';
import type { TeamPolicy } from '../team-policy';

const EVENT_HUB = 'eventhub.azure.com/NamespacesEventhub';
const CONTAINER = 'storage.azure.com/StorageAccountsBlobServicesContainer';
const CAPTURE = ['captureDescription', 'destination'];
/** Paths with a stricter limit of their own: the domains of a route. */
const LIMITED = ['cdn.azure.com/Route customDomains[].reference.armId'];

/**
 * The resources of shared services that the team's resources use by ARM id: an origin group, a rule set or a secret of Front Door, a
 * database to restore. Azure asks the team's credential alone, which may have rights on the whole service.
 */
export function referenceLimits(policy: TeamPolicy): Limit[] {
  const scope = referenceScopeOf(policy);
  if (scope.shared.length === 0) return [];
  const created = policy.entries.filter(({ creates }) => creates);
  const paths = created.flatMap(({ type, kind }) => referencePathsOf(kind)
    .filter(({ text }) => !LIMITED.includes(`${type} ${text}`))
    .map((path) => ({ type, path })));
  return [
    ...[...groupBy(paths, ({ path }) => path.text).values()].map((same): Limit => {
      const [{ path }] = same as [typeof same[number]];
      return {
        id: 'self-service-reference',
        concerns: ofType(...same.map(({ type }) => type)),
        // The limits of identities refuse ids with strange characters.
        holds: everyAt(path, (value) => any(is(value, ''), mayRefer(value, scope))),
        field: `spec.${path.text}`,
        found: { read: (environment) => valuesAt(path, environment).join(', ') },
        rule: 'has to be a resource of the team, where it is in a service that teams share.',
        option: 'sharedReferences',
      };
    }),
    ...(created.some(({ type }) => type === EVENT_HUB) ? captureLimits(policy) : []),
  ];
}

function referenceScopeOf({ team, scopes, groupIds, options }: TeamPolicy): ReferenceScope {
  const limited = scopes.filter(({ entries, namePrefix }) => entries !== undefined || namePrefix !== '');
  const ids = limited.map(({ id }) => id);
  return {
    shared: [...new Set([...sharedIds(team), ...ids])],
    used: [...new Set([...usedIds(team), ...ids])],
    places: limited.filter(({ byHostName, namePrefix }) => !byHostName && namePrefix !== ''),
    open: [
      ...groupIds,
      ...scopes.filter(({ entries, namePrefix }) => entries === undefined && namePrefix === '').map(({ id }) => id),
      // A record may be the alias of any record of a zone that the team uses: what these say is public.
      ...limited.filter(({ byHostName, namePrefix }) => byHostName || namePrefix === '').map(({ id }) => id),
      ...(options.sharedReferences ?? []).map(plainId),
    ],
  };
}

/** The container of a shared account to which an event hub writes what it receives. */
function captureLimits({ team, scopes }: TeamPolicy): Limit[] {
  const accounts = sharedAccountsOf(team);
  if (accounts.length === 0) return [];
  const places = scopes.filter(({ entries }) => entries?.some(({ type }) => type === CONTAINER));
  const account = lower(spec(...CAPTURE, 'storageAccountResourceReference', 'armId'));
  const container = spec(...CAPTURE, 'blobContainer');
  const prefixes = [...new Set(places.map(({ namePrefix }) => namePrefix))];
  return [{
    id: 'self-service-reference',
    concerns: all(ofType(EVENT_HUB), within(account, accounts)),
    holds: any(...places.map(({ id, namePrefix, otherPrefixes }) => all(
      oneOf(account, accounts.filter((one) => id.startsWith(`${one}/`))),
      startsWith(lower(container), [namePrefix]),
      not(startsWith(lower(container), otherPrefixes)),
      not(contains(container, NOT_IN_NAMES)),
    ))),
    field: `spec.${CAPTURE.join('.')}.blobContainer`,
    found: container,
    rule: `has to begin with ${either(prefixes.map((prefix) => `'${prefix}'`))} in a shared account, where other teams have their containers.`,
    option: 'sharedNamePrefix',
  }];
}
