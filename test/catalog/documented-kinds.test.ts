import { DOCUMENTED_KINDS } from './documented-kinds';
import { reachable } from '../../codegen/shapes';
import { Catalog, type KindVersion } from '../../src/catalog';

const catalog = Catalog.default();
const GENERATED = ['owner', 'azureName', 'operatorSpec'];

/** Properties of a spec that have no text, without those of the operator's own types, whose comments are generated. */
function undocumented(version: KindVersion): string[] {
  const docs = catalog.docs(version.kind.service);
  const types = [...reachable(version)].filter(([, { arm }]) => arm !== false);
  return types.flatMap(([type, { props }]) => Object.entries(props).flatMap(([property, { role }]) => (
    GENERATED.includes(role ?? '') || docs[type]?.[property]?.text !== undefined ? [] : [`${version.kind.kind}: ${type}.${property}`]
  )));
}

test('there are sixty kinds or more', () => {
  expect(Object.values(DOCUMENTED_KINDS).flat().length).toBeGreaterThanOrEqual(60);
});

test.each(Object.entries(DOCUMENTED_KINDS))('%s: every property of a documented kind has a text', (service, kinds) => {
  const missing = kinds.flatMap((name) => {
    const kind = catalog.kind(`${service}.azure.com`, name);
    return kind ? undocumented(kind.latest) : [`there is no kind ${name}`];
  });
  expect([...new Set(missing)]).toEqual([]);
});

test('no text repeats the name of its property', () => {
  const words = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const all = catalog.services.flatMap((service) => Object.entries(catalog.docs(service)));
  const repeating = all.flatMap(([type, properties]) => Object.entries(properties)
    .filter(([property, { text }]) => text !== undefined && words(text) === words(property))
    .map(([property]) => `${type}.${property}`));
  expect(repeating).toEqual([]);
});
