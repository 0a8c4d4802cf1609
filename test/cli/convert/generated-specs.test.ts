import { converted, differences, synthesized, type Manifest } from './converting';
import { Catalog, type Kind } from '../../../src/catalog';
import { lawful } from '../../azure/rules/lawful';
import { randomSpec } from '../../engine/convert/random-spec';

/** Without a name of its own: random names clash, and then the second object is rightly no construct. */
function randomObject(kind: Kind, seed: number): Manifest {
  const version = kind.version(kind.versionNames[seed % kind.versionNames.length]!)!;
  const { azureName: _, ...spec } = randomSpec(version, seed);
  return {
    apiVersion: version.apiVersion,
    kind: kind.kind,
    metadata: { name: `x${kind.kind.toLowerCase()}`.slice(0, 20), namespace: 'ns' },
    spec,
  };
}

test.each(Catalog.default().services)('%s: whatever the schema allows comes out as it went in', (service) => {
  for (const seed of [1, 2]) {
    const { lost, unreadable } = converted(Catalog.default().kindsOf(service).map((kind) => randomObject(kind, seed)));
    expect([...lost, ...unreadable]).toEqual([]);
  }
});

// The converter compares the constructs that it builds in memory. Here the text that it writes is run.
test.each(['authorization', 'keyvault', 'managedidentity', 'servicebus', 'storage'])('%s: the code does what was meant', (service) => {
  for (const seed of [1, 2, 3, 4]) {
    const objects = Catalog.default().kindsOf(service).map((kind) => randomObject(kind, seed));
    expect(differences(objects, synthesized(converted(objects).code))).toEqual([]);
  }
});

test('most of it is typed', () => {
  const kinds = Catalog.default().kindsOf('network');
  const { charts } = converted(lawful(kinds.map((kind) => randomObject(kind, 1))));
  const typed = charts.flatMap(({ plans }) => plans).filter(({ item }) => item.typed);
  // Random objects often export to one ConfigMap; those whose exports clash have no class that would synthesize.
  expect(typed.length).toBeGreaterThan(kinds.length * 0.7);
});
