import type { ApiDefinition, ApiDefinitionProps, ComposedKind, ComposeLimits } from './api-definition';

const DEFINITION = Symbol.for('cdk8s-aso.api-definition');
const GROUP = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/;
const KIND = /^[A-Z][A-Za-z0-9]{0,62}$/;
const VERSION = /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/;
const LOWER_CASE_NAME = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** Groups of others: a kind of the platform's own there could be taken for one of theirs. */
const FOREIGN_GROUPS = /(^|\.)(k8s\.io|kubernetes\.io|azure\.com|aso\.cdk8s\.io)$/;

const LIMITS: Readonly<Record<keyof ComposeLimits, readonly [least: number, usual: number, most: number]>> = {
  objects: [1, 200, 1000],
  seconds: [0.1, 10, 60],
  memoryMb: [64, 256, 2048],
};

/**
 * Turns constructs into a kind of the platform's own: its claims are objects of the cluster, and the composer keeps the objects that
 * `compose` builds for each.
 *
 * ```ts
 * export default defineApi({
 *   group: 'platform.example.com',
 *   kind: 'Bucket',
 *   version: 'v1',
 *   schema: z.object({ versioned: z.boolean().default(false) }),
 *   composes: [{ group: 'storage.azure.com', kind: 'StorageAccount' }],
 *   compose(scope, claim) { … },
 * });
 * ```
 * @param props names, schema and `compose`
 * @throws when a name or a limit is malformed: one error that lists all of them
 */
export function defineApi<Spec>(props: ApiDefinitionProps<Spec>): ApiDefinition {
  const problems = problemsOf(props);
  if (problems.length > 0) throw new Error(`defineApi of kind '${props.kind}':\n  ${problems.join('\n  ')}`);
  const { limits = {}, olderVersions = [], reads = [], plural = pluralOf(props.kind), namespaced = true } = props;
  const definition = {
    ...props,
    plural,
    namespaced,
    olderVersions,
    reads,
    limits: { objects: limitOf('objects', limits), seconds: limitOf('seconds', limits), memoryMb: limitOf('memoryMb', limits) },
  };
  return Object.freeze(Object.defineProperty(definition, DEFINITION, { value: true })) as unknown as ApiDefinition;
}

/**
 * Whether a value was made by `defineApi`, of this or another copy of the library.
 * @internal
 */
export function isApiDefinition(value: unknown): value is ApiDefinition {
  return typeof value === 'object' && value !== null && DEFINITION in value;
}

function limitOf(name: keyof ComposeLimits, limits: ComposeLimits): number {
  return limits[name] ?? LIMITS[name][1];
}

function problemsOf<Spec>(props: ApiDefinitionProps<Spec>): string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(problem);
  };
  const { group = '', kind = '', version = '', plural, shortNames = [], olderVersions = [], composes, reads = [], limits = {} } = props;
  expect(GROUP.test(group), `group: '${group}' is no domain. Write one of your own, e.g. platform.example.com.`);
  expect(!FOREIGN_GROUPS.test(group), `group: '${group}' is not yours. Write a domain of your own, e.g. platform.example.com.`);
  expect(KIND.test(kind), `kind: '${kind}' is no kind. Write letters and digits, an upper-case letter first, 63 characters at most.`);
  const versions = [version, ...olderVersions.map((older) => older.version)];
  for (const each of versions) expect(VERSION.test(each), `version: '${each}' is no version. Write v1, v1beta1 or v1alpha1.`);
  expect(new Set(versions).size === versions.length, `olderVersions: a version is given twice: ${versions.join(', ')}.`);
  for (const name of [...(plural === undefined ? [] : [plural]), ...shortNames]) {
    expect(LOWER_CASE_NAME.test(name), `'${name}' is no name of a resource. Write lower-case letters, digits and '-', a letter first.`);
  }
  expect(typeof props.compose === 'function', 'compose: required. Give the function that builds the constructs of a claim.');
  expect(
    typeof props.schema?.['~standard']?.jsonSchema?.input === 'function',
    'schema: gives no JSON Schema. Give a schema of a library that implements Standard JSON Schema, e.g. of Zod 4.2 or newer.',
  );
  expect(
    Array.isArray(composes),
    'composes: required. Name the kinds that compose creates: [{ group: \'storage.azure.com\', kind: \'StorageAccount\' }].',
  );
  problems.push(...kindProblems('composes', composes ?? []), ...kindProblems('reads', reads));
  expect(
    !reads.some((read) => read.group === '' && read.kind === 'Secret'),
    'reads: Secrets cannot be read: what compose gives is seen by everybody who may read the claim or its objects. '
    + 'Let the objects refer to the Secret.',
  );
  expect(
    !composes?.some((composed) => composed.group === group && composed.kind === kind),
    `composes: '${kind}' is the kind itself. A claim may compose claims of other kinds only.`,
  );
  expect(!props.heldBy?.length || props.namespaced === false, 'heldBy: only for a cluster-scoped kind. Write namespaced: false, or leave it out.');
  for (const name of Object.keys(LIMITS) as (keyof ComposeLimits)[]) {
    const [least, , most] = LIMITS[name];
    const value = limitOf(name, limits);
    expect(value >= least && value <= most, `limits.${name}: ${value} is not between ${least} and ${most}.`);
  }
  return problems;
}

function kindProblems(member: 'composes' | 'reads', kinds: readonly ComposedKind[]): string[] {
  return kinds.flatMap(({ group, kind, plural }, index) => {
    if (plural !== undefined && !LOWER_CASE_NAME.test(plural)) {
      return [`${member}[${index}]: '${plural}' is no plural. Write lower-case letters, digits and '-', a letter first.`];
    }
    const isWildcard = [group, kind].some((text) => text?.includes('*'));
    if (!isWildcard && KIND.test(kind ?? '') && (group === '' || /^[a-z0-9][-.a-z0-9]*$/.test(group ?? ''))) return [];
    return [`${member}[${index}]: '${group}/${kind}' is no group and kind. Write them out: `
      + '{ group: \'storage.azure.com\', kind: \'StorageAccount\' }.'];
  });
}

/**
 * The plural by English rules, as Kubernetes' own tools guess it.
 * @internal
 */
export function pluralOf(kind: string): string {
  const word = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}
