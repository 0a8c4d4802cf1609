import { reportOf, upgradeCheck } from './environment';

const OLD = 'storage.azure.com/v1beta20210401';
const NEW = 'storage.azure.com/v20210401';
const CLUSTER = `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureASOManagedCluster
metadata: { name: shop, namespace: shop }
spec:
  resources:
  - apiVersion: ${OLD} # old
    kind: StorageAccount
    metadata: { name: data, namespace: other }
    spec: { owner: { name: shop }, kind: StorageV2, location: uksouth, sku: { name: Standard_LRS } }
`;
/** \`tier\` goes, as a whole line. */
const account = (apiVersion: string, tier: string) => `apiVersion: "${apiVersion}"
kind: StorageAccount
metadata: { name: "{{inputs.parameters.name}}" }

spec:
  owner: { name: {{inputs.parameters.group}} }
  kind: StorageV2
  location: uksouth
  sku:
    name: Standard_LRS
${tier}`;
const TEXTS = (apiVersion: string, tier: string, keep: string) => `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: { name: w }
spec:
  templates:
  - name: a
    resource:
      action: apply
      manifest: |${keep}
${account(apiVersion, tier).trimEnd().replace(/^(?=.)/gm, '        ')}
  - name: b
    container: { image: b }
`;

test('--fix rewrites an object in another one, and one in a text, and nothing else', async () => {
  const other = TEXTS('storage.azure.com/v20250601', '    tier: Standard # goes\n', '-');
  const text = [CLUSTER, TEXTS(OLD, '', ''), other].join('---\n');
  const expected = [CLUSTER, TEXTS(OLD, '', ''), TEXTS('storage.azure.com/v20250601', '', '-')].join('---\n').replaceAll(OLD, NEW);
  const { file, status } = await upgradeCheck(text, '--fix');
  expect(file).toBe(expected);
  expect(status).toBe(0);
  expect((await upgradeCheck(text.replaceAll('\n', '\r\n'), '--fix')).file).toBe(expected.replaceAll('\n', '\r\n'));
});

test('a finding names the holder, its field and the line in the file', async () => {
  const { findings } = await reportOf([CLUSTER, TEXTS(OLD, '', '')].join('---\n'));
  expect(findings.filter(({ rule }) => rule === 'version-removed')).toMatchObject([
    { line: 6, namespace: 'shop', field: 'spec.resources[0].apiVersion', inside: { kind: 'AzureASOManagedCluster', namespace: 'shop', name: 'shop' } },
    { line: 20, field: 'spec.templates[0].resource.manifest.apiVersion', inside: { kind: 'WorkflowTemplate', name: 'w' } },
  ]);
});

test('a text in quotes, or in folded lines, is left to its author', async () => {
  const quoted = TEXTS(OLD, '', '').replace(/manifest: \|\n[^]*?\n {2}- name: b/, `manifest: ${JSON.stringify(account(OLD, ''))}\n  - name: b`);
  const { file, status, out } = await upgradeCheck(quoted, '--fix');
  expect([file, status]).toEqual([quoted, 1]);
  expect(out).toContain('Nothing was rewritten.');
  expect(out).toContain('FILE:9: error version-removed StorageAccount {{inputs.parameters.name}} in WorkflowTemplate w: spec.templates[0].resource.manifest.apiVersion: ');
});
