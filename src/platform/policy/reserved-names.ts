import { lowerAscii } from './condition';
import { literal } from './shared-ids';
import { resourceNameOf } from '../model/arm-id-parts';
import { TeamIdentities } from '../model/team-identities';
import type { TeamInEnvironment } from '../model/team-in-environment';
import { isOfWorkload } from '../naming/concerned-identity';
import { FederationPurpose } from '../naming/federation-purpose';

/** Names in Azure, in lower case, of what the platform makes in the team's own groups. In each name one `*` stands for any text. */
export interface ReservedNames {
  readonly identities: readonly string[];
  /** Names of federated credentials on these identities. */
  readonly federations: readonly string[];
}

/** A varying part of the names of services and their federated credentials. */
interface Sample {
  readonly word: string;
  readonly index: number;
}

/** Samples that have nothing in common, so many that hashes of them have not either. */
const SAMPLES: readonly Sample[] = ['a', 'billing', 'x9', 'mail-relay', 'k'].map((word, index) => ({ word, index }));

/**
 * The names as the onboarding and the services make them. Services are in other apps, or are claims, so only the form of their names is
 * known here.
 * @param given the policy's `platformIdentities`
 */
export function reservedNames(team: TeamInEnvironment, given: readonly string[] | undefined): ReservedNames {
  const { naming, clusters, teamIdentities } = team.environment;
  const purposes = Object.values(FederationPurpose).filter((purpose) => isOfWorkload(teamIdentities, purpose));
  const ofServices = (nameOf: (sample: Sample) => string): string[] => {
    try {
      return formOf(team, nameOf);
    } catch (error) {
      if (given) return [];
      throw new Error(`SelfServicePolicy: platformIdentities: required, because the naming strategy has names only for services that it knows. List the names of the identities of team '${team.team.name}' in '${team.environment.name}', which are not for objects of the team.`, { cause: error });
    }
  };
  const identities = given ?? [...workloadIdentity(team), ...ofServices(({ word }) => naming.serviceIdentity({ team, service: word }))];
  const federations = [
    ...clusters.flatMap(({ name }) => purposes.map((purpose) => naming.teamFederation(team, purpose, name))),
    ...ofServices(({ word, index }) => naming.serviceFederation({ team, service: word }, word, word, word, index)),
  ];
  return { identities: identities.map(lowerAscii), federations: federations.map(lowerAscii) };
}

function workloadIdentity(team: TeamInEnvironment): string[] {
  const { environment, identities: { workload } } = team;
  if (environment.teamIdentities !== TeamIdentities.SEPARATE) return [];
  return [workload ? resourceNameOf(environment.armIdOf(workload)) : environment.naming.teamWorkloadIdentity(team)];
}

/**
 * The form of the names of all services: their common beginning, and their common end where the beginning is not the team's alone. Where
 * it is, the end counts for nothing: a strategy may cut it off.
 */
function formOf({ namespace, team }: TeamInEnvironment, nameOf: (sample: Sample) => string): string[] {
  const names = SAMPLES.map((sample) => lowerAscii(nameOf(sample)));
  const beginning = names.reduce(commonBeginning);
  const isOfTeam = [namespace, team.name].some((name) => beginning.includes(lowerAscii(name)));
  const end = isOfTeam ? '' : reversed(names.map(reversed).reduce(commonBeginning));
  return beginning === '' && end === '' ? [] : [`${beginning}*${end}`];
}

function commonBeginning(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** A pattern of one of the names, for RE2 and JavaScript. */
export function patternOf(names: readonly string[]): string {
  return `(${names.map((name) => name.split('*').map(literal).join('[^/]*')).join('|')})`;
}

/** Why a name is none that may be reserved. */
export function patternProblem(pattern: string): string | undefined {
  if (!pattern.includes('/') && pattern.split('*').length <= 2 && pattern.replace('*', '') !== '') return undefined;
  return `'${pattern}' is no name of an identity in Azure. Write the name, or a part of it with one '*' for the rest: 'id-ledger-*'.`;
}
