import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_KINDS } from '../../../engine/kinds/all-kinds';
import { Catalog } from '../../../src/catalog';
import { root } from '../../docs/documents';

const entries = Object.entries(ALL_KINDS);
const catalog = Catalog.default();
const kindOf = (name: string) => catalog.kind(name.split('/')[0]!, name.split('/')[1]!);
/** Kinds that the catalog leaves out on purpose: their CRD may be imported. */
const LEFT_OUT = readFileSync(join(root, 'catalog/overlays/left-out.yaml'), 'utf8');

test('each file of the behaviour is listed under the name of its service and its kind, in the order of names', () => {
  const files = readdirSync(join(root, 'engine/kinds/behaviour'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const named = (file: string) => file.slice(0, -'.ts'.length).replace(/-/g, '');
  const names = entries.map(([name]) => name.replace('.azure.com/', '/').toLowerCase());
  expect(names.slice().sort()).toEqual(files.map(named).sort());
  expect(entries.map(([name]) => name)).toEqual(entries.map(([name]) => name).sort());
});

test.each(entries)('%s is a kind of the catalog', (name) => {
  expect(kindOf(name) !== undefined || LEFT_OUT.includes(`kind: ${name}\n`)).toBe(true);
});

test.each(entries)('%s does something, and has evidence', (_, { evidence, ...behaviour }) => {
  expect(Object.keys(behaviour)).not.toEqual([]);
  expect(evidence).not.toEqual([]);
  for (const source of evidence) expect(source).toMatch(/^(https:\/\/\S+|v2\/api\/[a-z]+\/customizations\/\w+\.go)$/);
});

test.each(entries.filter(([, { serialWrites }]) => serialWrites))(
  'the rule of serial writes of %s is of its own ARM type',
  (name, { serialWrites }) => {
    expect(serialWrites!.parent).toBe(kindOf(name)?.latest.facts.arm?.type);
  },
);

test('the catalog and the behaviour change the bodies of the same kinds in the same way', () => {
  const inCatalog = catalog.allKinds.flatMap((kind) => {
    const changes = kind.versionNames.flatMap((version) => kind.version(version)?.facts.bodyChanges ?? []);
    return [...new Set(changes.map(({ how }) => `${kind.group}/${kind.kind} ${how}`))];
  });
  const inBehaviour = entries.flatMap(([name, { bodyChange }]) => (bodyChange ? [`${name} ${bodyChange.how}`] : []));
  expect(inBehaviour.sort()).toEqual(inCatalog.sort());
});
