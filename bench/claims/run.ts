import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { startCluster, type BenchCluster } from './cluster';
import { timesOf, Watched } from './watched';
import type { KubernetesObject, RestClient } from '../../engine/kubernetes';
import { freePort } from '../../test/e2e/servers';
import { until } from '../../test/setup/until';
import { sumOf } from '../shared/environment/tested-controller';
import { usageOf } from '../shared/environment/usage';

const directory = fileURLToPath(new URL('.', import.meta.url));
const library = (...path: string[]) => join(directory, '..', '..', 'lib', ...path);
const GROUP = 'platform.example.com';
const PARTS = 'applyset.kubernetes.io/part-of';
const LONGEST = 1_800;
const USERS_AT_A_TIME = 10;

export interface ClaimsBench {
  readonly teams: number;
  readonly services: number;
  readonly speed: number;
  readonly say: (line: string) => void;
}

export interface Row {
  readonly what: string;
  readonly value: number | string;
}

/** Measures claims, then the same objects without claims. */
export async function measureClaims(options: ClaimsBench): Promise<Row[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'cdk8s-aso-claims-'));
  try {
    options.say('build');
    execFileSync(process.execPath, [
      library('cli', 'main.js'), 'api', 'build', join(directory, 'definition.ts'), '--out', temporary, '-n', 'cdk8s-aso-composer', '--name', 'composer',
    ], { stdio: ['ignore', 'ignore', 'inherit'] });
    const byClaims = await withCluster(options, (cluster) => claims(options, cluster, temporary));
    const alone = await withCluster(options, (cluster) => withoutClaims(options, cluster, byClaims.objects));
    return [
      ...byClaims.rows,
      { what: 'the same objects without claims: all Ready, s', value: seconds(alone) },
      { what: 'with claims, times that', value: (byClaims.allMs / alone).toFixed(2) },
    ];
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function withCluster<T>({ speed, say }: ClaimsBench, measure: (cluster: BenchCluster) => Promise<T>): Promise<T> {
  say('start a cluster');
  const cluster = await startCluster(speed);
  try {
    return await measure(cluster);
  } finally {
    await cluster.close();
  }
}

interface Measured {
  readonly rows: readonly Row[];
  /** From the first claim of a service to the last Ready. */
  readonly allMs: number;
  /** The composed objects, teams' first. */
  readonly objects: { readonly teams: readonly KubernetesObject[]; readonly services: readonly KubernetesObject[] };
}

async function claims({ teams, services, say }: ClaimsBench, cluster: BenchCluster, built: string): Promise<Measured> {
  const { client } = cluster;
  for (const file of ['crds.yaml', 'rights.yaml']) {
    for (const document of parseAllDocuments(readFileSync(join(built, file), 'utf8'))) await cluster.apply(document.toJS() as KubernetesObject);
  }
  await until('the kinds are served', async () => cluster.serves(GROUP, 'Service'));
  const platform = await cluster.as('pat', 'platform-engineers');
  const composer = await startComposer(cluster, built);
  try {
    say(`${teams} teams`);
    const teamNames = Array.from({ length: teams }, (_, index) => `team-${String(index + 1).padStart(2, '0')}`);
    const teamClaims = new Watched(client, cluster.typeOf({ apiVersion: `${GROUP}/v1`, kind: 'Team' }));
    await teamClaims.start();
    const teamsBegun = performance.now();
    for (const name of teamNames) {
      await apply(platform, cluster, {
        apiVersion: `${GROUP}/v1`, kind: 'Team', metadata: { name }, spec: { groups: [`users-of-${name}`], uses: ['service-bus'] },
      }, teamClaims);
    }
    await teamClaims.allReady(LONGEST, composer.check);
    const teamsMs = performance.now() - teamsBegun;

    say(`${services} services`);
    const serviceClaims = new Watched(client, cluster.typeOf({ apiVersion: `${GROUP}/v1`, kind: 'Service' }));
    await serviceClaims.start();
    const before = { usage: usageOf(composer.pid), writes: await composer.metric('cdk8s_aso_composer_writes_total') };
    const begun = performance.now();
    const users = await Promise.all(teamNames.map((name) => cluster.as(`user-of-${name}`, `users-of-${name}`)));
    const waiting = Array.from({ length: services }, (_, index) => index);
    await Promise.all(Array.from({ length: USERS_AT_A_TIME }, async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const team = index % teams;
        await apply(users[team]!, cluster, service(teamNames[team]!, `service-${Math.floor(index / teams) + 1}`), serviceClaims);
      }
    }));
    const appliedMs = performance.now() - begun;
    await serviceClaims.all('Synced', LONGEST, composer.check);
    const syncedMs = performance.now() - begun;
    await serviceClaims.allReady(LONGEST, composer.check);
    const allMs = performance.now() - begun;
    const usage = usageOf(composer.pid);
    const controller = cluster.controller.usage();
    const writes = (await composer.metric('cdk8s_aso_composer_writes_total')) - before.writes;
    const objects = { teams: await composed(cluster, await claimsOf(cluster, 'Team')), services: await composed(cluster, await claimsOf(cluster, 'Service')) };
    const synced = timesOf(serviceClaims.times('Synced'));
    const ready = timesOf(serviceClaims.times('Ready'));
    const after = timesOf(await lag(cluster, serviceClaims));
    return {
      allMs,
      objects,
      rows: [
        { what: 'teams: all Ready, s', value: seconds(teamsMs) },
        { what: 'objects of the teams', value: objects.teams.length },
        { what: 'services: applied by users, s', value: seconds(appliedMs) },
        { what: 'services: all Synced, s', value: seconds(syncedMs) },
        { what: 'claims a second, to Synced', value: (services / syncedMs * 1000).toFixed(1) },
        { what: 'objects of the services', value: objects.services.length },
        { what: 'objects written a second', value: (writes / syncedMs * 1000).toFixed(0) },
        { what: 'claim applied to Synced, median and p99, s', value: `${seconds(synced.median)} and ${seconds(synced.p99)}` },
        { what: 'claim applied to Ready, median and p99, s', value: `${seconds(ready.median)} and ${seconds(ready.p99)}` },
        { what: 'last object Ready to claim Ready, median and p99, s (Kubernetes\' times are whole seconds)', value: `${seconds(after.median)} and ${seconds(after.p99)}` },
        { what: 'services: all Ready, s', value: seconds(allMs) },
        { what: 'composer: processor, ms a claim', value: ((usage.cpuSeconds - before.usage.cpuSeconds) / services * 1000).toFixed(0) },
        { what: 'composer: memory at the start of the services and most, MiB', value: `${before.usage.residentMiB.toFixed(0)} and ${usage.peakMiB.toFixed(0)}` },
        { what: 'controller: memory most, MiB', value: controller.peakMiB.toFixed(0) },
      ],
    };
  } finally {
    await composer.stop();
  }
}

function service(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'Service',
    metadata: { name, namespace },
    spec: {
      queues: [{ name: `${name}-intake`, roles: ['QueueReceiver'] }],
      topics: [{ name: `${name}-events`, roles: ['TopicSender'], subscriptions: [{ name: 'audit' }] }],
    },
  } as unknown as KubernetesObject;
}

async function apply(client: RestClient, cluster: BenchCluster, object: object, watched: Watched): Promise<void> {
  const claim = object as KubernetesObject;
  watched.begins(claim);
  await client.patch(cluster.typeOf(claim), claim.metadata.name, claim.metadata.namespace, claim, 'application/apply-patch+yaml');
}

async function claimsOf(cluster: BenchCluster, kind: string): Promise<KubernetesObject[]> {
  return [...(await cluster.client.list(cluster.typeOf({ apiVersion: `${GROUP}/v1`, kind }), {})).items];
}

interface Entry {
  readonly group?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The objects of claims as they would be applied without them. */
async function composed(cluster: BenchCluster, of: readonly KubernetesObject[]): Promise<KubernetesObject[]> {
  const wanted = new Set(of.map(({ metadata }) => metadata.labels?.['applyset.kubernetes.io/id']));
  const kinds = new Set(of.flatMap(({ status }) => ((status as { objects?: Entry[] }).objects ?? []).map(({ group = '', kind }) => `${group}/${kind}`)));
  const found: KubernetesObject[] = [];
  for (const type of await cluster.types()) {
    // Each kind once, in the version that the server prefers: the newest.
    if (!kinds.delete(`${type.group}/${type.kind}`)) continue;
    const apiVersion = [type.group, type.version].filter(Boolean).join('/');
    for (const object of (await cluster.client.list(type, { labelSelector: PARTS })).items) {
      if (wanted.has(object.metadata.labels?.[PARTS])) found.push({ ...object, apiVersion, kind: type.kind });
    }
  }
  return found.map(plain);
}

/** Members that users write. */
function plain({ status: _, metadata, ...object }: KubernetesObject): KubernetesObject {
  const { name, namespace, labels, annotations } = metadata;
  const kept = (values: Readonly<Record<string, string>> = {}, dropped: RegExp) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => !dropped.test(key)));
  return {
    ...object,
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      labels: kept(labels, /applyset|^kubernetes\.io\/metadata/),
      annotations: kept(annotations, /^aso\.cdk8s\.io\/(composed-for|last-put|waiting|stopped-export|kept-members)|resource-id|operator-namespace|poller|latest-reconciled/),
    },
  } as KubernetesObject;
}

/** Milliseconds from the last Ready of a claim's Azure objects to its own. */
async function lag(cluster: BenchCluster, watched: Watched): Promise<number[]> {
  const last = new Map<string, number>();
  const ids = new Map((await claimsOf(cluster, 'Service')).map((claim) => [claim.metadata.labels!['applyset.kubernetes.io/id']!, claim]));
  for (const type of await cluster.types()) {
    if (!type.group.endsWith('.azure.com')) continue;
    for (const { metadata, status } of (await cluster.client.list(type, { labelSelector: PARTS })).items) {
      const id = metadata.labels?.[PARTS] ?? '';
      const at = status?.conditions?.find((one) => one.type === 'Ready')?.lastTransitionTime;
      if (ids.has(id) && at !== undefined) last.set(id, Math.max(last.get(id) ?? 0, Date.parse(at)));
    }
  }
  return [...last].map(([id, at]) => watched.readyAt(ids.get(id)!) - at);
}

async function withoutClaims({ say }: ClaimsBench, cluster: BenchCluster, { teams, services }: Measured['objects']): Promise<number> {
  say(`${teams.length} objects of the teams`);
  await all(cluster, teams);
  await azureReady(cluster);
  say(`${services.length} objects of the services`);
  const begun = performance.now();
  await all(cluster, services);
  await azureReady(cluster);
  return performance.now() - begun;
}

const RANKS = ['Namespace', 'ServiceAccount', 'ResourceQuota', 'LimitRange', 'Secret'];

async function all(cluster: BenchCluster, objects: readonly KubernetesObject[]): Promise<void> {
  const rank = ({ kind = '' }: KubernetesObject) => (RANKS.indexOf(kind) + RANKS.length + 1) % (RANKS.length + 1);
  const waiting = [...objects].sort((a, b) => rank(a) - rank(b));
  const namespaces = waiting.filter(({ kind }) => kind === 'Namespace');
  for (const object of namespaces) await cluster.apply(object);
  const others = waiting.slice(namespaces.length);
  await Promise.all(Array.from({ length: USERS_AT_A_TIME }, async () => {
    for (let next = others.shift(); next !== undefined; next = others.shift()) await cluster.apply(next);
  }));
}

async function azureReady(cluster: BenchCluster): Promise<void> {
  const types = (await cluster.types()).filter(({ group }) => group.endsWith('.azure.com'));
  const isReady = ({ status }: KubernetesObject) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
  await until('all objects are Ready', async () => {
    for (const type of types) if (!(await cluster.client.list(type, {})).items.every(isReady)) return false;
    return true;
  }, LONGEST);
}

interface RunningComposer {
  readonly pid: number;
  /** @throws Error when it has ended */
  readonly check: () => void;
  metric(name: string): Promise<number>;
  stop(): Promise<void>;
}

/** The built composer with the token of its service account: it has the rights that `api build` prints, and no others. */
async function startComposer(cluster: BenchCluster, built: string): Promise<RunningComposer> {
  const kubeconfig = join(built, 'kubeconfig');
  writeFileSync(kubeconfig, await cluster.kubeconfigOf('cdk8s-aso-composer', 'composer'), { mode: 0o600 });
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [
    library('composer', 'main.js'), '--bundle', join(built, 'bundle.js'), '--kubeconfig', kubeconfig, '--namespace', 'cdk8s-aso-composer', '--metrics-addr', `127.0.0.1:${port}`,
  ], { stdio: ['ignore', 'ignore', 'pipe'] });
  const tail: string[] = [];
  child.stderr!.on('data', (data: Buffer) => {
    tail.push(data.toString());
    if (tail.length > 20) tail.shift();
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  process.once('exit', () => void child.kill('SIGKILL'));
  return {
    pid: child.pid!,
    check: () => {
      if (child.exitCode !== null) throw new Error(`the composer has ended:\n${tail.join('')}`);
    },
    metric: async (name) => sumOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), name),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
