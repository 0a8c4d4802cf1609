import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

const GROUP = 'apiVersion: azure.microsoft.com/v1alpha1\nkind: ResourceGroup\nmetadata: { name: shop }\nspec: { location: uksouth }\n';
const ACCOUNT = 'apiVersion: storage.azure.com/v1beta20210401\nkind: StorageAccount\nmetadata: { name: data }\n'
  + 'spec: { owner: { name: shop }, kind: StorageV2, location: uksouth, sku: { name: Standard_LRS } }\n';
const CONTAINER = 'apiVersion: azure.microsoft.com/v1alpha1\nkind: BlobContainer\nmetadata: { name: orders }\nspec: { accountName: shopdata }\n';

function tree(files: Readonly<Record<string, string | Buffer>>): string {
  const root = filesIn({});
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

async function fix(...args: string[]) {
  const terminal = captured();
  const status = await runCommandLine(['upgrade-check', '--fix', ...args], '0.0.0', terminal);
  return { status, err: terminal.err.join('\n'), out: terminal.out.join('\n') };
}

const kindsIn = (file: string) => readFileSync(file, 'utf8').match(/^kind: .*/gm)?.map((line) => line.slice('kind: '.length));

test('the same object of v1 in several folders stays in each of them', async () => {
  const root = tree({ 'dev/all.yaml': `${GROUP}---\n${CONTAINER}`, 'prod/all.yaml': `${GROUP}---\n${CONTAINER}`, 'prod/more.yaml': GROUP });
  expect(await fix('-R', root)).toMatchObject({ status: 0 });
  const all = ['ResourceGroup', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer'];
  expect(kindsIn(join(root, 'dev/all.yaml'))).toEqual(all);
  expect(readFileSync(join(root, 'prod/all.yaml'), 'utf8')).toBe(readFileSync(join(root, 'dev/all.yaml'), 'utf8'));
  expect(kindsIn(join(root, 'prod/more.yaml'))).toEqual(['ResourceGroup']);
});

test('an object of v1 in a patch is told, and left', async () => {
  const patch = GROUP.replace('spec: { location: uksouth }', 'metadata: { name: shop, labels: { env: dev } }').replace('metadata: { name: shop }\n', '');
  const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [group.yaml]\npatches: [{ path: patch.yaml }]\n';
  const root = tree({ 'kustomization.yaml': kustomization, 'group.yaml': GROUP, 'patch.yaml': patch });
  const { status, out } = await fix(root);
  expect(status).toBe(1);
  expect(out).toContain('kind-dropped');
  expect(readFileSync(join(root, 'patch.yaml'), 'utf8')).toBe(patch);
});

test.each([
  ['a branch', GROUP.replace('spec: { location: uksouth }', 'spec:\n  {{- if .Values.eu }}\n  location: westeurope\n  {{- else }}\n  location: uksouth\n  {{- end }}')],
  ['a loop', GROUP.replace('{ name: shop }', '{ name: {{ $name }} }').replace(/^/, '{{- range $name := .Values.names }}\n---\n').concat('{{- end }}\n')],
  ['comments that Helm reads', GROUP.replace('spec: { location: uksouth }', 'spec:\n  # {{- if .Values.eu }}\n  location: westeurope\n  # {{- end }}')],
  ['a dropped field with a branch in it', ACCOUNT.replace(/v1beta20210401/, 'v20250601').replace(/spec: .*/s,
    'spec:\n  owner: { name: shop }\n  kind: StorageV2\n  location: uksouth\n  sku:\n    name: Standard_LRS\n  wrong:\n    {{- if .Values.a }}\n    a: 1\n    {{- end }}\n    b: 2\n\n')],
])('a template is told, and keeps its lines: %s', async (_, text) => {
  const root = tree({ 'template.yaml': text });
  await fix(join(root, 'template.yaml'));
  expect(readFileSync(join(root, 'template.yaml'), 'utf8')).toBe(text);
});

test('files outside of what is given, and links, are not written', async () => {
  const root = tree({
    'app/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../other, own.yaml]\n',
    'app/own.yaml': ACCOUNT,
    'other/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [base.yaml]\n',
    'other/base.yaml': ACCOUNT.replace('name: data', 'name: other'),
    'linked.yaml': ACCOUNT,
    'links/a.yaml': ACCOUNT,
  });
  const before = readFileSync(join(root, 'other/base.yaml'), 'utf8');
  const { status, err, out } = await fix(join(root, 'app'));
  expect(err).toContain(`base.yaml: outside of ${join(root, 'app')}: not rewritten`);
  expect(out).toMatch(/version-removed[^\n]*other/);
  expect(status).toBe(1);
  expect(readFileSync(join(root, 'other/base.yaml'), 'utf8')).toBe(before);
  expect(readFileSync(join(root, 'app/own.yaml'), 'utf8')).not.toBe(ACCOUNT);

  symlinkSync(join(root, 'linked.yaml'), join(root, 'links/b.yaml'));
  expect((await fix(join(root, 'links/b.yaml'))).err).toContain('is no regular file: not rewritten');
  expect(readFileSync(join(root, 'linked.yaml'), 'utf8')).toBe(ACCOUNT);
});

test.each([
  ['Latin-1', Buffer.from(`# caf\u00e9\n${ACCOUNT}`, 'latin1')],
  ['UTF-16', Buffer.from(`\uFEFF${ACCOUNT}`, 'utf16le')],
])('a file in %s keeps its bytes', async (_, bytes) => {
  const root = tree({ 'a.yaml': bytes });
  const { err, status } = await fix(join(root, 'a.yaml'));
  expect(err).toContain('a.yaml: is no text in UTF-8: not rewritten');
  expect(status).toBe(1);
  expect(readFileSync(join(root, 'a.yaml')).equals(bytes)).toBe(true);
});

test('an object of v1 with lines that end as on Windows, and a byte order mark', async () => {
  const root = tree({ 'a.yaml': `\uFEFF# ours\r\n${GROUP.replaceAll('\n', '\r\n')}`, 'b.yaml': `\uFEFF# ours\n${GROUP}` });
  await fix(root);
  const [windows, unix] = ['a.yaml', 'b.yaml'].map((name) => readFileSync(join(root, name), 'utf8'));
  expect(unix).toContain('kind: ResourceGroup\nmetadata:\n');
  expect(windows).toBe(unix!.replaceAll('\n', '\r\n'));
  expect(windows!.startsWith('\uFEFF')).toBe(true);
});
