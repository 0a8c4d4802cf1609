import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'undici';
import { slowConnections } from './webhook-port';
import { anonymousAccess, Connection, RestClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes';
import { startAzure, startKubernetes, type AzureSimulator, type SandboxKubernetes } from '../../sandbox';
import { Catalog } from '../../src/catalog';
import { FaultyKubernetes } from '../e2e/faulty-kubernetes';
import { MortalController } from '../e2e/kill/mortal-controller';
import { freePorts } from '../e2e/servers';
import { BEAT_MS, ControlProcess } from '../setup/control-process';
import { until } from '../setup/until';

/** Of the pod (src/operator/objects/deployment.ts), in milliseconds. */
const GRACE_MS = 20_000;
const NEVER_CLOSES = pathToFileURL(join(__dirname, 'never-closes.mjs')).href;
const NAMESPACES: ResourceType = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
const GROUPS: ResourceType = {
  group: 'resources.azure.com', version: 'v1api20200601', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true,
};

const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-ending-'));
let kubernetes: SandboxKubernetes;
let proxy: FaultyKubernetes;
let azure: AzureSimulator;
let connection: Connection;
let client: RestClient;
let controller: MortalController;
let control: ControlProcess;
let ports: { readonly health: number; readonly metrics: number; readonly webhooks: number; readonly inspector: number };
let opened: (() => void)[] = [];
/** Of each controller its own, with a Lease that no other one holds. */
let namespace = '';
let starts = 0;

beforeAll(async () => {
  kubernetes = await startKubernetes({ crds: [Catalog.default().kind('resources.azure.com', 'ResourceGroup')!] });
  proxy = await FaultyKubernetes.start(kubernetes.url);
  azure = await startAzure({ seed: 'ending' });
  control = await ControlProcess.start();
  connection = new Connection(anonymousAccess(kubernetes.url));
  client = new RestClient(connection);
  writeFileSync(join(directory, 'kubeconfig'), proxy.kubeconfig());
});

afterAll(async () => {
  await connection.close();
  await proxy.close();
  await Promise.all([kubernetes.close(), azure.close(), control.close()]);
  rmSync(directory, { recursive: true });
});

afterEach(async () => {
  for (const close of opened) close();
  opened = [];
  proxy.disturb = undefined;
  await controller.stop();
});

/** The built controller as the leader, with every port open. */
async function start(options: { readonly inspected?: boolean; readonly neverCloses?: boolean } = {}): Promise<void> {
  namespace = `operator-${(starts += 1)}`;
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const [health, metrics, webhooks, inspector] = await freePorts(4);
  ports = { health: health!, metrics: metrics!, webhooks: webhooks!, inspector: inspector! };
  const environment: Record<string, string> = {
    ...azure.env,
    KUBECONFIG: join(directory, 'kubeconfig'),
    POD_NAMESPACE: namespace,
    ...(options.inspected ? { NODE_OPTIONS: `--inspect=127.0.0.1:${ports.inspector}` } : {}),
    ...(options.neverCloses ? { NODE_OPTIONS: `--import=${NEVER_CLOSES}` } : {}),
  };
  const flags = [
    '--enable-leader-election', '--secure-metrics=false',
    '--health-addr', `127.0.0.1:${ports.health}`, '--metrics-addr', `127.0.0.1:${ports.metrics}`, '--webhook-port', String(ports.webhooks),
  ];
  controller = new MortalController({ environment, timeScale: 1, flags });
  controller.start();
  await until('the controller reconciles', () => controller.works);
}

/** SIGTERM: how the process ends. On a busy machine it may take longer than its grace period, so the answers of another one are counted. */
async function terminated(): Promise<string> {
  return (await controller.terminate(3 * GRACE_MS)).how;
}

/** A GET whose connection stays open. */
function getAndHold(port: number, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  opened.push(() => agent.destroy());
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent }, (answer) => {
      answer.on('end', () => resolve(answer.statusCode ?? 0)).resume();
    }).on('error', reject).end();
  });
}

/** A connection that sends a text, and reads nothing. */
function sendAndHold(port: number, text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.pause();
      socket.write(text, () => resolve(socket));
    });
    socket.on('error', reject);
    opened.push(() => socket.destroy());
  });
}

function group(name: string): KubernetesObject {
  return {
    apiVersion: `${GROUPS.group}/${GROUPS.version}`, kind: GROUPS.kind, metadata: { name, namespace }, spec: { location: 'uksouth' },
  } as KubernetesObject;
}

/** A PUT that Azure does not answer. */
async function hangingPut(name: string): Promise<void> {
  azure.faults.add({ hang: true, method: 'PUT', path: name });
  await client.create(GROUPS, group(name));
  await until('the PUT hangs', () => azure.log().some(({ method, path }) => method === 'PUT' && path.includes(name)));
}

async function debuggerAttached(port: number): Promise<void> {
  const list = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json() as { readonly webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(list[0]!.webSocketDebuggerUrl);
  opened.push(() => socket.close());
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.enable' }));
}

async function slowReviews(count: number): Promise<void> {
  opened.push(slowConnections(ports.webhooks, count));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

const SCRAPE = 'GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n';
interface Situation {
  /** In milliseconds of an idle machine. Default: 17 s. */
  readonly within?: number;
  readonly inspected?: boolean;
  readonly hold: () => Promise<unknown>;
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'nothing is open': { within: 3_000, hold: async () => undefined },
  'a scraper of the metrics with keep-alive': { within: 3_000, hold: () => getAndHold(ports.metrics, '/metrics') },
  'scrapers that do not read what they asked for': {
    within: 3_000, hold: () => Promise.all(Array.from({ length: 20 }, () => sendAndHold(ports.metrics, SCRAPE.repeat(50)))),
  },
  'clients of the webhooks that say nothing, or half of a review': {
    within: 9_000, hold: () => slowReviews(40),
  },
  'a client of the probes with keep-alive': { within: 3_000, hold: () => getAndHold(ports.health, '/healthz') },
  'clients of the probes that send half of a request': {
    within: 3_000, hold: () => Promise.all(Array.from({ length: 50 }, () => sendAndHold(ports.health, 'GET /readyz HTTP/1.1\r\n'))),
  },
  'Azure does not answer a PUT': { within: 12_000, hold: () => hangingPut('hanging') },
  'the API server answers nothing any more': { hold: async () => void (proxy.disturb = () => 'hang') },
  'a debugger is attached': { within: 3_000, inspected: true, hold: () => debuggerAttached(ports.inspector) },
  'all of them': {
    inspected: true,
    hold: async () => {
      await hangingPut('all');
      await getAndHold(ports.metrics, '/metrics');
      await getAndHold(ports.health, '/healthz');
      await slowReviews(40);
      await debuggerAttached(ports.inspector);
      proxy.disturb = () => 'hang';
    },
  },
};

test.each(Object.entries(SITUATIONS))('SIGTERM ends the process in time: %s', async (_, { within = GRACE_MS - 3_000, inspected, hold }) => {
  await start({ ...(inspected ? { inspected } : {}) });
  await hold();
  expect(await control.during(async () => expect(await terminated()).toBe('status 0'))).toBeLessThan(within / BEAT_MS);
});

test('a process that does not end by itself ends with status 1 before its grace period is over', async () => {
  await start({ neverCloses: true });
  expect(await control.during(async () => expect(await terminated()).toBe('status 1'))).toBeLessThan(GRACE_MS / BEAT_MS);
  expect(controller.log).toContain('the process has not ended 18 s after the signal; it ends now');
});
