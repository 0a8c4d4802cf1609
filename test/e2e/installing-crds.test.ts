import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithKubectl, kubectl, type TestCluster } from './cluster';
import { clusters } from './clusters';
import { until } from '../setup/until';

const CLI = join(__dirname, '..', '..', 'lib', 'cli', 'main.js');
const directory = mkdtempSync(join(tmpdir(), 'installing-crds-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
const account = (version: string) => `apiVersion: storage.azure.com/${version}
kind: StorageAccount
metadata: {name: installed}
spec: {location: uksouth, kind: StorageV2, owner: {armId: /subscriptions/0/resourceGroups/rg}, sku: {name: Standard_LRS}}
`;
const crds = (...args: string[]) =>
  write('crds.yaml', execFileSync(process.execPath, [CLI, 'crds', ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
const apply = (cluster: TestCluster, file: string) => kubectl(cluster, 'apply', '--server-side', '--force-conflicts', '-f', file);
const failure = (act: () => unknown): string => {
  try {
    act();
    return '';
  } catch (error) {
    return (error as { stderr?: string }).stderr ?? String(error);
  }
};

describeWithKubectl('the CRDs that the command prints', () => describe.each(clusters)('on $name', ({ start }) => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await start();
  });
  afterAll(() => cluster?.close());

  test('are applied, serve just the versions in use, and are the same when they are applied again', async () => {
    // The sandbox has CRDs of all kinds, in all versions.
    kubectl(
      cluster,
      'delete',
      'crd',
      'storageaccounts.storage.azure.com',
      'storageaccountsblobservices.storage.azure.com',
      '--ignore-not-found',
      '--timeout=60s',
    );
    const objects = write('account.yaml', account('v1api20230101'));
    apply(cluster, crds(objects, '--kind', 'StorageAccountsBlobService', '--labels', 'team=a'));
    kubectl(cluster, 'wait', '--for=condition=Established', 'crd/storageaccounts.storage.azure.com', '--timeout=60s');
    await until('the account is served', () => failure(() => kubectl(cluster, 'apply', '-f', objects)) === '');
    expect(
      kubectl(
        cluster,
        'get',
        'crd',
        'storageaccounts.storage.azure.com',
        '-o',
        'jsonpath={.spec.versions[*].name} {.metadata.labels.team}',
      ),
    ).toBe('v1api20230101 a');
    expect(
      kubectl(cluster, 'get', 'storageaccounts.storage.azure.com,storageaccountsblobservices.storage.azure.com', '-o', 'name').trim(),
    ).toBe('storageaccount.storage.azure.com/installed');
    const generation = () => kubectl(cluster, 'get', 'crd', 'storageaccounts.storage.azure.com', '-o', 'jsonpath={.metadata.generation}');
    const before = generation();
    apply(cluster, join(directory, 'crds.yaml'));
    expect(generation()).toBe(before);
  });

  test('cannot leave out a version that objects are stored in', () => {
    const other = write('other.yaml', account('v20250601'));
    const message = failure(() => apply(cluster, crds(other)));
    expect(message).toMatch(/status\.storedVersions\[\d\]: Invalid value: "v1api20230101": .*missing from spec\.versions/s);
    expect(kubectl(cluster, 'get', 'storageaccounts.storage.azure.com', '-o', 'name').trim()).toBe(
      'storageaccount.storage.azure.com/installed',
    );
  });
}),
);
