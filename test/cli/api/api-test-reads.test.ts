import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const definition = join(__dirname, 'definitions', 'project.ts');
const project = 'apiVersion: platform.example.com/v1\nkind: Project\nmetadata: {name: one, namespace: team}\nspec: {environment: prod}\n';
const environment = (spec: string, version = 'v1') => `apiVersion: platform.example.com/${version}\nkind: Environment\nmetadata: {name: prod, namespace: ignored}\nspec: ${spec}\n`;
const zone = 'apiVersion: example.com/v1beta1\nkind: Zone\nmetadata: {name: prod}\nspec: {dns: example.com}\n';
const quota = (namespace: string) => `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: team, namespace: ${namespace}}\nstatus: {used: {pods: "7"}}\n`;
const all = (...documents: string[]) => documents.join('---\n');

async function apiTest(files: Record<string, string>, options: (directory: string) => string[] = (directory) => [directory]) {
  const directory = filesIn(files);
  const terminal = captured();
  const status = await runCommandLine(['api', 'test', definition, ...options(directory), '--update'], '1.2.3', terminal);
  const given = () => {
    const documents = parseAllDocuments(readFileSync(join(directory, 'a.expected.yaml'), 'utf8')).map((document) => document.toJS() as Record<string, any>);
    return { ...documents.find(({ kind }) => kind === 'ConfigMap')!.data, pods: documents.find(({ kind }) => kind === 'Project')!.status.outputs.pods.value };
  };
  return { status, given, out: terminal.out.join('\n').replaceAll(directory, 'claims'), err: terminal.err.join('\n').replaceAll(directory, 'claims') };
}

test('objects of the claim\'s file are read: with defaults, and of older versions', async () => {
  const { status, given, out } = await apiTest({ 'a.yaml': all(environment('{}'), project, zone, quota('team')) });
  expect([status, given()]).toEqual([0, { location: 'westeurope', zone: 'example.com', pods: '7' }]);
  expect(out).toBe('written claims/a.yaml\n  Environment prod: 0 objects\n  Project team/one: 1 object\n1 file, all as expected');
  expect((await apiTest({ 'a.yaml': all(environment('{region: northeurope}', 'v1alpha1'), project) })).given()).toMatchObject({ location: 'northeurope' });
});

test('no other object is there', async () => {
  const { status, given } = await apiTest({ 'a.yaml': all(project, quota('other')), 'b.yaml': environment('{}') });
  expect([status, given()]).toEqual([0, { location: 'none', zone: 'none', pods: 'none' }]);
});

test('objects of --objects are read by all claims, and are no claims', async () => {
  const { status, given, out } = await apiTest({ 'a.yaml': project, 'b.yaml': all(environment('{location: uksouth}'), zone) },
    (directory) => [join(directory, 'a.yaml'), '--objects', join(directory, 'b.yaml')]);
  expect([status, given()]).toEqual([0, { location: 'uksouth', zone: 'example.com', pods: 'none' }]);
  expect(out).toMatch(/1 file, all as expected$/);
  const beside = await apiTest({ 'a.yaml': project, 'b.yaml': environment('{location: uksouth}') }, (directory) => [directory, '--objects', join(directory, 'b.yaml')]);
  expect([beside.status, beside.out]).toEqual([0, expect.stringMatching(/1 file, all as expected$/)]);
});

test('a claim whose file is given with --objects, too, is tested, and read by the others', async () => {
  const files = { 'a.yaml': project, 'b.yaml': environment('{location: uksouth}') };
  const named = await apiTest(files, (directory) => [join(directory, 'a.yaml'), join(directory, 'b.yaml'), '--objects', join(directory, 'b.yaml')]);
  expect([named.status, named.given().location]).toEqual([0, 'uksouth']);
  expect(named.out).toBe('written claims/a.yaml\n  Project team/one: 1 object\nwritten claims/b.yaml\n  Environment prod: 0 objects\n2 files, all as expected');
  // The directory for both: files without any claim are no claims.
  const both = await apiTest({ ...files, 'c.yaml': quota('team') }, (directory) => [directory, '--objects', directory]);
  expect([both.status, both.given()]).toEqual([0, { location: 'uksouth', zone: 'none', pods: '7' }]);
  expect(both.out).toMatch(/2 files, all as expected$/);
});

test('a directory of --objects may have expected files', async () => {
  const objects = filesIn({ 'b.yaml': environment('{location: uksouth}'), 'b.expected.yaml': all(environment('{}'), quota('team')) });
  const { status, given, err } = await apiTest({ 'a.yaml': project }, (directory) => [directory, '--objects', objects]);
  expect([status, given(), err]).toEqual([0, { location: 'uksouth', zone: 'none', pods: 'none' }, '']);
});

test('mistakes with objects to read are said', async () => {
  const { status, out } = await apiTest({ 'a.yaml': quota('team') });
  expect([status, out]).toEqual([1, expect.stringContaining('has objects to read and no claim: give the file with --objects only')]);
  const { err } = await apiTest({ 'a.yaml': project, 'b.yaml': all('apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n', environment('{location: 3}'), environment('{}', 'v7').replace('prod', 'dev')) },
    (directory) => [join(directory, 'a.yaml'), '--objects', join(directory, 'b.yaml')]);
  expect(err).toContain('claims/b.yaml:1: Secret s: is of no kind that the definition has or reads');
  expect(err).toContain('claims/b.yaml:5: Environment ignored/prod: InvalidSpec: spec.location: Invalid value: "integer"');
  expect(err).toContain('Environment ignored/dev: has a version that the definition does not serve: write platform.example.com/v1');
});
