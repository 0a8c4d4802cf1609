import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BED, HEDGE, RESOURCE_GROUP } from './made-up-kinds';
import { readKinds } from './read';
import { undecidedEmpties, withComparisonFacts } from '../../catalog-tool/overlays/merge-comparison';
import { NO_OVERLAYS, type Overlays } from '../../catalog-tool/overlays/overlays';
import { readOverlays } from '../../catalog-tool/overlays/read-overlays';
import { NAME_RULES, nameRulesFile } from '../../codegen/emit-name-rules';
import { Catalog } from '../../src/catalog';

const SHIPPED = join(__dirname, '..', '..', 'catalog', 'overlays');

function directoryWith(file: string, text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'overlays-'));
  mkdirSync(dirname(join(directory, file)), { recursive: true });
  writeFileSync(join(directory, file), text);
  return directory;
}

test.each([
  ['left-out.yaml', '- kind: a.azure.com/B', 'entry 1 has no reason'],
  ['left-out.yaml', 'kind: a.azure.com/B', 'not a list'],
  ['left-out.yaml', '- B', 'entry 1 is no object'],
  ['left-out.yaml', '- { kind: a/B, reason: c, colour: red }', 'entry 1 has colour, which nothing reads'],
  ['body-changes.yaml', '- { kind: a/B, reason: c, arm: d }', 'entry 1 has no how'],
  ['body-changes.yaml', '- { kind: a/B, reason: c, arm: d, how: somehow }', 'a/B has the unknown change somehow'],
  ['secret-sources.yaml', '- { kind: a/B, reason: c }', 'entry 1 has no values'],
  ['kinds/beds.yaml', 'group: beds.aso.cdk8s.io', 'overlays/kinds/beds.yaml has no reason, kinds, types, statusTypes'],
  ['kinds/beds.yaml', '{ reason: a, group: beds.azure.com, kinds: {}, types: {}, statusTypes: {} }', 'has to be beds.aso.cdk8s.io'],
  ['kinds/beds.yaml', '{ reason: a, group: beds.aso.cdk8s.io, kinds: {}, types: {}, statusTypes: {}, colour: red }', 'has colour, which nothing reads'],
])('%s with %s is refused', (file, text, message) => {
  expect(() => readOverlays(directoryWith(file, text))).toThrow(message);
});

test('the catalog has the kinds that ASO has not as their file has them', () => {
  const catalog = Catalog.default();
  const { ownKinds } = readOverlays(SHIPPED);
  expect(ownKinds.map(({ facts }) => facts.group)).toEqual(catalog.groups.filter((group) => group.endsWith('.aso.cdk8s.io')));
  const { comparison } = readOverlays(SHIPPED);
  for (const { facts } of ownKinds) expect(catalog.service(facts.service)).toEqual(withComparisonFacts(facts, comparison));
});

test('every entry that the repository keeps has a reason, and names its kind once', () => {
  const { leftOut, bodyChanges, secretSources } = readOverlays(SHIPPED);
  for (const entries of [leftOut, bodyChanges, secretSources]) {
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ kind }) => kind)).size).toBe(entries.length);
  }
});

const calls = { keys: { method: 'POST', path: 'listKeys' } };

/** Whether empty values remove what Azure has. */
const DECIDED: Overlays = {
  ...NO_OVERLAYS,
  comparison: [{ reason: 'its own', facts: { filledByAzure: false }, properties: { garden: { Bed_Spec: ['labels', 'notes'] } } }],
};

const bedOverlays: Overlays = {
  ...DECIDED,
  leftOut: [{ kind: 'garden.azure.com/Hedge', reason: 'not ours' }],
  bodyChanges: [{ kind: 'garden.azure.com/Bed', reason: 'plants are objects too', arm: 'properties/plants', how: 'mergeByName' }],
  secretSources: [{ kind: 'garden.azure.com/Bed', reason: 'listKeys', calls, values: { key: 'keys:key' } }],
};

test('overlays are merged into what the source says', async () => {
  const { service, notices } = await readKinds([RESOURCE_GROUP, BED, HEDGE], bedOverlays);
  const { kinds } = service('garden');
  expect(Object.keys(kinds)).toEqual(['Bed']);
  expect(kinds.Bed?.secretSources).toEqual({ calls, values: { key: 'keys:key' } });
  const shape = { tree: { height: 1 }, flower: { shades: 1 } };
  const change = { arm: 'properties/plants', how: 'mergeByName', shape };
  expect(kinds.Bed?.versions.v20250101?.bodyChanges).toEqual([change]);
  expect(notices).toEqual([]);
});

describe('name rules', () => {
  const beds = { scope: 'global' as const, min: 3, max: 24, pattern: '^[a-z]+$', flags: 'u', text: 'letters' };
  const overlaysWith = (rules: Record<string, object>): Overlays => ({
    ...bedOverlays,
    leftOut: [],
    nameRules: [{ reason: 'list', rules }],
  });
  const read = (rules: Record<string, object>) => readKinds([RESOURCE_GROUP, BED], overlaysWith(rules));

  test('are those of kinds that there are', async () => {
    const { files, notices } = await read({ 'microsoft.garden/beds': beds, 'microsoft.garden/fences': { max: 3 } });
    expect(JSON.parse(files['_name-rules.json']!)).toEqual({ nameRules: { 'microsoft.garden/beds': beds } });
    expect(notices).toEqual(['overlays/name-rules.yaml: no kind is a microsoft.garden/fences; its rule can go.']);
  });

  test('become a table of TypeScript', async () => {
    const { files } = await read({ 'microsoft.garden/beds': { ...beds, pattern: '^[a-z/\\\\]+$', text: 'letters, \'/\' and \\' } });
    const directory = directoryWith('_name-rules.json', files['_name-rules.json']!);
    expect(nameRulesFile(new Catalog(directory))).toContain(
      "'microsoft.garden/beds': { scope: 'global' as const, min: 3, max: 24, pattern: '^[a-z/\\\\\\\\]+$', flags: 'u', text: 'letters, \\'/\\' and \\\\' },\n",
    );
  });

  test('have patterns that are regular expressions', async () => {
    const message = 'overlays/name-rules.yaml: microsoft.garden/beds: Invalid regular expression';
    await expect(read({ 'microsoft.garden/beds': { pattern: '(' } })).rejects.toThrow(message);
  });

  test('in git are what is generated', () => {
    expect(readFileSync(join(__dirname, '..', '..', NAME_RULES), 'utf8')).toBe(nameRulesFile(Catalog.default()));
  });
});

test('a destination that is never filled has no source', async () => {
  const secretSources = [{ kind: 'garden.azure.com/Bed', reason: 'no code', values: { key: null } }];
  const { service, notices } = await readKinds([RESOURCE_GROUP, BED], { ...DECIDED, secretSources });
  expect([service('garden').kinds.Bed!.secretSources, notices]).toEqual([undefined, []]);
});

describe('facts for comparisons', () => {
  const read = async (...comparison: Overlays['comparison']) => (await readKinds([RESOURCE_GROUP, BED], { ...DECIDED, comparison })).service('garden');
  const reason = 'as it is';

  test('are those of names, of properties and of the elements of lists', async () => {
    const { types } = await read(
      { reason, facts: { spelling: 'caseless' }, names: ['name', 'labels'] },
      { reason, facts: { filledByAzure: false, addedByAzure: ['^x'] }, properties: { garden: { Bed_Spec: ['labels'] } } },
      { reason, facts: { filledByAzure: true }, properties: { garden: { Bed_Spec: ['notes'] } } },
    );
    const { labels, notes } = types.v20250101!.Bed_Spec!.props;
    expect(labels).toMatchObject({ spelling: 'caseless', addedByAzure: ['^x'] });
    expect(labels).not.toHaveProperty('filledByAzure');
    expect(notes).toMatchObject({ filledByAzure: true });
  });

  test.each([
    [{ facts: { spelling: 'odd' as 'region' } }, 'odd is no spelling'],
    [{ facts: { colour: 'red' } as object }, 'colour is no fact that comparisons read'],
    [{ facts: { ordered: true as const }, properties: { garden: { Fence: ['x'] } } }, 'no version has the type Fence'],
    [{ facts: { ordered: true as const }, properties: { garden: { Bed_Spec: ['x'] } } }, 'no version of Bed_Spec has the property x'],
  ])('%j is refused', async (overlay, message) => {
    await expect(read({ reason, ...overlay })).rejects.toThrow(message);
  });

  test('say of every value that is sent empty whether that removes what Azure has', async () => {
    const { notices } = await readKinds([RESOURCE_GROUP, BED], NO_OVERLAYS);
    expect(notices.filter((notice) => notice.includes('filledByAzure'))).toHaveLength(2);
    const { comparison } = readOverlays(SHIPPED);
    expect(Catalog.default().services.flatMap((name) => undecidedEmpties(Catalog.default().service(name)!, comparison))).toEqual([]);
  });
});

test('a place that the body does not have is an error', async () => {
  const bodyChanges = [{ ...bedOverlays.bodyChanges[0]!, arm: 'properties/trees' }];
  const message = 'Bed in v20250101: overlays/body-changes.yaml names properties/trees';
  await expect(readKinds([RESOURCE_GROUP, BED], { ...NO_OVERLAYS, bodyChanges })).rejects.toThrow(message);
});

test('what the overlays lack, and what they need no longer, is reported', async () => {
  const extension = 'func (e *BedExtension) ModifyARMResource(ctx context.Context) error {\n\treturn nil\n}\n';
  const leftOut = [{ kind: 'garden.azure.com/Fence', reason: 'not ours' }];
  expect((await readKinds([RESOURCE_GROUP, { ...BED, extension }], { ...DECIDED, leftOut })).notices).toEqual([
    'overlays/left-out.yaml: the source has no garden.azure.com/Fence; the entry can go.',
    'overlays/secret-sources.yaml: nothing says where garden.azure.com/Bed has its secrets key from; they are not exported.',
    'overlays/body-changes.yaml: ASO changes the body of garden.azure.com/Bed in code of its own; nothing says how.',
  ]);
});
