import { ArmLink } from './arm-link';
import { SUBSCRIPTION, type AzureModel } from './azure-model';
import type { Invariants } from './invariants';
import { TYPES } from './kinds';
import { KubeLink, type LinkOptions } from './kube-link';
import type { KubeModel } from './kube-model';
import { LimitWatch } from './limit-watch';
import type { LimitsModel } from './limits-model';
import type { SettledWrites } from './settled-writes';
import type { ArmRequest } from '../../controller/azure/types';
import { Budget } from '../../controller/budget';
import { CredentialError, type ResolvedCredential } from '../../controller/credentials/types';
import { ResourceInformer } from '../../controller/kubernetes/resource-informer';
import { KubernetesError, type KubernetesObject, type ObjectKey } from '../../controller/kubernetes/types';
import { Access } from '../../controller/reconcile/access';
import { Cluster } from '../../controller/reconcile/cluster';
import { Controller } from '../../controller/reconcile/controller';
import { CredentialGuard } from '../../controller/reconcile/credential-guard';
import { Dependencies } from '../../controller/reconcile/dependencies';
import { clusterExporter } from '../../controller/reconcile/exporter';
import { Reconciler } from '../../controller/reconcile/reconciler';
import { subjectOf, Sweep } from '../../controller/sweep';

const OPERATOR = 'aso';
/** The namespace of the global credential. */
const GLOBAL = OPERATOR;
/** Watches that end less often, and lists that come to the rescue later, than those of a real process: what gets lost stays lost for longer. */
const TIMING = { watchSeconds: [600, 3_600], relistAfter: 5_400_000, silenceWithBookmarks: 5_400_000 } as const;

export interface ControllerWorld extends LinkOptions {
  readonly kube: KubeModel;
  readonly azure: AzureModel;
  readonly invariants: Invariants;
  readonly settledWrites: SettledWrites;
  readonly limits: LimitsModel;
  /** Of the limits that Azure has, as the controller is told. */
  readonly timeScale: number;
  /** Milliseconds. */
  readonly syncPeriod: number;
  /** Milliseconds: many resources are asked for at once, and each by itself at least this often. Undefined: each by itself always. */
  readonly sweeps?: { readonly fullReadPeriod: number };
  readonly validCredential: (namespace: string) => string;
  /** Whether there is one for namespaces that have none of their own. */
  readonly hasGlobalCredential: boolean;
  /** Told of each request that Azure gets. */
  readonly onRequest: (method: string, path: string) => void;
}

/** One life of the real controller: its informers, queue and reconciler, put together as `process/watchers.ts` does. */
export class ControllerProcess {
  private readonly controller: Controller;
  private readonly guard: CredentialGuard;
  private readonly informers: readonly ResourceInformer[];
  private readonly sweep?: Sweep;
  private readonly limitWatch: LimitWatch;
  /** By Secret. */
  private readonly resolved = new WeakMap<KubernetesObject, ResolvedCredential>();
  private global?: ResolvedCredential;

  public constructor(private readonly world: ControllerWorld) {
    const { process, kube, invariants, settledWrites, log, syncPeriod } = world;
    const link = new KubeLink(kube, { ...world, onSent: (object) => invariants.sentToKubernetes(object) });
    this.limitWatch = new LimitWatch({
      timeScale: world.timeScale, now: () => process.now(), offset: () => process.clockOffset, violated: (text) => invariants.violated(text),
    });
    const cluster = new Cluster();
    this.informers = TYPES.map((type) => new ResourceInformer(link, type, { clock: process, timing: TIMING }));
    this.informers.forEach((informer) => cluster.add(informer));
    const dependencies = new Dependencies();
    const budget = new Budget({ clock: process, timeScale: world.timeScale });
    const credentials = { resolve: ({ metadata }: KubernetesObject) => this.credential(cluster, metadata.namespace ?? '') };
    const sweep = world.sweeps && new Sweep({
      clock: process,
      syncPeriod,
      fullReadPeriod: world.sweeps.fullReadPeriod,
      clientFor: (credential) => budget.clientFor(credential, { namespace: credential.source.split('/', 1)[0], priority: 'resync', purpose: 'sweep' }),
      subjectOf: (key) => subjectOf(key, { cluster, credentials, defaultPolicy: 'manage' }),
      observer: { onVerdict: (verdict) => log(`sweep: ${verdict}`) },
    });
    this.sweep = sweep;
    this.guard = new CredentialGuard({ cluster, client: link, clock: process, operatorNamespace: OPERATOR });
    const reconciler = new Reconciler({
      cluster,
      guard: this.guard,
      budget,
      client: link,
      dependencies,
      clock: process,
      access: new Access({ cluster, operatorNamespace: OPERATOR, defaultPolicy: 'manage', tokens: () => ({ namespace: OPERATOR, isStrict: false }) }),
      credentials,
      exporter: clusterExporter(link, cluster),
      events: { record: (_, event) => invariants.event(event) },
      operatorNamespace: OPERATOR,
      controllerVersion: 'simulation',
      defaultPolicy: 'manage',
      syncPeriod,
      onPass: (report) => {
        const { key, actions, result } = report;
        log(`pass ${key.kind} ${key.name}: ${actions.join(' ')} → ${result.kind}${result.kind === 'failure' ? ` ${result.failure.reason}` : ''}`);
        sweep?.passEnded(report);
        invariants.passEnds(report);
      },
    });
    const pass = reconciler.pass.bind(reconciler);
    reconciler.pass = (key, signal, priority) => {
      const namespace = cluster.find({ group: '', kind: 'Namespace', namespace: '', name: key.namespace });
      settledWrites.passBegins(process.number, cluster.find(key));
      invariants.passBegins(`${key.kind} ${key.namespace}/${key.name}`, cluster.find(key), namespace);
      return pass(key, signal, priority);
    };
    this.controller = new Controller({
      cluster,
      reconciler,
      gate: budget,
      sweep,
      dependencies,
      clock: process,
      concurrencyPerKind: 4,
      onError: (key, error) => this.passFailed(key, error),
    });
    this.informers.forEach((informer) => informer.onEvent((event) => {
      this.controller.handle(event);
      this.guard.handle(event);
    }));
  }

  /** Lists everything, then begins. */
  public async start(): Promise<void> {
    await Promise.all(this.informers.map((informer) => informer.start(this.world.process.signal)));
    this.guard.start();
    this.controller.start();
  }

  /** As `kill -9`: what is under way may still arrive, but nothing comes back. */
  public kill(): void {
    this.world.process.die();
    this.sweep?.stop();
    void this.controller.stop();
  }

  public get running(): number {
    return this.controller.load.running;
  }

  private credential(cluster: Cluster, namespace: string): ResolvedCredential {
    const { invariants, validCredential } = this.world;
    const secret: KubernetesObject | undefined = cluster.find({ group: '', kind: 'Secret', namespace, name: 'aso-credential' });
    const known = secret && this.resolved.get(secret);
    if (known) return known;
    if (!secret && this.world.hasGlobalCredential) {
      return (this.global ??= this.resolvedAs(GLOBAL, () => true, ({ method }, path) => invariants.sentGlobally(method, path)));
    }
    const text = Buffer.from(secret?.data?.AZURE_CLIENT_SECRET ?? '', 'base64').toString();
    if (!text || !secret) throw new CredentialError(`the Secret "${namespace}/aso-credential" holds no client secret`, 'CredentialNotFound');
    const resolved = this.resolvedAs(namespace, () => text === validCredential(namespace));
    this.resolved.set(secret, resolved);
    return resolved;
  }

  private resolvedAs(
    name: string, isValid: () => boolean, onSending: (request: ArmRequest, path: string) => void = () => undefined,
  ): ResolvedCredential {
    const { azure, invariants, settledWrites, limits, onRequest, process } = this.world;
    const client = new ArmLink(azure, {
      ...this.world,
      onSending: (request, path) => {
        onSending(request, path);
        if (request.method === 'PUT') settledWrites.puts(process.number, path, request.body);
        const over = invariants.sending(process.number, request, path);
        const told = this.limitWatch.sends(name, request.method, path);
        return (answer) => {
          told(answer);
          if (request.method === 'GET' && answer && answer.status < 500) settledWrites.read(process.number, path);
          if (request.method === 'PUT' && answer && answer.status < 300) settledWrites.hasTaken(path, request.body);
          over();
        };
      },
      admit: (method, path) => limits.admit(name, method, path),
      isValid,
      onRequest: (request, path) => {
        onRequest(request.method, path);
        return invariants.requested(request, path, process);
      },
    });
    return { source: `${name}/aso-credential`, subscriptionId: SUBSCRIPTION, tenantId: 't', client };
  }

  /** Kubernetes may refuse and be silent; everything else is a mistake of the controller. */
  private passFailed({ kind, name }: ObjectKey, error: unknown): void {
    // A pass that is cut off says how it was cut off.
    if (!this.world.process.alive) return;
    this.world.log(`pass ${kind} ${name} threw: ${(error as Error).message.slice(0, 100)}`);
    if (!(error instanceof KubernetesError)) this.world.invariants.violated(`a pass of ${kind} ${name} threw ${(error as Error).stack}`);
  }
}
