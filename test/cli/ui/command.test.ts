import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { browserCommand, forwardingPage } from '../../../cli/ui/open-in-browser';
import { planOfNode } from '../../../cli/ui/plan-of-node';
import { runUi } from '../../../cli/ui/run';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import type { WireDetail, WirePlan, WireSnapshot } from '../../../page/wire';
import { azure, inspected, READY, warning } from '../../engine/inspect/snapshots';
import { captured } from '../capture';
import { LiveCluster } from '../status/live-cluster';

const GROUP = 'resources.azure.com/ResourceGroup/shop/shop';

/** Runs the command until `act` is done. */
async function whileServed(
  options: { kubeconfig: string; namespace?: string }, act: (get: <T>(path: string) => Promise<T>) => Promise<void>,
): Promise<number> {
  const terminal = captured();
  const stop = new AbortController();
  const status = runUi({ ...options, open: false }, terminal, {}, stop.signal);
  try {
    const url = await until(() => new URL(/http:\S+/.exec(terminal.out.join(' '))![0]));
    const authorization = `Bearer ${url.hash.slice('#token='.length)}`;
    await act(async <T>(path: string) => {
      const answer = await fetch(`${url.origin}/${path}`, { headers: { authorization } });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return await answer.json() as T;
    });
  } finally {
    stop.abort();
  }
  return status;
}

async function until<T>(get: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    try {
      return await get();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

test('the page shows what the cluster has, and each change; only GET is sent', async () => {
  const cluster = await LiveCluster.start('ResourceGroup', 'StorageAccount');
  const methods = new Set<string>();
  cluster.intercept(({ method, userAgent }) => {
    if (!userAgent.startsWith('test')) methods.add(method);
    return undefined;
  });
  try {
    const group = azure('ResourceGroup', 'shop', { spec: { location: 'westeurope' }, ready: warning('AuthorizationFailed', 'no right') });
    const account = azure('StorageAccount', 'data', { spec: { owner: { name: 'shop' }, kind: 'StorageV2', location: 'westeurope', sku: { name: 'Standard_LRS' } }, ready: warning('WaitingForOwner') });
    await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }, withoutUid(group), withoutUid(account));
    const status = await whileServed({ kubeconfig: cluster.kubeconfig }, async (get) => {
      const snapshot = await until(() => get<WireSnapshot>('api/snapshot'));
      expect(snapshot.nodes.map(({ kind, name, state }) => [kind, name, state])).toEqual([['ResourceGroup', 'shop', 'Warning'], ['StorageAccount', 'data', 'Waiting']]);
      expect(snapshot.summary.causes).toMatchObject([{ title: 'ResourceGroup shop/shop', count: 2 }]);
      const detail = await get<WireDetail>('api/object?key=storage.azure.com/StorageAccount/shop/data');
      expect(detail.chain.map(({ title }) => title)).toEqual(['StorageAccount shop/data', 'ResourceGroup shop/shop']);
      expect(detail.yaml).toContain('name: Standard_LRS');
      const plan = await get<WirePlan>('api/plan?key=storage.azure.com/StorageAccount/shop/data');
      expect(plan.problems).toEqual([]);
      expect(plan.text).toMatch(/PUT \/subscriptions\/11111111-2222-3333-4444-555555555555\/resourceGroups\/shop\/providers\/Microsoft.Storage\/storageAccounts\/data\?api-version=/);
      await cluster.delete(withoutUid(account));
      await until(async () => expect((await get<WireSnapshot>('api/snapshot')).nodes.map(({ key }) => key)).toEqual([GROUP]));
    });
    expect(status).toBe(0);
    expect([...methods]).toEqual(['GET']);
  } finally {
    await cluster.close();
  }
});

test('what may not be read is said', async () => {
  const cluster = await LiveCluster.start('ResourceGroup', 'StorageAccount');
  try {
    cluster.refuse('storageaccounts', 'deployments', 'leases');
    await whileServed({ kubeconfig: cluster.kubeconfig }, async (get) => {
      const { summary } = await until(() => get<WireSnapshot>('api/snapshot'));
      expect(summary.unread.join(' ')).toContain('StorageAccount.storage.azure.com');
      expect(summary.controllers).toEqual(['not known, since neither Deployments nor Leases may be read']);
    });
  } finally {
    await cluster.close();
  }
});

describe('a sentence and status 1', () => {
  const failed = async (options: { kubeconfig: string; port?: number; namespace?: string }) => {
    const terminal = captured();
    expect(await runUi({ ...options, open: false }, terminal, {})).toBe(1);
    expect(terminal.err).toHaveLength(1);
    return terminal.err[0];
  };

  test('for a cluster without ASO or the namespace, and for a port that is taken', async () => {
    const cluster = await LiveCluster.start();
    try {
      expect(await failed({ kubeconfig: cluster.kubeconfig })).toContain('the cluster has no CRD of Azure Service Operator');
    } finally {
      await cluster.close();
    }
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const served = await LiveCluster.start('ResourceGroup');
    try {
      expect(await failed({ kubeconfig: served.kubeconfig, namespace: 'shpo' })).toBe('the cluster has no namespace shpo');
      expect(await failed({ kubeconfig: served.kubeconfig, port })).toBe(`port ${port} is taken: choose another with --port, or none`);
    } finally {
      await served.close();
      other.close();
    }
  });

  test('for a cluster that does not answer', async () => {
    const cluster = await LiveCluster.start();
    const kubeconfig = cluster.kubeconfig;
    const text = readFileSync(kubeconfig, 'utf8');
    await cluster.close();
    const { filesIn } = await import('../capture');
    expect(await failed({ kubeconfig: `${filesIn({ kubeconfig: text })}/kubeconfig` })).toMatch(/ECONNREFUSED|refused/);
  });
});

test('the plan of an object needs its owners and references only, and has no secret', () => {
  const objects = new Map<string, KubernetesObject>();
  const add = (object: KubernetesObject) => {
    objects.set(object.metadata.name, object);
    return object;
  };
  const inspection = inspected({
    objects: [
      add(azure('ResourceGroup', 'group', { ready: READY })),
      add(azure('StorageAccount', 'data', { ready: READY, spec: { owner: { name: 'group' }, kind: 'StorageV2', location: 'westeurope', sku: { name: 'Standard_LRS' }, tags: { password: 'hunter2hunter2' } } })),
      add(azure('StorageAccount', 'lost', { ready: warning('WaitingForOwner'), spec: { owner: { name: 'nowhere' }, kind: 'StorageV2', location: 'westeurope', sku: { name: 'Standard_LRS' } } })),
    ],
  });
  const planOf = (name: string) => planOfNode(inspection.nodes.find((node) => node.name === name)!, inspection, (node) => objects.get(node.name), { AZURE_SUBSCRIPTION_ID: '11111111-2222-3333-4444-555555555555' });
  expect(planOf('data').text).toContain('PUT /subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/');
  expect(planOf('data').text).not.toContain('hunter2');
  expect(planOf('lost')).toMatchObject({ problems: [expect.stringContaining('nowhere')] });
  expect(planOf('lost').text).toBeUndefined();
});

test('the browser gets a file that leads to the address, not the token', () => {
  expect(browserCommand('file:///tmp/x.html', 'linux')).toEqual(['xdg-open', 'file:///tmp/x.html']);
  expect(browserCommand('file:///tmp/x.html', 'darwin')).toEqual(['open', 'file:///tmp/x.html']);
  expect(browserCommand('file:///C:/x.html', 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', 'file:///C:/x.html']);
  expect(forwardingPage('http://127.0.0.1:1/#token=a_b-c')).toContain('url=http://127.0.0.1:1/#token=a_b-c"');
});

function withoutUid(object: KubernetesObject): KubernetesObject {
  const { uid, creationTimestamp, ...metadata } = object.metadata;
  return { ...object, metadata };
}
