import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anonymousAccess, Connection, RestClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { startKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';

const directory = fileURLToPath(new URL('.', import.meta.url));
const CLI = join(directory, '..', '..', 'lib', 'cli', 'main.js');
const AT_A_TIME = 16;
const PER_GROUP = 50;
const NAMESPACES = 20;
const GROUPS: ResourceType = {
  group: 'resources.azure.com', version: 'v1api20200601', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true,
};
const ACCOUNTS: ResourceType = {
  group: 'storage.azure.com', version: 'v1api20230101', plural: 'storageaccounts', kind: 'StorageAccount', namespaced: true,
};
const NAMESPACE: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };

export interface StatusSample {
  /** Until the first character of the result. */
  readonly firstPaintMs: number;
  readonly cpuMs: number;
  /** Largest resident set. */
  readonly memoryMiB: number;
}

/** Measures the built CLI on so many objects; all kinds of the catalog are served. */
export async function measureStatus(objects: number, runs: number): Promise<{ name: string; samples: StatusSample[] }[]> {
  const kubernetes = await startKubernetes({ crds: Catalog.default().allKinds });
  const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'bench' });
  const temporary = mkdtempSync(join(tmpdir(), 'bench-status-'));
  const kubeconfig = join(temporary, 'kubeconfig');
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  try {
    const client = new RestClient(connection);
    await fill(client, objects);
    const cases = { 'status': [], 'status --output json': ['--output', 'json'], 'status -n team-0': ['-n', 'team-0'] };
    const results = [];
    for (const [name, args] of Object.entries(cases)) {
      const samples: StatusSample[] = [];
      for (let run = 0; run < runs; run += 1) samples.push(await measured(['status', '--kubeconfig', kubeconfig, ...args], temporary));
      results.push({ name, samples });
    }
    const samples: StatusSample[] = [];
    for (let run = 0; run < runs; run += 1) {
      samples.push(await measured(['why', 'StorageAccount/data-0-1', '-n', 'team-0', '--kubeconfig', kubeconfig], temporary));
    }
    return [...results, { name: 'why StorageAccount/data-0-1 -n team-0', samples }];
  } finally {
    await connection.close();
    await kubernetes.close();
    rmSync(temporary, { recursive: true });
  }
}

/** Creates so many objects in twenty namespaces. */
export async function fill(client: RestClient, count: number): Promise<void> {
  for (let index = 0; index < NAMESPACES; index += 1) {
    await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `team-${index}` } });
  }
  const all = Array.from({ length: count }, (_, index) => objectAt(index));
  const worker = async () => {
    for (let next = all.pop(); next; next = all.pop()) {
      const { status, ...rest } = next.object;
      const created = await client.create(next.type, rest);
      await client.replaceStatus(next.type, { ...created, ...(status ? { status } : {}) });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

function objectAt(index: number): { readonly type: ResourceType; readonly object: KubernetesObject } {
  const group = Math.floor(index / PER_GROUP);
  const isGroup = index % PER_GROUP === 0;
  const isHealthy = group % 2 === 1;
  const type = isGroup ? GROUPS : ACCOUNTS;
  const name = isGroup ? `group-${group}` : `data-${group}-${index % PER_GROUP}`;
  const reason = isHealthy ? 'Succeeded' : isGroup ? 'AuthorizationFailed' : 'WaitingForOwner';
  return {
    type,
    object: {
      apiVersion: `${type.group}/${type.version}`,
      kind: type.kind,
      metadata: {
        name,
        namespace: `team-${group % NAMESPACES}`,
        annotations: { 'serviceoperator.azure.com/operator-namespace': 'azureserviceoperator-system' },
      },
      spec: isGroup
        ? { location: 'uksouth' }
        : { owner: { name: `group-${group}` }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, tags: { team: 'a' } },
      status: {
        conditions: [{
          type: 'Ready',
          status: isHealthy ? 'True' : 'False',
          ...(isHealthy ? {} : { severity: 'Warning' as const, message: 'The client does not have authorization to perform the action.' }),
          lastTransitionTime: '2026-01-01T00:00:00Z',
          observedGeneration: 1,
          reason,
        }],
      },
    },
  };
}

function measured(args: readonly string[], temporary: string): Promise<StatusSample> {
  const usage = join(temporary, 'usage.json');
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', join(directory, 'usage.cjs'), CLI, ...args], {
    env: { ...process.env, BENCH_USAGE: usage },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let firstPaintMs = NaN;
  child.stdout.on('data', () => {
    if (Number.isNaN(firstPaintMs)) firstPaintMs = performance.now() - start;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status !== 0) return reject(new Error(`cdk8s-aso ${args.join(' ')} ended with ${status}`));
      resolve({ firstPaintMs, ...(JSON.parse(readFileSync(usage, 'utf8')) as Omit<StatusSample, 'firstPaintMs'>) });
    });
  });
}
