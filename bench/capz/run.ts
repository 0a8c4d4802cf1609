import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anonymousAccess, Connection } from '../../engine/kubernetes';
import { startAzure, startKubernetes } from '../../sandbox';
import { Api, type ObjectName } from '../../test/e2e/capz/api';
import { AsoManagedCluster, type ClusterDefinition } from '../../test/e2e/capz/aso-managed';
import { capzKinds, createOwnerCrds } from '../../test/e2e/capz/kinds';
import { until } from '../../test/setup/until';
import { TestedController } from '../shared/environment/tested-controller';

export interface CapzOptions {
  readonly clusters: number;
  readonly speed: number;
  /** The memory limit that the heap is made for, in MiB. */
  readonly memory: number;
  readonly say: (line: string) => void;
}

export interface Row {
  readonly step: string;
  readonly seconds: number;
  readonly writes: number;
  readonly reads: number;
  readonly polls: number;
  readonly actions: number;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
}

/** As many as CAPZ reconciles at a time. */
const AT_A_TIME = 10;
const POOLS = ['pool0', 'pool1', 'pool2', 'pool3', 'pool4'];
const SECONDS = 1_800;
const RESTING_SECONDS = 30;

export async function measureCapz({ clusters, speed, memory, say }: CapzOptions): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-bench-capz-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const kubernetes = await startKubernetes({ crds: capzKinds, defaultAzureName: true });
  const azure = await startAzure({ timeScale: speed });
  const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'capz-manager' });
  writeFileSync(kubeconfig, kubernetes.kubeconfig());
  await createOwnerCrds(connection);
  const controller = new TestedController({
    environment: { ...azure.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: 'capz-system' }, speed, memory,
  });
  await controller.start();
  const api = new Api(connection);
  const all = Array.from({ length: clusters }, (_, number) => new AsoManagedCluster(api, definitionOf(`c${number}`)));
  const rows: Row[] = [];
  const step = async (name: string, act: () => Promise<unknown>) => {
    const [before, pid, cpu, began] = [azure.requests(), controller.pid, controller.usage().cpuSeconds, Date.now()];
    await act();
    const [after, usage] = [azure.requests(), controller.usage()];
    const sent = (...methods: string[]) => methods.reduce(
      (sum, method) => sum + (after.byMethod[method] ?? 0) - (before.byMethod[method] ?? 0), 0,
    );
    const polls = after.polls - before.polls;
    const row = {
      step: name,
      seconds: round((Date.now() - began) / 1000),
      writes: sent('PUT', 'PATCH', 'DELETE'),
      reads: sent('GET') - polls,
      polls,
      actions: sent('POST'),
      cpuSeconds: round(usage.cpuSeconds - (controller.pid === pid ? cpu : 0)),
      residentMiB: Math.round(usage.residentMiB),
    };
    rows.push(row);
    say(JSON.stringify(row));
  };
  const ready = async () => {
    let waiting = all;
    await until('all clusters are ready', async () => {
      const left: AsoManagedCluster[] = [];
      await inTurns(waiting, async (one) => {
        if (!(await one.reconcile())) left.push(one);
      });
      waiting = left;
      return left.length === 0;
    }, SECONDS);
  };
  const isGone = (what: ObjectName) => (
    until(`${what.kind} ${what.metadata.name} is gone`, async () => (await api.get(what)) === undefined, SECONDS));
  try {
    await step('create', async () => {
      await inTurns(all, (one) => one.create());
      await ready();
    });
    await step('pause', () => inTurns(all, (one) => one.pause()));
    await step('unpause', ready);
    await step(`${RESTING_SECONDS} s at rest`, () => new Promise((resolve) => setTimeout(resolve, RESTING_SECONDS * 1000)));
    await step('restart, and ready', async () => {
      await controller.stop();
      await controller.start();
      await ready();
    });
    await step('delete', () => Promise.all(all.map((one) => one.delete(isGone))));
    return rows;
  } finally {
    await controller.stop();
    await Promise.all([connection.close(), kubernetes.close(), azure.close()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Fifteen Azure objects: group, network with three subnets, NAT gateway, cluster with two extensions and a maintenance window, five pools.
 */
function definitionOf(name: string): ClusterDefinition {
  return {
    name,
    version: 'v1.33.1',
    withNetwork: true,
    pools: POOLS.map((pool, index) => ({ name: pool, mode: index === 0 ? 'System' : 'User', replicas: 2 })),
  };
}

async function inTurns<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values();
  await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
    for (const item of waiting) await act(item);
  }));
}

const round = (value: number): number => Math.round(value * 10) / 10;
