import { describedCrd, emptyCatalog, imported } from './importing';
import { codeFiles } from '../../../cli/import-crds/code';
import { fragmentOf } from '../../../cli/import-crds/fragment';
import {
  Catalog,
  importedKind,
  isRef,
  parseFragment,
  type Kind,
  type KindVersion,
  type TypeExpression,
  type TypeFacts,
} from '../../../src/catalog';
import { openApiSchema } from '../../../src/catalog/crd';

const catalog = Catalog.default();
const nothing = emptyCatalog();

/** Facts of how Azure tells a value again, from `catalog/overlays/comparison.yaml`. */
const OF_COMPARISONS = new Set([
  'spelling', 'ordered', 'caseSensitiveKeys', 'identity', 'filledByAzure', 'childType', 'addedByAzure',
]);

/** The facts of a version as a tree: the names of types are not in a CRD. */
function tree(version: KindVersion): unknown {
  const expression = (type: TypeExpression): unknown => {
    if (typeof type === 'string') return type;
    if (isRef(type)) return struct(version.type(type.ref));
    if ('array' in type) return { array: expression(type.array) };
    if ('map' in type) return { map: expression(type.map) };
    return 'type' in type ? { ...type, type: expression(type.type) } : type;
  };
  const struct = ({ props }: TypeFacts): unknown =>
    Object.fromEntries(
      Object.entries(props).map(([name, { type, arm, inline, when, emit, alternativeTo, immutable: _, quantity: __, ...rest }]) => [
        name,
        {
          ...Object.fromEntries(Object.entries(rest).filter(([fact]) => !OF_COMPARISONS.has(fact))),
          // Decided by the names of the two; some other pairs are Azure's own.
          ...(alternativeTo !== undefined
            && (name === `${alternativeTo}FromConfig` || name === `${alternativeTo}FromSecret`) && { alternativeTo }),
          type: expression(type),
        },
      ]),
    );
  return struct(version.specType);
}

/** The facts of a version that a CRD contains. */
function declared({ facts: { arm, owner, name, exports } }: KindVersion) {
  return {
    arm: arm && { ...arm, uri: arm.uri },
    owner,
    azureName: name === 'azureName',
    configMaps: Object.keys(exports?.configMaps ?? {}).sort(),
    configMapsProperty: exports?.configMapsProperty,
    secrets: [...(exports?.secrets ?? [])].sort(),
    expressions: exports?.expressions ?? false,
  };
}

function newest(kind: Kind): KindVersion {
  return kind.version(kind.facts.versions[kind.facts.latest]!.sameAs ?? kind.facts.latest)!;
}

test.each(catalog.services)('%s: kind → CRD → facts, and nothing but what the CRD cannot tell is lost', (service) => {
  const kinds = catalog.kindsOf(service);
  const result = imported(nothing, false, ...kinds.map((kind) => describedCrd(kind)));
  expect(result.problems).toEqual([]);
  expect(result.skipped).toEqual([]);
  const [facts] = parseFragment(JSON.stringify(fragmentOf(result.services))).services;
  for (const kind of kinds) {
    const original = newest(kind);
    const back = importedKind(facts!, kind.kind, catalog.common).latest;
    expect(openApiSchema(back)).toEqual(openApiSchema(original));
    expect({ kind: kind.kind, ...declared(back) }).toEqual({ kind: kind.kind, ...declared(original) });
    expect({ kind: kind.kind, spec: tree(back) }).toEqual({ kind: kind.kind, spec: tree(original) });
  }
  expect([...codeFiles(result.services, nothing, false).keys()].length).toBeGreaterThan(kinds.length);
});

test('what the library has just so is left to it', () => {
  const kind = catalog.kind('storage.azure.com', 'StorageAccount')!;
  const { kinds, skipped } = imported(catalog, false, describedCrd(kind));
  expect(kinds).toEqual([]);
  expect(skipped).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('has a class for it'),
      fix: expect.stringContaining('storage.StorageAccount'),
    }),
  ]);
});

test('what a CRD does not tell comes from the catalog, where that has the kind', () => {
  const kind = catalog.kind('storage.azure.com', 'StorageAccount')!;
  const crd = JSON.parse(JSON.stringify(describedCrd(kind)), (key, value) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
  crd.spec.versions[0].name = 'v20990101';
  const { kinds, services: [service] } = imported(catalog, false, crd);
  expect(kinds).toEqual([expect.objectContaining({ versions: ['v20990101'], unknown: [] })]);
  const version = importedKind(service!, 'StorageAccount', catalog.common).latest;
  expect(version.facts.arm).toEqual({ ...newest(kind).facts.arm, apiVersion: '2099-01-01' });
  expect(version.facts.owner).toEqual({ group: 'resources.azure.com', kind: 'ResourceGroup' });
  expect(version.facts.exports?.configMaps).toEqual(newest(kind).facts.exports?.configMaps);
});
