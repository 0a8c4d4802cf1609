import { reportOf, upgradeCheck } from './environment';
import { SPECS } from './operator-v1-specs';
import { isRewritten } from '../../../cli/upgrade-check/operator-v1/rewritten';
import { readYaml } from '../../../engine/yaml/read-yaml';
import { Catalog, OPERATOR_V1_KINDS, replacedKind } from '../../../src/catalog';
import { spellPath, validateSpec } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';

const named = (kind: string) => (/^(?:StorageAccount|Storage)$/.test(kind) ? 'shopdata' : `shop-${kind.toLowerCase()}`);
const manifest = (kind: string, spec: unknown, more: Record<string, unknown> = {}) => [
  `apiVersion: azure.microsoft.com/v1alpha1 # the old one of ${kind}`,
  `kind: ${kind}`,
  `metadata: { name: ${named(kind)}, namespace: shop, labels: { team: checkout }, annotations: { skipreconcile: "true", owner: us } }`,
  `spec: ${JSON.stringify(spec)}`,
  ...Object.entries(more).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  '',
].join('\n');

function leavesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesIn);
  return [String(value)];
}

test('every kind that is rewritten has a case, and every kind of v1 leads to kinds of v2 or says why not', () => {
  expect(OPERATOR_V1_KINDS.filter((kind) => isRewritten(kind) && replacedKind(kind)?.kind === kind).sort()).toEqual(
    [...Object.keys(SPECS), 'AzureDataLakeGen2FileSystem', 'SqlDatabase', 'SqlFirewallRule', 'SqlServer', 'Storage'].sort(),
  );
  for (const kind of OPERATOR_V1_KINDS) {
    const { by, note, byHand } = replacedKind(kind)!;
    for (const [service, name] of by.map((one) => one.split('/'))) expect([kind, Catalog.default().kind(`${service}.azure.com`, name!)?.kind]).toEqual([kind, name]);
    expect([kind, by.length > 0 || note !== undefined]).toEqual([kind, true]);
    expect([kind, byHand === true || by.length === 0]).toEqual([kind, !isRewritten(kind)]);
  }
});

test.each(Object.entries(SPECS))('%s: objects of v2 that only read, and nothing is lost', async (kind, spec) => {
  const { status, file } = await upgradeCheck(manifest(kind, spec), '--fix');
  expect(status).toBe(0);
  const objects = readYaml(file).map(({ value }) => value).filter(isRecord);
  expect(objects.length).toBeGreaterThan(0);
  for (const { apiVersion, kind: newKind, metadata, spec: newSpec } of objects) {
    const [group = '', version = ''] = String(apiVersion).split('/');
    const of = Catalog.default().kind(group, String(newKind))?.version(version);
    expect(replacedKind(kind)!.by).toContain(`${group.replace('.azure.com', '')}/${String(newKind)}`);
    expect(of && validateSpec(newSpec, of).map(({ path, message }) => `${spellPath(path)} ${message}`)).toEqual([]);
    expect(metadata).toMatchObject({
      namespace: 'shop', labels: { team: 'checkout' }, annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip', 'owner': 'us' },
    });
  }
  expect(leavesIn(spec).filter((leaf) => !file.toLowerCase().includes(leaf.toLowerCase()))).toEqual([]);
  expect(file).toContain(`the old one of ${kind}`);
  const again = await reportOf(file);
  expect(again.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('several documents, a list and JSON: what cannot be replaced is left', async () => {
  const rule = (name: string) => manifest('BlobContainer', { accountName: 'shopdata', accessLevel: 'Blob' }).replace('shop-blobcontainer', name);
  const block = `# Above.
apiVersion: azure.microsoft.com/v1alpha1
kind: ResourceGroup
metadata:
  name: shop # the group
spec:
  location: westeurope
`;
  const list = 'apiVersion: v1\nkind: List\nitems:\n- { apiVersion: azure.microsoft.com/v1alpha1, kind: ResourceGroup, metadata: { name: x }, spec: { location: y } }\n';
  const { status, file } = await upgradeCheck([block, rule('one'), rule('two'), list].join('---\n'), '--fix');
  expect(status).toBe(1);
  const kinds = readYaml(file).map(({ value }) => (isRecord(value) ? value.kind : value));
  expect(kinds).toEqual([
    'ResourceGroup', 'StorageAccountsBlobService', 'StorageAccountsBlobServicesContainer', 'StorageAccountsBlobServicesContainer', 'List',
  ]);
  expect(file).toContain(`# Above.
# the group
apiVersion: resources.azure.com/v1api20200601
kind: ResourceGroup
metadata:
  name: shop
  annotations:
    serviceoperator.azure.com/reconcile-policy: skip
spec:
  azureName: shop
  location: westeurope
---
`);
  expect(file.endsWith(list)).toBe(true);
});

test('new objects take no name of an object that is there already', async () => {
  const blobs = (owner: string) => `apiVersion: storage.azure.com/v20250601\nkind: StorageAccountsBlobService\nmetadata: { name: shopdata-blobs, namespace: shop }\nspec: { owner: { name: ${owner} } }\n`;
  const container = manifest('BlobContainer', { accountName: 'shopdata', accessLevel: 'Blob' });
  const servicesOf = async (owner: string) => {
    const { file } = await upgradeCheck([blobs(owner), container].join('---\n'), '--fix');
    const objects = readYaml(file).flatMap(({ value }) => (isRecord(value) && value.kind === 'StorageAccountsBlobService' ? [value] : []));
    return objects.map(({ metadata, spec }) => [(metadata as { name: string }).name, (spec as { owner: { name: string } }).owner.name]);
  };
  expect(await servicesOf('other')).toEqual([['shopdata-blobs', 'other'], ['shopdata-blobs-2', 'shopdata']]);
  expect(await servicesOf('shopdata')).toEqual([['shopdata-blobs', 'shopdata']]);
});
