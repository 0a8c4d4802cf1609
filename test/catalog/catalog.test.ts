import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Catalog } from '../../src/catalog';

const catalog = Catalog.default();

describe('the shipped catalog', () => {
  test('services are the files, sorted', () => {
    const files = readdirSync(join(__dirname, '..', '..', 'catalog'))
      .filter((file) => /^[a-z].*\.json$/.test(file))
      .map((file) => file.replace(/\.json$/, ''));
    expect(catalog.services).toEqual(files.sort());
  });

  test('a kind is found by group and kind, and is always the same object', () => {
    const kind = catalog.kind('storage.azure.com', 'StorageAccount')!;
    expect([kind.service, kind.crdName]).toEqual(['storage', 'storageaccounts.storage.azure.com']);
    expect(catalog.kind('storage.azure.com', 'StorageAccount')).toBe(kind);
    expect(catalog.kind('network.frontdoor.azure.com', 'WebApplicationFirewallPolicy')?.service).toBe('network.frontdoor');
  });

  test('the groups are those of the kinds: ASO\'s, and those of kinds that ASO has not', () => {
    const groups = new Set(catalog.allKinds.map(({ group }) => group));
    expect(catalog.groups).toEqual([...groups].sort());
    expect(catalog.groups.filter((group) => !group.endsWith('.azure.com'))).toEqual(['databases.aso.cdk8s.io']);
    expect(catalog.kind('databases.aso.cdk8s.io', 'DatabaseAccess')?.crdName).toBe('databaseaccesses.databases.aso.cdk8s.io');
  });

  test.each([
    ['databases.azure.com', 'DatabaseAccess'],
    ['storage.aso.cdk8s.io', 'StorageAccount'],
    ['storage.azure.com', 'Nothing'],
    ['storage.azure.com', 'constructor'],
    ['storage.azure.com', '__proto__'],
    ['storage', 'StorageAccount'],
    ['nothing.azure.com', 'StorageAccount'],
    ['../status/storage.azure.com', 'StorageAccount'],
    ['_common.azure.com', 'StorageAccount'],
    ['', ''],
  ])('there is no kind %s/%s', (group, kind) => expect(catalog.kind(group, kind)).toBeUndefined());

  test('a version that nobody serves is none', () => {
    const kind = catalog.kind('storage.azure.com', 'StorageAccount')!;
    expect(kind.version('v1')).toBeUndefined();
    expect(kind.version('toString')).toBeUndefined();
  });

  test('a version with sameAs has the facts and types of that version, and its own release', () => {
    const aliases = catalog.allKinds.flatMap((kind) =>
      kind.versionNames.filter((name) => kind.facts.versions[name]!.sameAs).map((name) => kind.version(name)!));
    expect(aliases.length).toBeGreaterThan(100);
    for (const version of aliases) {
      const original = version.kind.version(version.typesOf)!;
      expect(version.specType).toBe(original.specType);
      expect(version.facts.arm).toEqual(original.facts.arm);
      expect(version.facts.since).toBe(version.kind.facts.versions[version.name]!.since ?? original.facts.since);
      expect(version.apiVersion).toBe(`${version.kind.group}/${version.name}`);
    }
  });

  test('a type that is not there is an error with its place', () => {
    const version = catalog.kind('storage.azure.com', 'StorageAccount')!.latest;
    expect(() => version.type('Nothing')).toThrow(`${version.apiVersion} StorageAccount refers to type Nothing`);
    expect(() => version.statusTypeNamed('Nothing')).toThrow('status type Nothing');
    expect(() => version.commonType('Nothing')).toThrow('common type Nothing');
  });
});

test('a service is read when it is asked for, its status types later', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  try {
    mkdirSync(join(folder, 'status'));
    const original = join(__dirname, '..', '..', 'catalog');
    for (const file of ['_common.json', 'resources.json', 'status/resources.json']) {
      writeFileSync(join(folder, file), readFileSync(join(original, file)));
    }
    for (const file of ['storage.json', 'status/storage.json']) writeFileSync(join(folder, file), 'not JSON');
    const own = new Catalog(folder);
    const group = own.kind('resources.azure.com', 'ResourceGroup')!;
    expect(group.latest.specType.props.location).toBeDefined();
    writeFileSync(join(folder, 'status/resources.json'), readFileSync(join(original, 'status/resources.json')));
    expect(Object.keys(group.latest.statusType.props)).toContain('conditions');
    expect(() => own.kind('storage.azure.com', 'StorageAccount')).toThrow(SyntaxError);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
