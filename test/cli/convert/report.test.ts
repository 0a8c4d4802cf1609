import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const group = (name: string, more = '') => `apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata: {name: ${name}}
spec: {location: uksouth}
${more}`;

const FILE = [
  group('one'),
  group('two'),
  group('two'),
  group('three').replace('v1api20200601', 'v1api20200101'),
  group('four').replace('v1api20200601', 'v1api20991231'),
  group('five').replace('v1api20200601', '${GROUPS_VERSION}'),
  group('six').replace('kind: ResourceGroup', 'kind: Division'),
  group('seven').replace('{location: uksouth}', '{}'),
  'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n',
  'apiVersion: v1\nkind: Secret\nmetadata: {name: aso-credential}\nstringData: {AZURE_SUBSCRIPTION_ID: 00000000-0000-0000-0000-000000000000, '
    + 'AZURE_TENANT_ID: 00000000-0000-0000-0000-000000000000, AZURE_CLIENT_ID: 00000000-0000-0000-0000-000000000000, USE_WORKLOAD_IDENTITY_AUTH: "true"}\n',
].join('---\n');

async function run(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['convert', ...args], '1.2.3', terminal);
  return { status, out: terminal.out.join('\n'), err: terminal.err };
}

test('the last lines say what became classes, why the others did not, and what changes it', async () => {
  const directory = filesIn({ 'a.yaml': FILE });
  const file = join(directory, 'a.yaml');
  const { status, err } = await run(file);
  expect(status).toBe(0);
  expect(err.slice(-9)).toEqual([
    'note: 3 of 10 objects are constructs of their classes, 7 are ApiObjects',
    'note: 1 has a variable in its apiVersion or kind (resources.azure.com/${GROUPS_VERSION} ResourceGroup): '
      + `cdk8s-aso convert --set GROUPS_VERSION=VALUE ${file}`,
    'note: 1 is of a kind that the catalog lacks (Division): cdk8s-aso import-crds CRDS writes classes for kinds of a newer operator',
    'note: 1 has a version that is newer than the catalog (resources.azure.com/v1api20991231 ResourceGroup): '
      + 'cdk8s-aso import-crds CRDS writes classes with them',
    'note: 1 has a version that the catalog lacks (resources.azure.com/v1api20200101 ResourceGroup): '
      + `cdk8s-aso upgrade-check --fix ${file} rewrites the files to versions that it has`,
    'note: 1 is in the files twice (ResourceGroup): remove one of the two',
    `note: 1 does not fit its class (ResourceGroup): cdk8s-aso check ${file} names the mistakes`,
    'note: 1 is of another API (ConfigMap): cdk8s import writes classes for such kinds',
    'note: 1 variable is a prop of the charts (groupsVersion for ${GROUPS_VERSION}); --set NAME=VALUE and --env-file FILE fill them in instead',
  ]);
});

test('programs have it as JSON', async () => {
  const directory = filesIn({ 'a.yaml': FILE });
  const file = join(directory, 'a.yaml');
  const { status, out, err } = await run(file, '--out', join(directory, 'app'), '--output', 'json');
  expect([status, err]).toEqual([0, []]);
  const report = JSON.parse(out) as Record<string, unknown>;
  expect(report).toMatchObject({ objects: 10, classes: 3, problems: [] });
  expect((report.apiObjects as { reason: string }[]).map(({ reason }) => reason).sort()).toEqual([
    'kind-later', 'misfit', 'newer-version', 'other-api', 'twice', 'unknown-kind', 'unknown-version',
  ]);
  expect(report.props).toEqual([
    { chart: 'AChart', name: 'groupsVersion', type: 'string', variables: ['${GROUPS_VERSION}'], environment: 'GROUPS_VERSION' },
  ]);
  expect(readdirSync(join(directory, 'app'))).toContain('a.ts');
});

test('JSON beside the code would be neither', async () => {
  expect(await run(join(filesIn({ 'a.yaml': group('one') }), 'a.yaml'), '--output', 'json')).toMatchObject({
    status: 2, out: '', err: [expect.stringContaining('needs --out DIR')],
  });
});
