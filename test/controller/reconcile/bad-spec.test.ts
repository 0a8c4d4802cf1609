import fc from 'fast-check';
import { ACCOUNTS, BLOBS, group, GROUPS, IDENTITIES, NETWORKS, object, ROLES, TestEnvironment } from './harness';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';

/** Values that authors write where another type is expected. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'text',
    0,
    -1,
    1e300,
    true,
    false,
    [],
    {},
    [null],
    [[]],
    [{}],
    { '': '' },
    { name: null },
    { name: 5 },
    { name: ['x'] },
    { armId: {} },
    '/',
    '..',
    '\u0000',
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Valid specs, of kinds with owners, references, imports, exports, expressions, maps and lists. */
const good: readonly (readonly [ResourceType, Record<string, unknown>])[] = [
  [GROUPS, { azureName: 'x', location: 'westeurope', tags: { a: 'b' } }],
  [
    IDENTITIES,
    {
      location: 'westeurope',
      owner: { name: 'rg' },
      tags: { a: 'b' },
      operatorSpec: {
        configMaps: { principalId: { name: 'x', key: 'y' } },
        configMapExpressions: [{ name: 'out', key: 'k', value: 'self.spec.location' }],
        secretExpressions: [{ name: 'out', key: 'k', value: '"a"' }],
        secrets: {},
      },
    },
  ],
  [
    ACCOUNTS,
    {
      location: 'westeurope',
      owner: { name: 'rg' },
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      networkAcls: { ipRules: [{ value: '10.0.0.1' }] },
      encryption: { keyvaultproperties: { keyname: 'k' }, services: { blob: { enabled: true } } },
      operatorSpec: { secrets: { key1: { name: 's', key: 'k' } }, configMaps: {} },
    },
  ],
  [
    NETWORKS,
    {
      location: 'westeurope',
      owner: { name: 'rg' },
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      ddosProtectionPlan: { reference: { armId: '/x' } },
    },
  ],
  [
    ROLES,
    {
      owner: { name: 'rg', group: 'resources.azure.com', kind: 'ResourceGroup' },
      principalIdFromConfig: { name: 'x', key: 'y' },
      roleDefinitionReference: { wellKnownName: 'Reader' },
    },
  ],
  [BLOBS, { owner: { name: 'account' }, cors: { corsRules: [{ allowedHeaders: ['*'] }] } }],
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [at, ...members.flatMap(([name, inner]) => pathsOf(inner, [...at, Array.isArray(value) ? Number(name) : name]))];
}

function replaced(value: any, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((inner, index) => (index === first ? replaced(inner, rest, by) : inner));
  if (typeof value !== 'object' || value === null) return by;
  return { ...value, [first]: replaced(value[first], rest, by) };
}

const badObject = fc.constantFrom(...good).chain(([type, spec]) =>
  fc.array(fc.tuple(fc.constantFrom(...pathsOf(spec)), anything), { minLength: 1, maxLength: 4 })
    .map((changes): [ResourceType, KubernetesObject] => {
      const bad = changes.reduce<unknown>((result, [path, value]) => replaced(result, path, value), spec);
      return [type, object(type, 'bad', bad as Record<string, unknown>)];
    }));

/** Annotations and labels of ours that a user has written by hand. */
const badAnnotations = fc.dictionary(
  fc.constantFrom(
    'serviceoperator.azure.com/reconcile-policy',
    'serviceoperator.azure.com/poller-resume-token',
    'serviceoperator.azure.com/poller-resume-id',
    'serviceoperator.azure.com/resource-id',
    'serviceoperator.azure.com/credential-from',
    'serviceoperator.azure.com/latest-reconciled-generation',
    'serviceoperator.azure.com/azure-name-from-config',
    'aso.cdk8s.io/last-put',
    'aso.cdk8s.io/adopt',
    'serviceoperator.azure.com/child-resource-id-override',
  ),
  fc.constantFrom(
    '',
    ' ',
    'x',
    '{}',
    '[]',
    'null',
    '/',
    '/subscriptions/x',
    '-1',
    'skip',
    '{"digest":1}',
    '{"format":"cdk8s-aso/operation/1"}',
    '%',
    '\u0000',
  ),
  { maxKeys: 3 },
);

/** Messages of a program that received an unexpected value. */
const MISHAP = /cannot read|is not a function|is not iterable|is not defined|\[object/i;

async function outcome(type: ResourceType, bad: KubernetesObject): Promise<TestEnvironment> {
  const environment = new TestEnvironment();
  await environment.cluster.create(GROUPS, group());
  await environment.cluster.create(GROUPS, group('other'));
  await environment.cluster.create(type, bad);
  await environment.start();
  for (let i = 0; i < 3; i += 1) await environment.clock.advance(1_000);
  await environment.kill();
  return environment;
}

test('whatever a spec is, the object gets a condition, and the others go on', async () => {
  await fc.assert(fc.asyncProperty(badObject, async ([type, bad]) => {
    const environment = await outcome(type, bad);
    expect(environment.errors).toEqual([]);
    expect(environment.ready(type, 'bad')).toMatchObject({ reason: expect.stringMatching(/./) });
    expect(environment.ready(type, 'bad')!.message ?? '').not.toMatch(MISHAP);
    expect(environment.ready(GROUPS, 'other')).toMatchObject({ status: 'True' });
  }), { numRuns: 120 });
});

test('whatever stands in our annotations, the object gets a condition', async () => {
  await fc.assert(fc.asyncProperty(fc.constantFrom(...good), badAnnotations, async ([type, spec], annotations) => {
    const environment = await outcome(type, object(type, 'bad', spec, annotations));
    expect(environment.errors).toEqual([]);
    expect(environment.ready(type, 'bad')).toMatchObject({ reason: expect.stringMatching(/./) });
    expect(environment.ready(type, 'bad')!.message ?? '').not.toMatch(MISHAP);
  }), { numRuns: 100 });
});
