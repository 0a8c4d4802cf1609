import { runCommandLine } from '../../../cli/command-line';
import { formatYamlDocuments } from '../../../engine/yaml/format-yaml';
import { Catalog } from '../../../src/catalog';
import { removedIn } from '../../../src/catalog/removed-versions';
import { AsoRelease } from '../../../src/core/versions/aso-release';
import { captured, filesIn } from '../capture';

interface Reported {
  readonly rule: string;
  readonly severity: string;
  readonly name: string;
  readonly message: string;
  readonly fix: string;
}

const catalog = Catalog.default();
/** Versions that once were, that never were, and that are to come. */
const OTHERS = ['v1beta20210401', 'v1api20210501', 'v1api20230202preview', 'v1api20210301', 'v1api20010101', 'v20990101'];
const kinds = catalog.services.flatMap((service) => catalog.kindsOf(service)).filter(({ group }) => group.endsWith('.azure.com'));
const objects = kinds.flatMap((kind) => (
  [...kind.versionNames, ...OTHERS.filter((version) => !kind.version(version))].map((version) => (
    { apiVersion: `${kind.group}/${version}`, kind: kind.kind, metadata: { name: `${kind.group}.${kind.kind}.${version}`.toLowerCase(), namespace: 'n' }, spec: {} }
  ))
));
const ABOUT_VERSIONS = /^(release|deprecated-version|unknown-version|version-\w+|kind-dropped)$/;

async function reported(command: readonly string[], of: readonly object[]): Promise<Map<string, Reported>> {
  const terminal = captured();
  await runCommandLine([...command, '--output', 'json', filesIn({ 'a.yaml': formatYamlDocuments(of) })], '0', terminal);
  const { findings } = JSON.parse(terminal.out.join('\n')) as { findings: readonly Reported[] };
  const found = findings.filter(({ rule, name }) => ABOUT_VERSIONS.test(rule) && name !== undefined);
  expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
  return new Map(found.map((finding) => [finding.name, finding]));
}

/** The versions that are advised, as objects. */
function advised(found: ReadonlyMap<string, Reported>): object[] {
  return objects.flatMap((object) => {
    const version = /^write \S+\/(\S+?)[,;]?(?: |$)/.exec(found.get(object.metadata.name)?.fix ?? '')?.[1];
    const group = object.apiVersion.split('/')[0]!;
    return version === undefined ? [] : [{ ...object, apiVersion: `${group}/${version}` }];
  });
}

const releases = process.env.FC_RUNS === undefined ? ['v2.0.0', 'v2.9.0', 'v2.16.0', AsoRelease.LATEST.name] : AsoRelease.all.map(({ name }) => name);

test.each(releases)('%s: check and upgrade-check say the same of each version, and what they advise passes', async (release) => {
  const check = await reported(['check', '--release', release], objects);
  const upgrade = await reported(['upgrade-check', '--to', release], objects);
  const severities = (found: ReadonlyMap<string, Reported>) => objects.map(({ metadata: { name } }) => [name, found.get(name)?.severity ?? 'none']);
  expect(severities(check)).toEqual(severities(upgrade));
  const advice = advised(upgrade);
  expect(advice.length).toBeGreaterThan(100);
  const isError = ({ severity }: Reported) => severity === 'error';
  expect([...(await reported(['check', '--release', release], advice)).values()].filter(isError)).toEqual([]);
  expect([...(await reported(['upgrade-check', '--to', release], advice)).values()].filter(isError)).toEqual([]);
});

test('a version that a release still served is no error there', async () => {
  const old = objects.filter(({ apiVersion, kind }) => {
    const [group = '', version = ''] = apiVersion.split('/');
    return removedIn(group, kind, version) === 'v2.21.0';
  });
  expect(old).toHaveLength(4);
  const before = await reported(['check', '--release', 'v2.20.0'], old);
  const after = await reported(['check', '--release', 'v2.21.0'], old);
  expect([...before.values()].map(({ severity }) => severity)).toEqual(old.map(() => 'warning'));
  expect([...after.values()].map(({ severity }) => severity)).toEqual(old.map(() => 'error'));
});

test.each([
  ['a version', 'v20990101', 'StorageAccount', /warning unknown-version .* apiVersion: v20990101 of StorageAccount is newer than this catalog; .*--catalog FILE/],
  ['a kind', 'v20990101', 'Vehicle', /warning unknown-kind .* kind: v20990101 of Vehicle is newer than this catalog; .*--catalog FILE/],
  ['a kind of any version', '${V}', 'StorageAcount', /warning unknown-kind .* kind: StorageAcount is not in this catalog; .*--catalog FILE; or write kind StorageAccount/],
])('%s that may be newer than the catalog is not called impossible', async (_, version, kind, line) => {
  const terminal = captured();
  const text = `apiVersion: storage.azure.com/${version}\nkind: ${kind}\nmetadata: {name: a, namespace: shop}\n`;
  await runCommandLine(['check', filesIn({ 'a.yaml': text })], '0', terminal);
  const printed = terminal.out.join('\n');
  expect(printed).toMatch(line);
  expect(printed).not.toMatch(/no CRD serves it|the CRD does not serve it/);
});
