import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BED, RESOURCE_GROUP } from './made-up-kinds';
import { writeSource } from './made-up-source';
import { readOverlays } from '../../catalog-tool/overlays/read-overlays';
import { readPropertyNotes } from '../../catalog-tool/overlays/read-property-notes';
import { refreshedFiles } from '../../catalog-tool/overlays/refresh';
import { run } from '../../catalog-tool/run';
import { differingFiles } from '../../catalog-tool/write/write-files';
import { generate } from '../../codegen/generate';
import { Catalog } from '../../src/catalog';

const SHIPPED = join(__dirname, '..', '..', 'catalog');
const silent = { say: () => undefined, warn: () => undefined };

const NOTES = `
Bed_Spec:
  length:
    text: Length of the bed without its frame.
    unit: metres
    default: 2
    immutable: true
  soil:
    text: Soil of the upper layer.
    excludes: Clay needs a drain.
    immutable: Clay can be changed to loam.
    see: https://example.org/soil
`;

function overlaysWith(text: string, service = 'garden'): string {
  const directory = mkdtempSync(join(tmpdir(), 'notes-'));
  mkdirSync(join(directory, 'properties'));
  writeFileSync(join(directory, 'properties', `${service}.yaml`), text);
  return directory;
}

async function write(overlays: string): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'catalog-'));
  await run({ is: 'write', source: writeSource([RESOURCE_GROUP, BED]), out, overlays }, silent);
  return out;
}

const bed = (directory: string) => new Catalog(directory).kind('garden.azure.com', 'Bed')!.latest.specType.props;

test.each([
  ['Bed_Spec: { length: { colour: red } }', 'properties/garden.yaml: Bed_Spec: length has colour, which nothing reads'],
  ['Bed_Spec: { length: { text: Length of the bed } }', 'text is no sentence: it ends without a period'],
  ['Bed_Spec: { length: { text: [a] } }', 'text is no text'],
  ['Bed_Spec: { length: { immutable: false } }', 'immutable is no sentence'],
  ['Bed_Spec: { length: { immutable: { takes: [up], text: Longer., evidence: x, by: me } } }', 'immutable has by, which nothing reads'],
  ['Bed_Spec: { length: { immutable: { takes: [down], text: Longer., evidence: x } } }', 'takes is not what catalog/overlays takes there'],
  ['Bed_Spec: { length: { immutable: { takes: [up], text: Longer. } } }', 'immutable has no evidence'],
  ['Bed_Spec: { length: { immutable: { order: [a], text: Longer., evidence: x } } }', 'has an order, and takes no `up`'],
  ['Bed_Spec: { length: { immutable: { resets: true, text: Longer., evidence: x } } }', 'resets, and has no leftOut'],
  [`Bed_Spec: { length: { text: ${'long '.repeat(60)}. } }`, '240 are the most'],
  ['Bed_Spec: { length: Length. }', 'Bed_Spec: length: not a map'],
  ['- Bed_Spec', 'properties/garden.yaml: not a map'],
])('%s is refused', (text, message) => {
  expect(() => readPropertyNotes(overlaysWith(text))).toThrow(message);
});

test.each([
  ['garden', 'Tree_Spec: { length: { text: Long. } }', 'properties/garden.yaml: no version has the type Tree_Spec'],
  ['garden', 'Bed_Spec: { height: { text: High. } }', 'properties/garden.yaml: no version of Bed_Spec has the property height'],
  ['garden', 'Bed_Spec: { soil: { immutable: { kinds: [Tree], text: No., evidence: x } } }', 'Bed_Spec.soil: there is no kind Tree'],
  ['garden', 'Bed_Spec: { soil: { immutable: { unless: { height: 1 }, text: No., evidence: x } } }', 'Bed_Spec has the property height'],
  ['orchard', 'Tree_Spec: {}', 'properties/orchard.yaml: the catalog has no service orchard'],
])('a note of %s about something that is not there is an error: %s', async (service, text, message) => {
  await expect(write(overlaysWith(text, service))).rejects.toThrow(message);
});

test('the texts are apart from the facts, which have only what holds without exception', async () => {
  const out = await write(overlaysWith(NOTES));
  expect([bed(out).length?.immutable, bed(out).soil?.immutable]).toEqual([true, undefined]);
  expect(readFileSync(join(out, 'garden.json'), 'utf8')).not.toContain('frame');
  expect(new Catalog(out).docs('garden')).toEqual({
    Bed_Spec: {
      length: { text: 'Length of the bed without its frame.', unit: 'metres', default: '2', immutable: true },
      soil: {
        text: 'Soil of the upper layer.',
        excludes: 'Clay needs a drain.',
        immutable: 'Clay can be changed to loam.',
        see: 'https://example.org/soil',
      },
    },
  });
});

test('what Azure takes of a change is a fact, the sentence about it documentation, and the evidence in the overlays alone', async () => {
  const out = await write(overlaysWith(`
Bed_Spec:
  length:
    immutable: { takes: [up], leftOut: 2, text: A bed grows only., evidence: https://example.org/beds }
`));
  expect(bed(out).length?.immutable).toEqual({ takes: ['up'], leftOut: 2 });
  expect(new Catalog(out).docs('garden')).toEqual({ Bed_Spec: { length: { immutable: 'A bed grows only.' } } });
  expect(readFileSync(join(out, 'garden.json'), 'utf8')).not.toContain('example.org');
});

test('doc comments have the texts and facts; what only repeats a name has no comment', async () => {
  const source = generate(new Catalog(await write(overlaysWith(NOTES)))).get('src/services/garden/bed.ts')!;
  expect(source).toContain(`
  /**
   * Length of the bed without its frame.
   *
   * 1 to 100. Unit: metres. Cannot be changed after creation. \`properties.size.length\` in ARM.
   *
   * @default 2
   */
  readonly length?: number;
`);
  expect(source).toContain(`
   * Soil of the upper layer.
   *`);
  expect(source).toContain('Clay needs a drain. Clay can be changed to loam.');
  expect(source).toContain('\n\n  readonly identity?:');
});

test('notes are merged again without the source', async () => {
  const out = await write(overlaysWith(NOTES));
  const merge = (overlays: string, check = false) => run({ is: 'overlays', check, out, overlays }, silent);
  expect(await merge(overlaysWith(NOTES), true)).toBe(0);
  const other = overlaysWith('Bed_Spec: { soil: { text: Soil., immutable: true } }');
  expect(await merge(other, true)).toBe(1);
  expect(await merge(other)).toBe(0);
  expect([bed(out).length?.immutable, bed(out).soil?.immutable]).toEqual([undefined, true]);
  expect(await merge(mkdtempSync(join(tmpdir(), 'none-')))).toBe(0);
  expect([bed(out).soil?.immutable, new Catalog(out).docs('garden')]).toEqual([undefined, {}]);
});

test('the catalog in git has the notes in git', () => {
  const files = refreshedFiles(SHIPPED, readOverlays(join(SHIPPED, 'overlays')));
  expect(differingFiles(SHIPPED, files)).toEqual([]);
});
