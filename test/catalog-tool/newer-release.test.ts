import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BED, HEDGE, POND, RESOURCE_GROUP } from './made-up-kinds';
import { writeSource, type MadeUpKind } from './made-up-source';
import { diffCatalogs, isEmptyDiff } from '../../catalog-tool/compare/catalog-diff';
import { diffText } from '../../catalog-tool/compare/diff-text';
import { run } from '../../catalog-tool/run';
import { releasesFile } from '../../codegen/emit-releases';
import { generate } from '../../codegen/generate';
import { Catalog } from '../../src/catalog';
import { crdManifest } from '../../src/catalog/crd';

/** The next release: the kind Pond and a version of Bed are new, the old version of Bed has a property more, Hedge is gone. */
const NEWER_BED: MadeUpKind = {
  ...BED,
  spec: `${BED.spec}\n\n\tDepth *int \`json:"depth,omitempty"\``,
  toArm: `${BED.toArm}\n\tif made.Depth != nil {\n\t\tdepth := *made.Depth\n\t\tresult.Properties.Depth = &depth\n\t}`,
  arm: BED.arm.replace('type BedProperties struct {\n', 'type BedProperties struct {\n\tDepth *int `json:"depth,omitempty"`\n'),
};
const BED_2026: MadeUpKind = {
  ...NEWER_BED,
  version: 'v20260101',
  apiVersion: '2026-01-01',
  since: 'v2.21.0',
  spec: NEWER_BED.spec.replace('validation:Maximum=100', 'validation:Maximum=50'),
};

const directory = () => mkdtempSync(join(tmpdir(), 'catalog-'));
const silent = { say: () => undefined, warn: () => undefined };
async function write(kinds: readonly MadeUpKind[], out = directory()): Promise<string> {
  await run({ is: 'write', source: writeSource(kinds), out, overlays: directory() }, silent);
  return out;
}

const older = write([RESOURCE_GROUP, BED, HEDGE]);
const newer = write([RESOURCE_GROUP, NEWER_BED, BED_2026, POND]);

test('the difference is what the release brought, removed and changed', async () => {
  const diff = diffCatalogs(new Catalog(await older), new Catalog(await newer));
  expect(diff).toEqual({
    kinds: {
      added: [{ kind: 'garden.azure.com/Pond', versions: ['v20250101'], since: 'v2.21.0' }],
      removed: ['garden.azure.com/Hedge'],
      changed: [{ what: 'garden.azure.com/Bed', fact: 'latest', before: 'v20250101', after: 'v20260101' }],
    },
    versions: {
      added: [{ version: 'garden.azure.com/Bed v20260101', since: 'v2.21.0', before: 'v20250101', brings: ['spec.depth'], lacks: [] }],
      removed: [],
      changed: [],
    },
    properties: { added: ['garden.azure.com/Bed v20250101 spec.depth'], removed: [], changed: [] },
  });
  expect(diffText(diff)).toContain(
    '### New kinds\n\n- garden.azure.com/Pond v20250101: since v2.21.0\n\n### Removed kinds\n\n- garden.azure.com/Hedge\n',
  );
  expect(diffText(diff)).toContain('- garden.azure.com/Bed v20260101: since v2.21.0; 1 properties that v20250101 lacks: `spec.depth`\n');
});

test('what a property says is compared, the other way round too', async () => {
  const spec = BED.spec.replace('validation:Maximum=100', 'validation:Maximum=50').replace(/\n\tSoil .*\n/, '\n');
  const toArm = BED.toArm.replace(/\tif made\.Soil != nil \{[^}]*\}/, '');
  const shorter = write([RESOURCE_GROUP, { ...BED, spec, toArm }]);
  const { properties } = diffCatalogs(new Catalog(await write([RESOURCE_GROUP, BED])), new Catalog(await shorter));
  expect(properties).toEqual({
    added: [],
    removed: ['garden.azure.com/Bed v20250101 spec.soil'],
    changed: [{ what: 'garden.azure.com/Bed v20250101 spec.length', fact: 'maximum', before: 100, after: 50 }],
  });
});

test('two catalogs of the same source do not differ', async () => {
  const diff = diffCatalogs(new Catalog(await newer), new Catalog(await write([RESOURCE_GROUP, NEWER_BED, BED_2026, POND])));
  expect([isEmptyDiff(diff), diffText(diff)]).toEqual([true, 'No difference.\n']);
});

test('classes, pages, releases and CRDs follow', async () => {
  const [before, after] = [new Catalog(await older), new Catalog(await newer)];
  const [old, files] = [generate(before), generate(after)];
  const [hedge, pond, bed] = ['hedge', 'pond', 'bed'].map((kind) => `src/services/garden/${kind}.ts`);
  expect([old.has(hedge!), files.has(hedge!), old.has(pond!), files.has(pond!)]).toEqual([true, false, false, true]);
  expect(files.get('src/services/garden/index.ts')).toContain('./pond');
  expect([old.get(bed!)!.includes('readonly depth?: number'), files.get(bed!)!.includes('readonly depth?: number')]).toEqual([false, true]);
  expect(files.get('docs/api/garden.md')).toMatch(/Pond[\s\S]*v2\.21\.0|v2\.21\.0[\s\S]*Pond/);
  const latest = (catalog: Catalog) => /LATEST = AsoRelease\.(\w+)/.exec(releasesFile(catalog))![1];
  expect([latest(before), latest(after)]).toEqual(['V2_20_0', 'V2_21_0']);
  expect(JSON.stringify(crdManifest(after.kind('garden.azure.com', 'Bed')!))).toContain('"depth":{"type":"integer"}');
});

test('files of services that are gone are removed; overlays stay', async () => {
  const out = await write([RESOURCE_GROUP, BED]);
  writeFileSync(join(out, 'README.md'), 'kept');
  await write([RESOURCE_GROUP], out);
  const files = ['garden.json', 'status/garden.json', 'resources.json', 'README.md'];
  expect(files.filter((file) => existsSync(join(out, file)))).toEqual(['resources.json', 'README.md']);
});

test('--check says what would change, and writes nothing', async () => {
  const out = await older;
  const before = readFileSync(join(out, 'garden.json'), 'utf8');
  const said: string[] = [];
  const output = { ...silent, say: (text: string) => said.push(text) };
  const check = (kinds: readonly MadeUpKind[]) => run({ is: 'check', source: writeSource(kinds), out, overlays: directory() }, output);
  expect(await check([RESOURCE_GROUP, BED, HEDGE])).toBe(0);
  expect(said).toEqual([]);
  expect(await check([RESOURCE_GROUP, NEWER_BED, HEDGE])).toBe(1);
  expect(said.join('')).toContain('Files that differ: garden.json\n\n### New properties\n\n- garden.azure.com/Bed v20250101 spec.depth\n');
  expect(readFileSync(join(out, 'garden.json'), 'utf8')).toBe(before);
});
