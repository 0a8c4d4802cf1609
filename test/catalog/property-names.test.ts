import { join } from 'node:path';
import fc from 'fast-check';
import { Catalog, TypeFacts } from '../../src/catalog';
import { propertyNameOf } from '../../src/catalog/property-names';

interface Type {
  readonly where: string;
  readonly facts: TypeFacts;
  readonly root: boolean;
}

/** Every type of every version of every kind, except status types, which users do not write. */
const types: Type[] = Catalog.default().services.flatMap((service) => {
  const facts = Catalog.default().service(service)!;
  const roots = new Set(
    Object.values(facts.kinds).flatMap((kind) => Object.entries(kind.versions).map(([name, version]) => `${name}/${version.spec}`)),
  );
  return Object.entries(facts.types).flatMap(([version, byName]) =>
    Object.entries(byName).map(([name, type]) => ({
      where: `${service} ${version}/${name}`,
      facts: type,
      root: roots.has(`${version}/${name}`),
    })),
  );
});
const names = [...new Set(types.flatMap((type) => Object.keys(type.facts.props)))];

test('there is something to look at', () => {
  expect(types.length).toBeGreaterThan(4000);
  expect(types.filter((type) => type.root).length).toBeGreaterThan(500);
});

test('no two properties of a type get the same name, so that every name leads back to one property', () => {
  const clashes = types.flatMap(({ where, facts, root }) => {
    const back = new Map<string, string>();
    return Object.keys(facts.props).flatMap((specName) => {
      const name = propertyNameOf(specName, root);
      const other = back.get(name);
      back.set(name, specName);
      return other === undefined ? [] : [`${where}: ${other} and ${specName} are both ${name}`];
    });
  });
  expect(clashes).toEqual([]);
});

test('names at the root are none of those that every resource takes', () => {
  const taken = types
    .filter(({ root }) => root)
    .flatMap(({ facts }) => Object.keys(facts.props))
    .map((specName) => propertyNameOf(specName, true));
  expect(taken.filter((name) => ['metadata', 'reconcilePolicy', 'credential', 'apiVersion', 'additionalSpec'].includes(name))).toEqual([]);
});

test('every name is one that jsii takes', () => {
  // jsii's own measure. Its package exports only the compiler, so the file is named by its path.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { camel } = require(join(__dirname, '..', '..', 'node_modules', 'jsii', 'lib', 'case.js')) as { camel(text: string): string };
  const given = names.map((name) => propertyNameOf(name, false));
  expect(given.filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name) || camel(name) !== name)).toEqual([]);
  expect(given.filter((name) => ['build', 'equals', 'hashcode'].includes(name.toLowerCase()))).toEqual([]);
});

test('a name that can be spelt stays as it is', () => {
  const changed = names.filter((name) => /^[a-z][A-Za-z0-9]*$/.test(name) && propertyNameOf(name, false) !== name);
  expect(changed.sort()).toEqual(['equals', 'wait']);
});

test.each([
  ['scan-interval', 'scanInterval'],
  ['aof-storage-connection-string-0', 'aofStorageConnectionString0'],
  ['odata.type', 'odataType'],
  ['properties_tags', 'propertiesTags'],
  ['Application_Type', 'applicationType'],
  ['TTL', 'ttl'],
  ['SSLCheck', 'sslCheck'],
  ['AAAARecords', 'aaaaRecords'],
  ['Id', 'id'],
  ['$propertyBag', 'propertyBag'],
  ['2fa', 'property2fa'],
  ['equals', 'equalsProperty'],
  ['to-string', 'toStringProperty'],
  ['metadata', 'metadata'],
])('%s becomes %s', (specName, name) => expect(propertyNameOf(specName, false)).toBe(name));

test('metadata of the spec has another name at the root', () => expect(propertyNameOf('metadata', true)).toBe('metadataProperty'));

test('whatever the name, the result can be spelt', () => {
  fc.assert(fc.property(fc.string(), fc.boolean(), (name, root) => /^[a-z][A-Za-z0-9]*$/.test(propertyNameOf(name, root))));
});
