import { ArmHttp } from './arm-http';
import { ENDPOINT, SUBSCRIPTION, type Answer, type AzureModel, type AzureRequest } from './azure-model';
import { Delivered } from './delivered';
import { entra, type Principal } from './entra';
import type { Invariants } from './invariants';
import { OPERATOR } from './kinds';
import { KubeHttp } from './kube-http';
import type { KubeModel } from './kube-model';
import type { KubeWatch } from './kube-watch';
import { LimitWatch } from './limit-watch';
import type { LimitsModel } from './limits-model';
import type { LinkOptions } from './link';
import type { GivenTrouble } from './list-troubles';
import { listeningLogger } from './listening-logger';
import type { Process } from './process';
import type { ProtocolTime } from './protocol-time';
import type { SettledWrites } from './settled-writes';
import { ShardReplica } from './shard-replica';
import type { ShareWatch } from './share-watch';
import { Metrics } from '../../controller/metrics';
import { Watchers } from '../../controller/process/watchers';
import type { Reconciler } from '../../controller/reconcile/reconciler';
import { readSettings } from '../../controller/settings';
import { RestClient, type Connection, type ResourceType } from '../../engine/kubernetes';
import { LeaderElector, type Leadership } from '../../runtime/leader';
import type { Contrary } from '../../sandbox/azure/contrary/contrary';
import { Catalog } from '../../src/catalog';

/** Of the global credential. */
export const GLOBAL_CLIENT = '00000000-0000-0000-0000-0000000000ff';
export const GLOBAL_SECRET = 'HIDDEN-aso-global';
const RECONCILES_PER_KIND = '4';
/**
 * Watches that end less often, and lists that come to the rescue later, than those of a real process: what gets lost stays lost for longer.
 */
const TIMING = { watchSeconds: [600, 3_600], relistAfter: 5_400_000, silenceWithBookmarks: 5_400_000 } as const;
/** In the proportions of the real ones; an election that is renewed every two seconds is all that a simulation would do. */
const ELECTION = { leaseDuration: 60_000, renewDeadline: 40_000, retryPeriod: 8_000 };

/** Of a process that is told to end. */
const GRACE_PERIOD_MS = 8_000;

/** Of a replica that shares the namespaces with others. */
export interface ShardEnvironment {
  /** The second thread of the process. */
  readonly supervisor: Process;
  readonly watch: ShareWatch;
  readonly time: ProtocolTime;
}

export interface ControllerEnvironment extends LinkOptions {
  /** Kinds that the cluster serves. */
  readonly types: readonly ResourceType[];
  readonly kube: KubeModel;
  readonly azure: AzureModel;
  readonly invariants: Invariants;
  readonly kubeWatch: KubeWatch;
  readonly settledWrites: SettledWrites;
  readonly limits: LimitsModel;
  /** Of the limits that Azure has, as the controller knows them. */
  readonly timeScale: number;
  readonly contrary?: Contrary | undefined;
  /** Milliseconds. */
  readonly syncPeriod: number;
  /** Milliseconds: many resources are asked for at once, and each by itself at least this often. Undefined: each by itself always. */
  readonly driftDetection?: { readonly fullReadPeriod: number };
  readonly isValid: (principal: Principal) => boolean;
  /** Whether there is one for namespaces that have none of their own. */
  readonly hasGlobalCredential: boolean;
  /** Whether the process has to lead before it does anything: others wait for it. */
  readonly isReplica: boolean;
  /** Undefined: the process looks after all namespaces. */
  readonly shards?: ShardEnvironment | undefined;
  /** Called when the process ends by itself: it leads no more. */
  readonly onEnd: () => void;
  /** Called for each request that Azure gets. */
  readonly onRequest: (method: string, path: string) => void;
  readonly listTrouble?: GivenTrouble | undefined;
}

/** Internals of the real objects that the test reads. */
interface Insides {
  readonly controller: {
    readonly load: { readonly running: number };
    readonly options: { readonly reconciler: Reconciler };
    stop(): Promise<void>;
  };
  readonly driftDetection?: { stop(): void };
}

/** One life of the real controller: its watchers, credentials, clients and leader election, over a network that is played. */
export class ControllerProcess {
  private readonly watchers: Watchers;
  private readonly client: RestClient;
  private readonly delivered = new Delivered();
  private readonly limitWatch: LimitWatch;
  private leadership?: Leadership;
  private readonly replica: ShardReplica | undefined;

  public constructor(private readonly setup: ControllerEnvironment) {
    const { process, invariants, log } = setup;
    const http = this.kubeHttp(process);
    this.replica = setup.shards && this.createReplica(setup.shards);
    this.limitWatch = new LimitWatch({
      timeScale: setup.timeScale,
      now: () => process.now(),
      offset: () => process.clockOffset,
      violated: (text) => invariants.violated(text),
    });
    this.client = new RestClient(http as unknown as Connection, { clock: process });
    const environment = this.environment();
    this.watchers = new Watchers({
      settings: readSettings(environment),
      environment,
      client: this.client,
      catalog: Catalog.default(),
      clock: process,
      logger: listeningLogger((level, text) => this.logged(level, text)),
      metrics: new Metrics(),
      version: 'simulation',
      httpClient: this.armHttp(),
      limitScale: setup.timeScale,
      timing: TIMING,
      loadIdentity: entra(setup),
      mayWrite: () => this.replica?.mayWrite ?? (!setup.isReplica || this.leadership?.isCurrent === true),
      ownership: this.replica?.ownership,
      ...(this.replica && { elapsed: this.replica.elapsed, onSplit: (namespaces) => this.replica!.split(namespaces) }),
      onReconcile: (report) => {
        if (!process.alive) return;
        const { key, actions, result } = report;
        log(`reconcile ${key.kind} ${key.name}: ${actions.join(' ')} → ${result.kind}${result.kind === 'failure' ? ` ${result.failure.reason}` : ''}`);
        invariants.reconcileEnds(process.number, report);
      },
    });
    if (this.replica) this.replica.host = this.watchers.shards;
    const { reconciler } = this.insides.controller.options;
    const reconcile = reconciler.reconcile.bind(reconciler);
    reconciler.reconcile = (key, signal, priority) => {
      const object = invariants.reconcileBegins(process.number, this.delivered, key);
      setup.settledWrites.reconcileBegins(process.number, object);
      const over = setup.shards?.watch.reconcileBegins(this.identity, key, object);
      const result = reconcile(key, signal, priority);
      return over ? result.finally(over) : result;
    };
  }

  public get identity(): string {
    return `replica-${this.setup.process.number}`;
  }

  /** As `process/manager.ts` begins: watches, leads, reconciles. */
  public async start(): Promise<void> {
    const { process, isReplica, onEnd, log } = this.setup;
    await Promise.all([this.watchers.watch(process.signal), this.replica?.join().then(() => this.joined())]);
    if (!process.alive) return;
    if (isReplica) {
      const elector = new LeaderElector({
        client: this.client,
        namespace: OPERATOR,
        identity: this.identity,
        time: process,
        timing: ELECTION,
      });
      this.leadership = await elector.acquire(process.signal);
      log(`${this.identity} leads`);
      this.leadership.lost.addEventListener('abort', () => {
        if (!process.alive) return;
        log(`${this.identity} leads no more`);
        this.kill();
        onEnd();
      }, { once: true });
    }
    this.watchers.reconcile();
  }

  /** As `kill -9`: what is under way may still arrive, but nothing comes back. */
  public kill(): void {
    this.setup.shards?.supervisor.die();
    this.setup.process.die();
    this.insides.driftDetection?.stop();
    void this.insides.controller.stop();
  }

  /** As `process/manager.ts` ends, when the process is told to. */
  public async leave(): Promise<void> {
    const { process, onEnd, log } = this.setup;
    await this.watchers.end(GRACE_PERIOD_MS);
    await this.replica?.release();
    if (!process.alive) return;
    log(`${this.identity} has left`);
    this.kill();
    onEnd();
  }

  /** Threads of the process. */
  public get main(): Process {
    return this.setup.process;
  }

  public get supervisor(): Process {
    return this.setup.shards?.supervisor ?? this.setup.process;
  }

  private joined(): void {
    const { process, onEnd, log } = this.setup;
    const { lost } = this.replica!;
    // A message to the main thread, which may be blocked.
    const end = () => void process.schedule(0, () => {
      if (!process.alive) return;
      log(`${this.identity} is a shard no more: ${(lost.reason as Error).message.slice(0, 80)}`);
      this.kill();
      onEnd();
    });
    lost.addEventListener('abort', end, { once: true });
    if (lost.aborted) end();
  }

  private createReplica({ supervisor, time }: ShardEnvironment): ShardReplica {
    // Faults of shards end this thread, not its requests: there are many of them.
    const http = this.kubeHttp(supervisor, () => undefined);
    return new ShardReplica({
      supervisor,
      main: this.setup.process,
      client: new RestClient(http as unknown as Connection, { clock: supervisor }),
      namespace: OPERATOR,
      identity: this.identity,
      time,
      onError: () => undefined,
    });
  }

  private kubeHttp(process: Process, mayDie = this.setup.mayDie): KubeHttp {
    const { kube, kubeWatch, shards } = this.setup;
    return new KubeHttp(kube, {
      ...this.setup,
      process,
      mayDie,
      delivered: this.delivered,
      onSent: (object, verb, text) => {
        kubeWatch.sent(this.identity, object, verb, text);
        shards?.watch.sent(this.identity, object);
      },
      onArrival: (object) => shards?.watch.arrived(this.identity, object),
      onSelected: (type) => {
        if (type.kind === 'Lease') shards?.watch.listed(this.identity);
      },
    });
  }

  public get running(): number {
    return this.insides.controller.load.running;
  }

  public get isLeader(): boolean {
    return this.leadership?.isCurrent === true;
  }

  private get insides(): Insides {
    return this.watchers as unknown as Insides;
  }

  private environment(): Readonly<Record<string, string>> {
    const { syncPeriod, driftDetection, hasGlobalCredential } = this.setup;
    return {
      POD_NAMESPACE: OPERATOR,
      AZURE_OPERATOR_MODE: 'watchers',
      AZURE_SYNC_PERIOD: `${syncPeriod / 1000}s`,
      DRIFT_DETECTION: driftDetection ? 'batch' : 'individual',
      ...(driftDetection ? { FULL_READ_PERIOD: `${driftDetection.fullReadPeriod / 1000}s` } : {}),
      MAX_CONCURRENT_RECONCILES: RECONCILES_PER_KIND,
      AZURE_RESOURCE_MANAGER_ENDPOINT: ENDPOINT,
      AZURE_RESOURCE_MANAGER_AUDIENCE: ENDPOINT,
      AZURE_AUTHORITY_HOST: 'https://login.test/',
      ...(hasGlobalCredential
        ? {
          AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
          AZURE_TENANT_ID: SUBSCRIPTION,
          AZURE_CLIENT_ID: GLOBAL_CLIENT,
          AZURE_CLIENT_SECRET: GLOBAL_SECRET,
        }
        : {}),
    };
  }

  private armHttp(): ArmHttp {
    const { azure, invariants, settledWrites, limits, onRequest, process, isValid, shards } = this.setup;
    const { number } = process;
    return new ArmHttp(azure, {
      ...this.setup,
      isValid: (principal) => principal.clientId === GLOBAL_CLIENT || isValid(principal),
      admit: (clientId, method, path) => limits.admit(clientId, method, path),
      onSending: ({ method, path, body }, { clientId }) => {
        if (method === 'PUT') settledWrites.puts(number, path, body);
        shards?.watch.sends(this.identity, method, path);
        const over = invariants.sending(number, this.identity, method, path);
        const onAnswer = this.limitWatch.sends(clientId, method, path);
        return (answer?: Answer) => {
          onAnswer(answer);
          if (method === 'GET' && answer) settledWrites.read(number, path, answer);
          if (answer && path.startsWith('/operations/')) invariants.polled(process, path, answer);
          if (method === 'PUT' && answer && answer.status < 300) settledWrites.hasTaken(path, body, answer);
          over();
        };
      },
      onRequest: (request: AzureRequest, principal) => {
        onRequest(request.method, request.path);
        shards?.watch.reaches(this.identity, request.method, request.path, azure.find(request.path) !== undefined);
        return invariants.requested(process, this.delivered, request, principal);
      },
      violated: (text) => invariants.violated(text),
    });
  }

  /** Warnings and errors: Kubernetes may refuse and be silent; a reconcile that throws something else is a mistake of the controller. */
  private logged(level: string, text: string): void {
    const { process, kubeWatch, log } = this.setup;
    if (!process.alive) return;
    log(`log ${level}: ${text.slice(0, 160)}`);
    kubeWatch.logged(level, text);
  }
}
