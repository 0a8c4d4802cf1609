import { Team, type QueueSettings, type SelfServicePolicy, type TeamInEnvironment } from '../../platform';
import { PlatformError } from '../../platform/model/problems';
import { sharedPrefix } from '../../platform/naming/shared-prefix';
import { ClaimError, type ClaimIssue, type ReadObject } from '../../platform-api';
import type { KindsContext, ReadClaim } from '../platform-kinds-props';
import type { ServiceSpec } from '../schema/service-fields';

/** A service reads at most that many teams: the composer lets it read 50 objects. */
const MOST_TEAMS = 40;
const KIND = 'NamespacesQueue';

/** A name in a shared service, in lower case, and the place in the claim that gives it. */
interface SharedName {
  readonly path: string;
  readonly name: string;
}

/**
 * Refuses a team whose names in shared services could be another team's: under a strategy that writes `<namespace>-`, the names of team
 * `a-b` begin as those of team `a` do. The older team keeps its names.
 * @param createdAt creation of the `Team`
 * @throws ClaimError at `metadata.name`
 */
export function assertOwnNames(context: KindsContext, team: TeamInEnvironment, createdAt: Date, read: ReadClaim): void {
  const { props: { group, policy }, teamKind } = context;
  const { name } = team.team;
  if (name !== team.namespace && read({ group, kind: teamKind, name })) {
    throw new ClaimError([{
      path: 'spec.name',
      message: `'${name}' is the name of another ${teamKind}, `
      + 'whose resources have these names. Choose another name.',
    }]);
  }
  const shorter = shorterNames(team.namespace).filter((one) => begins(team, one));
  if (shorter.length === 0) return;
  const prefix = prefixOf(team).toLowerCase();
  if (policy && !isListed(policy, prefix)) {
    throw overlap(`names of '${team.namespace}' in shared services begin with '${prefix}', as those of a team '${shorter[0]!}' may, `
      + 'and the guard rails of such a team would not know them. Choose a name without hyphen, '
      + `add '${prefix}' to otherNamePrefixes of the policy, or choose a naming strategy that separates by two hyphens.`);
  }
  const older = readAll(read, shorter.map((one) => ({ group, kind: teamKind, name: one })))
    .find((found) => found && !isOlder(createdAt, found));
  if (older) {
    throw overlap(`names of '${team.namespace}' in shared services would begin as those of ${teamKind} '${older.metadata.name}' do. `
      + `Choose a name that does not begin with '${older.metadata.name}-'.`);
  }
}

/**
 * Problems of names in shared services that begin as those of an older team do.
 * @param self the team's own object
 */
export function overlapProblems(
  context: KindsContext, spec: ServiceSpec, service: string, team: TeamInEnvironment, self: ReadObject, read: ReadClaim,
): ClaimIssue[] {
  const { props: { group }, teamKind } = context;
  if (!begins(team, team.namespace, `${team.namespace}-x`)) return [];
  const own = `${team.namespace}-`;
  const names = sharedNames(spec, service, team);
  const strange = names.filter(({ name }) => !name.startsWith(own));
  const longer = [...new Set(names.flatMap(({ name }) => longerNames(name, own)))];
  if (longer.length > MOST_TEAMS) {
    return [{
      path: 'spec',
      message: `has ${longer.length} names in shared services that could be those of other teams; `
      + `${MOST_TEAMS} can be checked. Make two services of it, or use fewer hyphens.`,
    }];
  }
  const createdAt = new Date(self.metadata.creationTimestamp ?? 0);
  const others = readAll(read, longer.map((one) => ({ group, kind: teamKind, name: one })))
    .filter((found) => found && isYounger(createdAt, found));
  return [
    ...strange.map(({ path, name }) => ({
      path,
      message: `'${name}' does not begin with '${own}', `
      + 'so it could be another team\'s. Give the service a name that begins so.',
    })),
    ...names.flatMap(({ path, name }) => {
      const other = others.find((found) => name.startsWith(`${found!.metadata.name}-`));
      return other ? [{
        path,
        message: `'${name}' begins as the names of ${teamKind} '${other.metadata.name}' do, `
        + 'and would be that team\'s. Choose another name.',
      }] : [];
    }),
  ];
}

/** Asks for all objects before the first that is not known ends the run: one further run has them all. */
function readAll(read: ReadClaim, names: readonly Parameters<ReadClaim>[0][]): (ReadObject | undefined)[] {
  let missing: { readonly error: unknown } | undefined;
  const found = names.map((name) => {
    try {
      return read(name);
    } catch (error) {
      missing ??= { error };
      return undefined;
    }
  });
  if (missing) throw missing.error;
  return found;
}

/** Names in shared services that begin with `<namespace>-`, with their places. */
function sharedNames(spec: ServiceSpec, service: string, team: TeamInEnvironment): SharedName[] {
  const { queues = [], topics = [], database, resources = [], routes = [], keyVaultSecrets = [] } = spec;
  const own = `${team.namespace}-`.toLowerCase();
  const ofTeam = (list: string, requests: readonly { readonly name?: string | undefined }[]) => requests.flatMap(({ name }, index) => (
    name === undefined ? [] : [{ path: `spec.${list}[${index}].name`, name: `${own}${name}`.toLowerCase() }]));
  const { naming } = team.environment;
  return [
    ...ofTeam('queues', queues), ...ofTeam('topics', topics), ...ofTeam('resources', resources), ...ofTeam('routes', routes),
    ...(database ? [{ path: 'spec.database.name', name: `${own}${database.name}`.toLowerCase() }] : []),
    ...queues.flatMap(({ settings }, index) => forwards(settings, `queues[${index}]`)),
    ...topics.flatMap(({ subscriptions = [] }, index) => (
      subscriptions.flatMap(({ settings }, at) => forwards(settings, `topics[${index}].subscriptions[${at}]`)))),
    ...topics.flatMap(({ subscriptions = [] }, index) => ofTeam(`topics[${index}].subscriptions`, subscriptions)),
    ...keyVaultSecrets.map((secret, index) => (
      { path: `spec.keyVaultSecrets[${index}]`, name: naming.keyVaultSecret({ team, service }, secret).toLowerCase() })),
  ];
}

function forwards(settings: Pick<QueueSettings, 'forwardTo' | 'forwardDeadLetteredMessagesTo'> = {}, path: string): SharedName[] {
  return (['forwardTo', 'forwardDeadLetteredMessagesTo'] as const).flatMap((setting) => (
    settings[setting] === undefined ? [] : [{ path: `spec.${path}.settings.${setting}`, name: settings[setting].toLowerCase() }]));
}

/** `a` and `a-b` of `a-b-c`. */
function shorterNames(name: string): string[] {
  return longerNames(name, '').filter((each) => each !== name);
}

/** The names of teams to which a name in a shared service could belong: `a-b`, `a-b-c` of `a-b-c-d` after `a-`. */
function longerNames(name: string, own: string): string[] {
  if (!name.startsWith(own)) return [];
  const words = name.slice(own.length).split('-');
  return words.slice(1).map((_, index) => `${own}${words.slice(0, index + 1).join('-')}`).filter((each) => each.length <= 63 && !each.endsWith('-'));
}

/** Whether the names of a team in shared services begin as those of a team with a shorter name do, by the naming strategy. */
function begins(team: TeamInEnvironment, shorter: string, longer = team.namespace): boolean {
  const { environment, resourceGroup } = team;
  const named = (name: string) => prefixOf(new Team({ name, resourceGroup }).in(environment, { namespace: name })).toLowerCase();
  try {
    return named(longer).startsWith(named(shorter));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    // There is no team of a name that is reserved or malformed.
    return false;
  }
}

function prefixOf(team: TeamInEnvironment): string {
  const [service] = [...team.uses, ...(team.environment.shared.services ?? [])];
  return service ? sharedPrefix(team, service, KIND) : `${team.namespace}--`;
}

function isListed({ props: { sharedNamePrefix, otherNamePrefixes = [] } }: SelfServicePolicy, prefix: string): boolean {
  return sharedNamePrefix !== undefined || otherNamePrefixes.some((other) => other.toLowerCase() === prefix);
}

function isOlder(createdAt: Date, { metadata: { creationTimestamp } }: ReadObject): boolean {
  return createdAt < new Date(creationTimestamp ?? 0);
}

function isYounger(createdAt: Date, { metadata: { creationTimestamp } }: ReadObject): boolean {
  return createdAt > new Date(creationTimestamp ?? 0);
}

function overlap(message: string): ClaimError {
  return new ClaimError([{ path: 'metadata.name', message }]);
}
