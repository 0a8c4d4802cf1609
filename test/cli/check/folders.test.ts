import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { kustomizeTool } from '../../../cli/manifests/folders/kustomize-build';
import { captured } from '../capture';
import { group, treeOf } from '../manifests/folders/tree-of';

async function run(root: string, ...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(args.map((arg) => (arg.startsWith('/') ? join(root, arg) : arg)), '1.2.3', terminal);
  const cut = (lines: readonly string[]) => lines.join('\n').replaceAll(`${root}/`, '').replaceAll(root, '.').split('\n');
  return { status, out: cut(terminal.out), err: cut(terminal.err) };
}

const kubectl = kustomizeTool() ? test : test.skip;
const PATH = process.env.PATH;
afterEach(() => {
  process.env.PATH = PATH;
});

const PATCH = 'apiVersion: resources.azure.com/v1api20200601\nkind: ResourceGroup\nmetadata: {name: rg}\n';

describe('patches', () => {
  const tree = {
    'kustomization.yaml': 'resources: [rg.yaml]\npatches:\n- path: good.yaml\n- path: bad.yaml\n- path: json.yaml\n  target: {kind: ResourceGroup}\n',
    'rg.yaml': group('rg'),
    'good.yaml': `${PATCH}spec: {azureName: x, location: null, $patch: replace}\n`,
    'bad.yaml': `${PATCH}spec:\n  loction: x\n  tags: [1]\n`,
    'json.yaml': '- {op: add, path: /spec/azureName, value: x}\n',
  };

  test('without a tool, a patch is judged as one: what a value alone says', async () => {
    process.env.PATH = '';
    const { status, out, err } = await run(treeOf(tree), 'check', '/.');
    expect(status).toBe(1);
    expect(out.map((line) => line.split(';')[0])).toEqual([
      expect.stringMatching(/^bad\.yaml:5: error unknown-field ResourceGroup default\/rg: spec\.loction/),
      expect.stringMatching(/^bad\.yaml:6: error invalid-value ResourceGroup default\/rg: spec\.tags/),
      'Check: 1 object, 2 errors.',
    ]);
    expect(err).toEqual([
      expect.stringContaining('neither kustomize nor kubectl is on the PATH'), expect.stringContaining('its patches as patches'),
    ]);
  });

  kubectl('with the tool, its objects are judged, at the place of the object', async () => {
    const { out } = await run(treeOf(tree), 'check', '/.');
    expect(out.map((line) => line.split(';')[0])).toEqual([
      expect.stringMatching(/^rg\.yaml:5: error invalid-value ResourceGroup default\/rg: spec\.tags/),
      expect.stringMatching(/^rg\.yaml:5: error unknown-field ResourceGroup default\/rg: spec\.loction/),
      'Check: 1 object, 2 errors.',
    ]);
  });

  test('a plan, a graph and CRDs have no patches', async () => {
    process.env.PATH = '';
    const root = treeOf(tree);
    for (const command of [['plan'], ['graph', '--format', 'tree'], ['crds'], ['capacity'], ['convert']]) {
      const { status, err } = await run(root, ...command, '/.');
      expect([command, status, err.filter((line) => !line.startsWith('note: '))]).toEqual([command, 0, []]);
    }
  });
});

test('notes are in the JSON output', async () => {
  const root = treeOf({ 'a.yaml': group('a'), 'values.yaml': 'a: 1\n' });
  const { out, err } = await run(root, 'check', '-o', 'json', '/.');
  expect(err).toEqual(['']);
  expect((JSON.parse(out.join('\n')) as { notes: unknown }).notes).toEqual([
    { file: '.', message: '1 file has no Kubernetes objects: values.yaml', fix: 'left aside' },
  ]);
});

test('a Secret that SOPS has encrypted has values that come later', async () => {
  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: aso-credential, namespace: shop}\nstringData:\n'
    + '  AZURE_SUBSCRIPTION_ID: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n  AZURE_TENANT_ID: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n'
    + '  AZURE_CLIENT_ID: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n  AZURE_CLIENT_SECRET: ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]\n'
    + 'sops: {version: 3.8.1, mac: "ENC[AES256_GCM,data:x,iv:y,tag:z,type:str]"}\n';
  const root = treeOf({ 's.yaml': secret, 'a.yaml': group('a', '  namespace: shop\n') });
  const { status, err } = await run(root, 'check', '/.');
  expect([status, err]).toEqual([0, ['note: 5 values come later: ENC[…]; the rest is known. --set NAME=VALUE and --env-file FILE fill them in']]);
  expect((await run(root, 'plan', '/.')).status).toBe(0);
});

describe('--recursive', () => {
  const repository = {
    'clusters/dev/kustomization.yaml': 'resources: [../../base]\nnamespace: dev\n',
    'clusters/prod/kustomization.yaml': 'resources: [../../base]\nnamespace: prod\npatches:\n- path: patches/p.yaml\n',
    'clusters/prod/patches/p.yaml': `${PATCH}spec: {azureName: x}\n`,
    'base/kustomization.yaml': 'resources: [rg.yaml]\n',
    'base/rg.yaml': group('rg', '', 'locaton: x'),
    'chart/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'chart/values.yaml': 'a: 1\n',
    'chart/templates/t.yaml': `{{- if .x }}\n${group('{{ .Values.n }}')}{{ end }}`,
    'plain/a.yaml': group('a'),
    'plain/more/b.yaml': group('a'),
    'node_modules/x/a.yaml': 'apiVersion: [',
    '.github/workflows/ci.yaml': 'on: push\n',
    'src/package.json': '{}',
    'src/tsconfig.json': '{',
  };

  kubectl('a repository as it is: each thing that is applied by itself is a set', async () => {
    const { status, out, err } = await run(treeOf(repository), 'check', '-R', '/.');
    expect(out.map((line) => line.split(';')[0])).toEqual([
      expect.stringMatching(/^base\/rg\.yaml:6: error unknown-field ResourceGroup dev\/rg: spec\.locaton/),
      'Check: 5 objects in 5 sets, 1 error.',
    ]);
    expect(status).toBe(1);
    expect(err).toEqual([
      expect.stringMatching(/^note: chart\/Chart\.yaml: is not rendered/),
      'note: .: 2 files have no Kubernetes objects: package.json, tsconfig.json; left aside',
      expect.stringMatching(/^note: 1 value comes later: \{\{ \.Values\.n \}\}/),
    ]);
  });

  test('bases that only patches, a cycle and a component have are read as well', async () => {
    process.env.PATH = '';
    const root = treeOf({
      'a/kustomization.yaml': 'resources: [../b, a.yaml]\n',
      'a/a.yaml': group('a'),
      'b/kustomization.yaml': 'resources: [../a]\n',
      'c/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [c.yaml]\npatches: [{path: p.yaml}]\n',
      'c/c.yaml': group('c'),
      'c/p.yaml': PATCH,
    });
    const { out, err } = await run(root, 'check', '-R', '/.');
    expect(out).toEqual([expect.stringMatching(/^b\/kustomization\.yaml:1: error unreadable resources: \.\.\/a is a cycle/), 'Check: 2 objects in 2 sets, 1 error.']);
    expect(err).toEqual([expect.stringContaining('a/kustomization.yaml: is not built')]);
  });

  test('an owner of another set is not missing', async () => {
    const account = 'apiVersion: network.azure.com/v1api20240301\nkind: VirtualNetwork\nmetadata: {name: net}\nspec: {location: uksouth, owner: {name: OWNER}, addressSpace: {addressPrefixes: [10.0.0.0/16]}}\n';
    const root = treeOf({ 'a/rg.yaml': group('rg'), 'b/net.yaml': account.replace('OWNER', 'rg'), 'c/net.yaml': account.replace('OWNER', 'none') });
    expect((await run(root, 'check', '-R', '/.')).out.filter((line) => line.includes('not-in-files')).map((line) => line.split(':')[0])).toEqual(['c/net.yaml']);
  });

  test('values of Flux are those of the whole tree', async () => {
    const root = treeOf({
      'flux/f.yaml': 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f}\nspec: {postBuild: {substitute: {TEAM: shop}}}\n',
      'app/a.yaml': group('${TEAM}-rg'),
    });
    expect(await run(root, 'check', '-R', '/.')).toEqual({ status: 0, out: ['Check: 2 objects in 2 sets, nothing to say.'], err: [''] });
  });

  test('a directory that has nothing is an error, and links are not followed', async () => {
    const root = treeOf({ 'src/a.json': '{}' });
    mkdirSync(join(root, 'deep'));
    symlinkSync(root, join(root, 'deep', 'again'));
    const { status, out } = await run(root, 'check', '-R', '/.');
    expect([status, out[0]]).toEqual([1, expect.stringContaining('neither the directory nor one below it has a Kubernetes object')]);
  });

  test('upgrade-check reads files as they are written, a base once', async () => {
    const old = (text: string) => text.replace('v1api20200601', 'v1beta20200601');
    const files = Object.fromEntries(Object.entries(repository).map(([name, text]) => [name, old(text.replace('locaton: x', 'location: x'))]));
    const { out, err } = await run(treeOf(files), 'upgrade-check', '-R', '--to', 'v2.9.0', '-o', 'json', '/.');
    const { findings } = JSON.parse(out.join('\n')) as { findings: { file: string; fixable: boolean }[] };
    expect(findings.filter(({ file }) => file !== 'operator').map(({ file, fixable }) => [file, fixable]).sort()).toEqual([
      ['base/rg.yaml', true], ['chart/templates/t.yaml', true], ['clusters/prod/patches/p.yaml', true], ['plain/a.yaml', true], ['plain/more/b.yaml', true],
    ]);
    expect(err).toEqual(['note: .: 2 files have no Kubernetes objects: package.json, tsconfig.json; left aside']);
  });

  test('upgrade-check --fix rewrites templates at their places', async () => {
    const text = '{{- if .x }}\n# {{ a }}\nkind: ResourceGroup\nmetadata:\n  name: {{ .Values.n }}\napiVersion: resources.azure.com/v1beta20200601\nspec: {location: "{{ .Values.l | default "x" }}"}\n{{ end }}';
    const root = treeOf({ 'c/Chart.yaml': 'name: c\n', 'c/templates/t.yaml': text });
    await run(root, 'upgrade-check', '--fix', '--to', 'v2.9.0', '/c');
    expect(readFileSync(join(root, 'c/templates/t.yaml'), 'utf8')).toBe(text.replace('v1beta20200601', 'v1api20200601'));
  });
});

test('empty defaults of a chart are values to be given, and no errors', async () => {
  const CREDENTIAL = 'serviceoperator.azure.com/credential-from';
  const head = (name: string, value: string) => (
    `---\n# Source: shop/templates/${name}.yaml\n${group(name).replace(/spec:[^]*/, '').replace(/(name: \S+)/, `$1\n  annotations: {${CREDENTIAL}: ${value}}`)}`
  );
  const identity = 'apiVersion: managedidentity.azure.com/v1api20230131\nkind: UserAssignedIdentity\nmetadata: {name: id}\n';
  const rendered = [
    `${head('a', '""')}spec: {location: uksouth, loction: x}\n`,
    `${head('b', '')}spec: {location: uksouth}\n`,
    `---\n# Source: shop/templates/c.yaml\n${identity}spec: {location: uksouth, owner: {armId: ""}}\n`,
    '---\n# Source: shop/templates/d.yaml\napiVersion: v1\nkind: Secret\nmetadata: {name: aso-credential}\nstringData:\n',
  ].join('');
  const tools = treeOf({ helm: `#!/bin/sh\ncat <<'E'\n${rendered}E\n` });
  chmodSync(join(tools, 'helm'), 0o755);
  process.env.PATH = `${tools}:${PATH}`;
  const root = treeOf({ 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', 'values.yaml': 'owner: ""\n', 'prod.yaml': 'a: b\n', 'templates/a.yaml': group('a') });
  const errors = async (...args: string[]) => {
    const { out } = await run(root, 'check', '-v', '--severity', 'error', ...args, '/.');
    return out.flatMap((line) => / error (\S+) /.exec(line)?.[1] ?? []).sort();
  };
  expect(await errors()).toEqual(['unknown-field']);
  expect(await errors('--values', '/prod.yaml')).toEqual(expect.arrayContaining(['credential-from', 'owner-form', 'unknown-field', 'unreadable']));
});

test('what another set of a repository exports is no news', async () => {
  process.env.PATH = '';
  const identity = (name: string, spec: string) => (
    `apiVersion: managedidentity.azure.com/v1api20230131\nkind: UserAssignedIdentity\nmetadata: {name: ${name}, namespace: shop}\nspec: {location: uksouth, owner: {armId: /subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg}${spec}}\n`
  );
  const federated = `apiVersion: managedidentity.azure.com/v1api20230131
kind: FederatedIdentityCredential
metadata: {name: f, namespace: shop}
spec: {owner: {name: id}, issuerFromConfig: {name: issuer, key: url}, subject: s, audiences: [a]}
`;
  const root = treeOf({
    'a/kustomization.yaml': 'resources: [a.yaml]\n',
    'b/kustomization.yaml': 'resources: [b.yaml]\n',
    'a/a.yaml': identity('other', ', operatorSpec: {configMaps: {clientId: {name: issuer, key: url}}}'),
    'b/b.yaml': `${identity('id', '')}---\n${federated}`,
  });
  expect((await run(root, 'check', '/b')).out.join('\n')).toContain("'issuer' is not in the files");
  expect((await run(root, 'check', '-R', '/.')).out.join('\n')).not.toContain('is not in the files');
});
