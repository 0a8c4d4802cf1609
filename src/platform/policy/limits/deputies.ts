import { either, GROUP, ofType, TYPE } from './facts';
import { groupBy } from '../../../util/group-by';
import { all, any, everyFrom, FALSE, is, not, nowhere, oneOf, present, text, type Condition, type Value } from '../condition';
import type { Deputy } from '../deputies/deputy';
import { ALL_KINDS } from '../deputies/known-deputies';
import type { Limit } from '../limit';
import type { TeamPolicy } from '../team-policy';

/** Into Secrets of this type Kubernetes writes a token of the service account that their annotation names. */
const TOKEN_TYPE = 'kubernetes.io/service-account-token';
/** Lists and maps inside of one another that are searched: the known kinds have no more. */
const LEVELS = 8;

interface Rule {
  /** The beginning of a path that all of these deputies have. */
  readonly paths: (deputy: Deputy) => readonly string[];
  readonly holds: (value: Value) => Condition;
  readonly rule: string;
}

/**
 * Objects with which a team has a controller write, read or act for it. The controller may have rights that the team has not, so the team's
 * object is judged, by the fields that say what the controller will do.
 */
export function deputyLimits({ deputies, credentials, operatorAccounts, options, grantsRoles }: TeamPolicy): Limit[] {
  const judged = deputies.filter(({ refusedAltogether }) => !(refusedAltogether ?? false));
  const platformObjects = options.platformObjects ?? [];
  // Role assignments trust the principals in these.
  const configMaps = [...new Set([...platformObjects, ...(grantsRoles ? options.principalConfigMaps ?? [] : [])])];
  const secrets = [...new Set([...credentials, ...platformObjects])];
  const hidden = [...new Set([...credentials, ...operatorAccounts, TOKEN_TYPE])];
  const isNone = (names: readonly string[]) => (value: Value) => not(oneOf(text(value), names));
  const rules: Rule[] = [
    {
      paths: ({ serviceAccount }) => (serviceAccount === undefined ? [] : [serviceAccount]),
      holds: (value) => not(any(is(text(value), ''), oneOf(text(value), operatorAccounts))),
      rule: 'has to be a service account of the team: without one the controller acts with rights of its own.',
    },
    {
      paths: (deputy) => deputy.secrets ?? [],
      holds: isNone(secrets),
      rule: `may not be ${either(secrets)}: a controller would write or read this Secret of the platform with rights of its own.`,
    },
    {
      paths: (deputy) => (configMaps.length === 0 ? [] : deputy.configMaps ?? []),
      holds: isNone(configMaps),
      rule: `may not be ${either(configMaps)}: a controller would write this ConfigMap with rights of its own.`,
    },
    {
      paths: (deputy) => deputy.refused ?? [],
      // Elements of a list are there, or there are none.
      holds: (value) => (value.optional ? not(present(value)) : FALSE),
      rule: 'has to be left out: what a controller makes of it cannot be judged.',
    },
    {
      paths: (deputy) => deputy.searched ?? ['spec'],
      holds: (value) => nowhere(value, hidden, LEVELS),
      rule: `may have ${either(hidden)} nowhere, and no more than ${LEVELS} levels: a controller would act as the operator, or read its credential.`,
    },
  ];
  return [refusal(deputies), ...rules.flatMap((rule) => limitsOf(rule, judged, deputies))];
}

function refusal(deputies: readonly Deputy[]): Limit {
  return {
    id: 'self-service-deputy',
    concerns: ofDeputies(deputies.filter(({ refusedAltogether }) => refusedAltogether ?? false), deputies),
    holds: FALSE,
    field: 'kind',
    found: TYPE,
    rule: 'is refused: what its controller makes of such an object, with rights of its own, cannot be judged.',
    option: 'deputies',
  };
}

function limitsOf({ paths, holds, rule }: Rule, judged: readonly Deputy[], deputies: readonly Deputy[]): Limit[] {
  const places = judged.flatMap((deputy) => paths(deputy).map((path) => ({ deputy, path })));
  return [...groupBy(places, ({ path }) => path)].map(([path, same]): Limit => ({
    id: 'self-service-deputy',
    concerns: ofDeputies(same.map(({ deputy }) => deputy), deputies),
    holds: everyFrom(path, holds),
    field: path,
    rule,
    option: 'deputies',
  }));
}

/** The objects of entries: of their kinds, or of all kinds of their groups that have no entry. */
function ofDeputies(some: readonly Deputy[], deputies: readonly Deputy[]): Condition {
  const kinds = some.filter(({ kind }) => kind !== ALL_KINDS).map(typeOf);
  const groups = some.filter(({ kind }) => kind === ALL_KINDS).map(({ group }) => group);
  const others = deputies.filter(({ group, kind }) => groups.includes(group) && kind !== ALL_KINDS).map(typeOf);
  return any(ofType(...kinds), all(oneOf(GROUP, groups), not(ofType(...others))));
}

function typeOf({ group, kind }: Deputy): string {
  return `${group}/${kind}`;
}
