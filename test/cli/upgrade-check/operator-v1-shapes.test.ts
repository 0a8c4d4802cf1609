import fc from 'fast-check';
import { SPECS } from './operator-v1-specs';
import { NewNames } from '../../../cli/upgrade-check/operator-v1/new-names';
import { rewritten } from '../../../cli/upgrade-check/operator-v1/rewritten';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { isKubernetesName } from '../../../src/core/kubernetes-name';
import { isRecord } from '../../../src/util/records';

const write = (kind: string, spec: unknown, { name = 'shop', names = new NewNames() } = {}) => rewritten(
  { apiVersion: 'azure.microsoft.com/v1alpha1', kind, metadata: { name }, spec },
  (group) => `${group}/v1`, { text: '', file: 'a.yaml' }, names,
)!;

const objectsOf = (text: string) => readYaml(text).map(({ value }) => value)
  .filter(isRecord) as { kind: string; metadata: { name: string }; spec: Record<string, unknown> }[];

function leavesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesIn);
  return value === null ? [] : [String(value)];
}

/** A value with another one at each of its places in turn. */
function* changed(value: unknown, other: unknown): Generator<unknown> {
  yield other;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) for (const one of changed(item, other)) yield value.with(index, one);
    yield [...value, other, ...value];
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      for (const one of changed(item, other)) yield { ...value, [key]: one };
      yield Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
    }
    yield { ...value, more: other };
  }
}

let count = 0;
const mark = () => `mark${(count += 1)}x`;
const HOSTILE = [null, true, 3141, [], {}, [null], mark(), [mark()], { [mark()]: mark() }, [{ value: { a: mark() } }], [[mark()]], { value: [mark()], name: { a: [mark()] } }, `${mark()}\nsecond: ${mark()}`];

test.each(Object.entries(SPECS))('%s: a value of another shape anywhere neither stops it nor is lost', (kind, spec) => {
  for (const other of HOSTILE) {
    for (const one of changed(spec, other)) {
      const text = write(kind, one);
      const lower = text.toLowerCase();
      const lost = leavesIn(one).flatMap((leaf) => leaf.split('\n')).filter((leaf) => !lower.includes(leaf.toLowerCase()));
      expect({ one, lost }).toEqual({ one, lost: [] });
      expect(objectsOf(text).length).toBeGreaterThan(0);
    }
  }
});

test('values by chance at a place of any kind', () => {
  const cases = Object.entries(SPECS).flatMap(([kind, spec]) => Object.keys(spec).map((key) => [kind, key] as const));
  const leaf = fc.oneof(fc.constant(null), fc.integer({ min: 100, max: 99_999 }), fc.boolean(), fc.stringMatching(/^[a-z]{3,9}$/));
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('name', 'value', 'sku', 'properties', 'destination', 'tenantID', 'rights'), tie('any'), { maxKeys: 3 })),
  })).any;
  fc.assert(fc.property(fc.constantFrom(...cases), value, ([kind, key], other) => {
    const one = { ...SPECS[kind], [key]: other };
    const lower = write(kind, one).toLowerCase();
    expect(leavesIn(one).filter((text) => !lower.includes(text.toLowerCase()))).toEqual([]);
  }), { numRuns: 500 });
});

test('spec, annotations and texts of several lines that are not what they should be become comments', () => {
  expect(write('ResourceGroup', ['first'])).toContain('#   spec:\n#     - first\n');
  expect(objectsOf(write('RedisCache', { secretName: 'a\nb: c\u2028d: e' }))).toHaveLength(1);
});

test('what is left of an element of a list says of which', () => {
  expect(write('VirtualNetwork', { subnets: [{ subnetName: 'a' }, { subnetName: 'b', routes: 'mine' }, { subnetName: 'c' }] }))
    .toContain('#     subnets:\n#       - {}\n#       - routes: mine\n');
});

test('names of objects that v1 did not have are names in Kubernetes, and the resource keeps its own', () => {
  const text = write('VirtualNetwork', { subnets: [{ subnetName: 'b_D' }, { subnetName: 'b.d' }, { subnetName: '_' }, { subnetName: '$' }] });
  const subnets = objectsOf(text).slice(1);
  expect(subnets.map(({ spec }) => spec.azureName)).toEqual(['b_D', 'b.d', '_', '$']);
  expect(subnets.map(({ metadata }) => metadata.name)).toEqual(['shop-b-d', 'shop-b.d', 'shop', 'shop-2']);
  const others = [...objectsOf(write('BlobContainer', { accountName: 'Shop_Data' })), ...objectsOf(write('Eventhub', { authorizationRule: { name: 'Read_All' } }))];
  expect([...subnets, ...others].filter(({ metadata }) => !isKubernetesName(metadata.name))).toEqual([]);
});

test('two resources have two names, and one resource has one, in each file', () => {
  const names = new NewNames();
  const subnetsOf = (name: string, subnetName: string) => objectsOf(write('VirtualNetwork', { subnets: [{ subnetName }] }, { name, names })).slice(1);
  expect([['a', 'b-c'], ['a-b', 'c'], ['a', 'b-c']].map(([name, subnet]) => subnetsOf(name!, subnet!).map(({ metadata }) => metadata.name)))
    .toEqual([['a-b-c'], ['a-b-c-2'], ['a-b-c']]);
});
