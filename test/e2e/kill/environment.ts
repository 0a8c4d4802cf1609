import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { slowLists, type SlowLists } from './slow-lists';
import { anonymousAccess, Connection, loadClusterAccess, RestClient } from '../../../engine/kubernetes';
import { startAzure, startKubernetes } from '../../../sandbox';
import type { Fault, LoggedRequest } from '../../../sandbox/azure';
import type { Kind } from '../../../src/catalog';
import { startReal } from '../real-cluster';

/** Fate of a request: `kill` the controller after the request has arrived, or before. */
type Verdict = 'go on' | 'lose it';

/** A request of the controller, before it has any effect. */
export interface Passing {
  readonly to: 'Kubernetes' | 'Azure';
  readonly method: string;
}

/** Where the controller works. */
export interface TestEnvironment {
  readonly connection: Connection;
  readonly client: RestClient;
  readonly environment: Readonly<Record<string, string>>;
  readonly caPem: string;
  /** Whether a garbage collector removes the dependents of deleted objects. */
  readonly collectsGarbage: boolean;
  /** Delays of the controller's lists; absent if there are none. */
  readonly slowLists?: SlowLists | undefined;
  /** Calls for every request of the controller; undefined if they cannot be observed. */
  readonly onRequest?: (watch: (request: Passing) => Verdict) => void;
  /** All requests to Azure so far. */
  requests(): Promise<readonly LoggedRequest[]>;
  /** Something that goes wrong in Azure; undefined: nothing goes wrong any more. */
  fault(fault?: Fault): Promise<void>;
  /** All resources in Azure. */
  resources(): Promise<readonly Record<string, any>[]>;
  close(): Promise<void>;
}

/** The sandbox in this process, which so sees each request of the controller before it has any effect. */
export async function sandboxEnvironment(
  kinds: readonly Kind[], timeScale: number, seed: number | string, slowListsMs = 0,
): Promise<TestEnvironment> {
  let watch: (request: Passing) => Verdict = () => 'go on';
  const kubernetes = await startKubernetes({
    crds: kinds,
    intercept: ({ method, userAgent }) =>
      userAgent.startsWith('cdk8s-aso-controller') && watch({ to: 'Kubernetes', method }) === 'lose it' ? 'reset' : undefined,
  });
  const azure = await startAzure({ timeScale, seed: String(seed) });
  const take = azure.faults.take.bind(azure.faults);
  azure.faults.take = (method, path) => (watch({ to: 'Azure', method }) === 'lose it' ? { drop: true } : take(method, path));
  // The simulator forgets the oldest requests; this does not.
  const seen = new Set<LoggedRequest>();
  const remember = () => azure.log().forEach((logged) => seen.add(logged));
  const timer = setInterval(remember, 500);
  const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-kill-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const slow = slowListsMs > 0 ? await slowLists({ url: kubernetes.url, longestMs: slowListsMs, seed: Number(seed) + 2 }) : undefined;
  writeFileSync(kubeconfig, slow ? kubernetes.kubeconfig().replaceAll(kubernetes.url, slow.url) : kubernetes.kubeconfig());
  const connection = new Connection(anonymousAccess(kubernetes.url), { userAgent: 'test' });
  return {
    connection,
    client: new RestClient(connection),
    environment: { ...azure.env, KUBECONFIG: kubeconfig, POD_NAMESPACE: 'azureserviceoperator-system' },
    caPem: azure.caPem,
    collectsGarbage: true,
    slowLists: slow,
    onRequest: (next) => (watch = next),
    requests: async () => {
      remember();
      return [...seen];
    },
    fault: async (fault) => {
      if (fault) azure.faults.add(fault);
      else azure.faults.clear();
    },
    resources: async () => azure.resources(),
    close: async () => {
      clearInterval(timer);
      await slow?.close();
      await Promise.all([connection.close(), kubernetes.close(), azure.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Real etcd and kube-apiserver: what the controller asks of them is not seen, so it dies by the clock. */
export async function realEnvironment(kinds: readonly Kind[], timeScale: number): Promise<TestEnvironment> {
  const cluster = await startReal({ kinds, timeScale });
  const connection = new Connection(await loadClusterAccess({ path: cluster.kubeconfig }), { userAgent: 'test' });
  const caPem = readFileSync(cluster.environment.NODE_EXTRA_CA_CERTS!, 'utf8');
  const dispatcher = new Agent({ connect: { ca: caPem } });
  return {
    connection,
    client: new RestClient(connection),
    environment: cluster.environment,
    caPem,
    collectsGarbage: cluster.deletesNamespaces,
    requests: async () => (await cluster.azure('/__requests')).requests as LoggedRequest[],
    fault: async (fault) => {
      const answer = await request(`${cluster.environment.AZURE_RESOURCE_MANAGER_ENDPOINT}/__faults`, {
        dispatcher, method: fault ? 'POST' : 'DELETE', ...(fault ? { body: JSON.stringify(fault) } : {}),
      });
      if (answer.statusCode > 204) throw new Error(`/__faults: ${await answer.body.text()}`);
      await answer.body.dump();
    },
    resources: async () => (await cluster.azure('/__resources')).value as Record<string, any>[],
    close: async () => {
      await Promise.all([connection.close(), dispatcher.close()]);
      await cluster.close();
    },
  };
}
