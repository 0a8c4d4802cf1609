import { reportOf, upgradeCheck } from './environment';
import { newestFirst } from '../../../src/catalog';

const before = `# The platform's.
apiVersion: "storage.azure.com/v1beta20210401" # old
kind: StorageAccount
metadata: { name: data, namespace: shop }
spec:
  owner: { name: shop }
  kind: StorageV2
  location: uksouth   # ours
  sku: { name: Standard_LRS }
---
{ "apiVersion": "authorization.azure.com/v20220401", "kind": "RoleAssignment", "metadata": { "name": "ra" },
  "spec": { "owner": { "armId": "/subscriptions/11111111-1111-1111-1111-111111111111" }, "principalId": "11111111-1111-1111-1111-111111111111",
    "roleDefinitionReference": { "armId": "/subscriptions/11111111-1111-1111-1111-111111111111/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7" },
    "delegatedManagedIdentityResourceId": "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/x" } }
---
apiVersion: v1
kind: List
items:
- apiVersion: storage.azure.com/v20250601
  kind: StorageAccount
  metadata: { name: logs }
  spec:
    owner: { name: shop }
    kind: StorageV2
    location: uksouth
    sku:
      name: Standard_LRS
      tier: Standard # goes
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: shop }
spec:
  healthChecks:
    - { apiVersion: cache.azure.com/v1api20230701, kind: RedisEnterprise, name: r, namespace: shop }
`;
const after = before
  .replace('v1beta20210401', 'v20210401')
  .replace('"delegatedManagedIdentityResourceId": "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/x"',
    '"delegatedManagedIdentityResourceReference": { "armId": "/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/x" }')
  .replace('      tier: Standard # goes\n', '')
  .replace('v1api20230701', 'v20230701');

test('--fix changes just these places; comments, quotes and order stay', async () => {
  const { status, file, out } = await upgradeCheck(before, '--fix');
  expect(file).toBe(after);
  expect(status).toBe(0);
  expect(out).toContain('Rewritten: 4 places in FILE.');
});

test('without --fix nothing is written', async () => {
  const { status, file, out } = await upgradeCheck(before);
  expect(file).toBe(before);
  expect(status).toBe(1);
  expect(out).toContain('--fix rewrites 4 of them.');
});

test('a second --fix finds nothing', async () => {
  const { file, out } = await upgradeCheck(after, '--fix');
  expect(file).toBe(after);
  expect(out).toContain('Nothing was rewritten.');
});

test('a byte order mark, and lines that end as on Windows', async () => {
  const text = `\uFEFF${before.replaceAll('\n', '\r\n')}`;
  expect((await upgradeCheck(text, '--fix')).file).toBe(`\uFEFF${after.replaceAll('\n', '\r\n')}`);
});

test('a byte order mark does not move the lines', async () => {
  const lineOf = async (text: string) => (await reportOf(text)).findings.find(({ rule }) => rule === 'version-removed')?.line;
  expect(await lineOf(`\uFEFF${before}`)).toBe(await lineOf(before));
  expect(await lineOf(before)).toBe(2);
});

test('a version that an anchor gives several objects is left to its author', async () => {
  const text = 'apiVersion: &v storage.azure.com/v1beta20210401\nkind: StorageAccount\nmetadata: { name: a }\nspec: { location: uksouth }\n';
  const both = `${text}---\napiVersion: v1\nkind: List\nitems:\n- &a { apiVersion: storage.azure.com/v1beta20210401, kind: StorageAccount, metadata: { name: b } }\n- *a\n`;
  const { file } = await upgradeCheck(both, '--fix');
  expect(file).toContain('&v storage.azure.com/v20210401');
  expect(file).toContain('- &a { apiVersion: storage.azure.com/v20210401');
});

test.each([
  ['a document that is no YAML', 'a: [\n---\napiVersion: storage.azure.com/v1beta20210401\nkind: StorageAccount\nmetadata: { name: a }\n'],
  ['a template', 'apiVersion: {{ .Values.v }}\nkind: StorageAccount\n'],
])('%s is named, and the exit status says so', async (_, text) => {
  const { status, err, file } = await upgradeCheck(text, '--fix');
  expect(err.join('\n')).toMatch(/FILE:\d+: /);
  expect(status).toBe(1);
  expect(file.startsWith(text.slice(0, 20))).toBe(true);
});

test.each([
  [['--fix', '-'], 'the standard input'],
  [['--from', '2.10', '--to', '2.9', 'x.yaml'], 'does not support downgrades'],
  [['--to', '9.9', 'x.yaml'], 'there is no release'],
])('%j is a wrong command line', async (args, message) => {
  const { status, err } = await upgradeCheck('', ...args);
  expect(err.join('\n')).toContain(message);
  expect(status).toBe(2);
});

test('versions that are written are never older than those that they replace', async () => {
  const { findings } = await reportOf(before, '--to', '2.21');
  for (const { message, fix } of findings.filter(({ rule }) => rule === 'version-removed')) {
    const [old, written] = [/(v\w*\d{8}\w*) of/.exec(message)![1]!, /\/(v\w+)/.exec(fix)![1]!];
    expect(newestFirst(written, old)).toBeLessThanOrEqual(0);
  }
});

test('--set fills variables in for the findings, and --fix leaves them in the file', async () => {
  const text = `apiVersion: storage.azure.com/\${VERSION}
kind: StorageAccount
metadata: { name: "\${NAME}" }
spec: { owner: { name: shop }, kind: StorageV2, location: uksouth, sku: { name: Standard_LRS } }
---
apiVersion: azure.microsoft.com/v1alpha1
kind: ResourceGroup
metadata: { name: "\${NAME}" }
spec: { location: "\${REGION}" }
`;
  const { file, out } = await upgradeCheck(text, '--fix', '--set', 'VERSION=v1beta20210401', '--set', 'NAME=data', '--set', 'REGION=uksouth');
  expect(out).toMatch(/error version-removed StorageAccount data: apiVersion: /);
  const [first, second] = file.split('---\n');
  expect(first).toBe(text.split('---\n')[0]);
  expect(second).toMatch(/azureName: "?\$\{NAME\}"?\n {2}location: "?\$\{REGION\}"?\n$/);
});
