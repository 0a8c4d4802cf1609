import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writesOf } from './writes';
import { withConcurrency, APPLIED_AT_A_TIME, percentile, perObject, round, sleep, type Row } from '../controller/bench';
import { kindsInUse, startEnvironment, type AzureRequest, type BenchEnvironment } from '../shared/environment/environment';
import { kubernetesTraffic, sumOfTraffic, trafficRows, type KubernetesTraffic } from '../shared/environment/kubernetes-traffic';
import { criticalPath, limitsSeconds } from '../shared/environment/lower-bounds';
import { nameOf, ObjectsSeen } from '../shared/environment/objects-seen';
import { subscriptionId, teamsOf, type Team } from '../shared/environment/teams';
import { TestedController } from '../shared/environment/tested-controller';

export interface ShardsBench {
  readonly objects: number;
  readonly replicas: number;
  readonly speed: number;
  readonly subscriptions: number;
  /** A replica is killed when so many percent of the objects are Ready; 0: none. */
  readonly killPercent: number;
  /** The memory limit of each replica, in MiB. */
  readonly memory: number;
  readonly kubernetes: 'embedded' | 'real';
  readonly logs?: string | undefined;
  readonly say: (line: string) => void;
}

const LONGEST_MS = 7_200_000;
const PROGRESS_MS = 15_000;
const FLAGS = ['--enable-leader-election', '--shards', 'auto'];

/** Measures replicas that share the namespaces. Everything that it starts ends with it. */
export async function measureShards(options: ShardsBench): Promise<Row[]> {
  const { speed, say, replicas, memory, logs } = options;
  say('starting the servers');
  const environment = await startEnvironment({ kubernetes: options.kubernetes, kinds: kindsInUse(), speed, azure: { limits: true } });
  const seen = new ObjectsSeen();
  const started = Array.from({ length: replicas }, (_, index) => new TestedController({
    environment: { ...environment.environment, AZURE_SUBSCRIPTION_ID: subscriptionId(0), POD_NAME: `replica-${index + 1}` },
    flags: FLAGS,
    speed,
    memory,
    logFile: logs && join(logs, `replica-${index + 1}.log`),
  }));
  try {
    const { AZURE_TENANT_ID: tenantId, AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret } = environment.azure;
    const teams = teamsOf(options.objects, options.subscriptions, { tenantId, clientId, clientSecret });
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: environment.environment.POD_NAMESPACE! } };
    await environment.apply(namespace);
    await seen.watch(environment.client, environment.usedTypes);
    say(`${teams.length} teams; starting ${replicas} replicas`);
    await Promise.all(started.map((replica) => replica.start()));
    return await new Measurement(options, environment, seen, started, teams).run();
  } finally {
    seen.end();
    await Promise.all(started.map((replica) => replica.stop()));
    await environment.close();
  }
}

class Measurement {
  private readonly names: readonly string[];
  private requests: AzureRequest[] = [];
  /** Of the replica that was killed, just before. */
  private killedTraffic: KubernetesTraffic[] = [];

  public constructor(
    private readonly options: ShardsBench,
    private readonly environment: BenchEnvironment,
    private readonly seen: ObjectsSeen,
    private readonly replicas: readonly TestedController[],
    private readonly teams: readonly Team[],
  ) {
    this.names = teams.flatMap(({ objects }) => objects.map(nameOf));
  }

  public async run(): Promise<Row[]> {
    const { options: { speed, killPercent, say }, environment, teams, names, seen } = this;
    const objects = teams.flatMap((team) => team.objects);
    await withConcurrency(teams, APPLIED_AT_A_TIME, async ({ core }) => {
      for (const object of core) await environment.apply(object);
    });
    const first = Date.now();
    // Objects are applied while the replicas work, as users do it.
    const applied = withConcurrency(objects, APPLIED_AT_A_TIME, (object) => environment.apply(object)).then(() => {
      say(`${objects.length} objects applied in ${round((Date.now() - first) / 1000)} s`);
      return Date.now();
    });
    applied.catch(() => undefined);
    const killed = killPercent > 0 && this.replicas.length > 1 ? await this.kill(first) : [];
    await this.wait('all objects are Ready', () => seen.settled(names) === names.length, first);
    const appliedSeconds = (await applied - first) / 1000;
    const seconds = Math.max(...names.map((name) => seen.settledAt(name)! - first)) / 1000;
    await this.collect();
    const { logs } = this.options;
    const lines = this.requests.map((request) => `${JSON.stringify(request)}\n`);
    if (logs !== undefined) writeFileSync(join(logs, 'requests.ndjson'), lines.join(''));
    const { path, seconds: chain } = criticalPath(objects);
    const limits = limitsSeconds(this.requests) / speed;
    const { twice, deletes, puts } = writesOf(this.requests);
    const count = objects.length;
    return [
      { what: 'objects, namespaces', value: `${count}, ${teams.length}` },
      { what: 'applied in, s', value: round(appliedSeconds) },
      { what: 'all Ready after, s', value: round(seconds) },
      { what: `critical path, s (${path.map(({ kind }) => kind).join(' → ')})`, value: round(chain / speed) },
      { what: "Azure's request limits, s", value: round(limits) },
      { what: 'as a multiple of the longer of the two', value: round(seconds / Math.max(chain / speed, limits), 2) },
      { what: 'ARM requests per object to Ready', value: `${round(this.requests.length / count, 2)}: ${perObject(this.requests, count)}` },
      { what: 'refused with 429', value: this.requests.filter(({ status }) => status === 429).length },
      ...killed,
      { what: 'resources created twice; DELETEs', value: `${twice}; ${deletes}`, aim: '0; 0' },
      { what: 'PUTs beyond one an object', value: puts - count },
      ...(await this.usage(count)),
    ];
  }

  /** SIGKILL of the replica with most work, and how long its namespaces were looked after by nobody. */
  private async kill(first: number): Promise<Row[]> {
    const { names, seen, options: { killPercent, say }, replicas, teams } = this;
    await this.wait(`${killPercent} % are Ready`, () => seen.settled(names) >= names.length * killPercent / 100, first);
    const [victim, ...others] = [...replicas].sort((a, b) => b.reconciles.length - a.reconciles.length);
    if (!victim) return [];
    const namespaces = new Set(victim.reconciles.map(namespaceOf));
    const open = teams.filter((team) => namespaces.has(team.namespace) && seen.unsettled(team.objects.map(nameOf)).length > 0);
    const left = new Map(open.map((team) => [team.namespace, others.map((other) => other.reconciles.length)]));
    const { residentMiB, peakMiB } = victim.usage();
    this.killedTraffic = [kubernetesTraffic(await victim.metrics())];
    process.kill(victim.pid, 'SIGKILL');
    const at = Date.now();
    say(`killed a replica with ${namespaces.size} namespaces, ${open.length} of them with work`);
    const waits: number[] = [];
    await this.wait('others look after its namespaces', () => {
      for (const [namespace, heard] of left) {
        const line = others.flatMap((other, index) => other.reconciles.slice(heard[index])).find((one) => namespaceOf(one) === namespace);
        if (!line) continue;
        left.delete(namespace);
        waits.push((line.at - at) / 1000);
      }
      return left.size === 0;
    }, first);
    const times = [Math.min(...waits), percentile(waits, 50), Math.max(...waits)].map((one) => round(one)).join(', ');
    return [
      { what: 'killed at, s', value: round((at - first) / 1000) },
      { what: '… its namespaces, of them with work', value: `${namespaces.size}, ${open.length}` },
      { what: '… its memory, MiB, at most', value: `${round(residentMiB)}, ${round(peakMiB)}` },
      { what: '… looked after by another replica after, s: first, median, last', value: times },
    ];
  }

  private async usage(objects: number): Promise<Row[]> {
    const running = this.replicas.filter(({ isRunning }) => isRunning);
    const usages = running.map((replica) => replica.usage());
    const traffic = await Promise.all(running.map(async (replica) => kubernetesTraffic(await replica.metrics())));
    const cpuSeconds = usages.reduce((sum, usage) => sum + usage.cpuSeconds, 0);
    const server = await this.environment.apiServer();
    return [
      ...usages.map((usage, index) => ({
        what: `replica that was not killed, ${index + 1}: memory at the end, at most, MiB; processor s`,
        value: `${round(usage.residentMiB)}, ${round(usage.peakMiB)}; ${round(usage.cpuSeconds)}`,
      })),
      { what: 'processor of these replicas, ms an object', value: round(cpuSeconds / objects * 1000) },
      ...trafficRows(sumOfTraffic([...this.killedTraffic, ...traffic]), objects),
      ...(server ? [
        { what: 'kube-apiserver: memory, MiB; processor s', value: `${round(server.residentMiB)}; ${round(server.cpuSeconds)}` },
        { what: "etcd's database, MiB", value: round(server.storageMiB) },
      ] : []),
    ];
  }

  private async wait(what: string, done: () => boolean, first: number): Promise<void> {
    const { seen, names, replicas, options: { say } } = this;
    for (let reported = Date.now(); !done();) {
      if (Date.now() - first > LONGEST_MS) throw new Error(`waited in vain until ${what}; not Ready: ${seen.unsettled(names).slice(0, 10).join(', ')}`);
      if (Date.now() - reported > PROGRESS_MS) {
        reported = Date.now();
        await this.collect();
        const memory = replicas.filter((replica) => replica.isRunning).map((replica) => Math.round(replica.usage().residentMiB)).join(', ');
        say(`${Math.round((reported - first) / 1000)} s: ${seen.settled(names)} of ${names.length} Ready, ${this.requests.length} requests, ${memory} MiB`);
      }
      await sleep(200);
    }
  }

  private async collect(): Promise<void> {
    this.requests = [...this.requests, ...(await this.environment.requests(this.requests.length))];
  }
}

/** `team-1` of `storageaccounts team-1/name`. */
function namespaceOf({ object }: { readonly object: string }): string {
  return /^\S+ ([^/]+)\//.exec(object)?.[1] ?? '';
}
