import { Catalog } from '../../../src/catalog';
import type { PropertyFacts, TypeExpression, TypeFacts } from '../../../src/catalog/facts';
import type { KindVersion } from '../../../src/catalog/kind';
import { destinationsOf, referencesOf } from '../../../src/catalog/spec-references';

const REFERENCES: PropertyFacts['role'][] = ['armReference', 'wellKnownReference', 'secret', 'configMap', 'secretMap'];
const DESTINATIONS = ['ConfigMapDestination', 'SecretDestination', 'DestinationExpression'];

/**
 * A spec with something at every place, and the places of references and destinations in it: by looking everywhere, types within themselves
 * once.
 */
function everything(version: KindVersion): { spec: Record<string, unknown>; places: string[] } {
  const places: string[] = [];
  const spec = build({ ref: version.facts.spec! }, 'spec', undefined, []) as Record<string, unknown>;
  return { spec, places };

  function build(type: TypeExpression, path: string, role: PropertyFacts['role'], above: readonly TypeFacts[]): unknown {
    if (typeof type !== 'object') return undefined;
    if ('type' in type) return build(type.type, path, role, above);
    if ('array' in type) return [build(type.array, `${path}[0]`, role, above)];
    if ('map' in type) return { a: build(type.map, `${path}.a`, role, above) };
    if ('common' in type) {
      if (REFERENCES.includes(role) || DESTINATIONS.includes(type.common)) places.push(path);
      return { name: 'x', key: 'k' };
    }
    if (!('ref' in type)) return undefined;
    const facts = version.type(type.ref);
    if (above.filter((one) => one === facts).length > 1) return undefined;
    return Object.fromEntries(
      Object.entries(facts.props).map(([name, property]) => [
        name,
        build(property.type, `${path}.${name}`, property.role, [...above, facts]),
      ]),
    );
  }
}

test('references and destinations of every kind are found, however deep, and nothing else is', () => {
  const catalog = Catalog.default();
  const versions = catalog.services
    .flatMap((service) => catalog.kindsOf(service))
    .map(({ latest }) => latest)
    .filter(({ facts }) => facts.spec);
  let found = 0;
  for (const version of versions) {
    const { spec, places } = everything(version);
    const paths = [...referencesOf(spec, version), ...destinationsOf(spec, version)].map(({ path }) => path);
    expect(paths.sort()).toEqual(places.sort());
    found += paths.length;
  }
  expect(found).toBeGreaterThan(1500);
});
