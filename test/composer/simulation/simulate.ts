import { Invariants } from './invariants';
import { KilledError, Mortal } from './mortal';
import { applySetId } from '../../../composer/apply/apply-set';
import { ClaimReconciler } from '../../../composer/reconcile/claim-reconciler';
import { Rollout } from '../../../composer/reconcile/rollout';
import type { ComposerClient } from '../../../composer/reconcile/types';
import type { ObjectEvent } from '../../../engine/kubernetes';
import { KubernetesError } from '../../../engine/kubernetes';
import { APPLY_SET_PART_OF } from '../../../src/azure/annotations';
import type { ObjectId } from '../../../src/object-id';
import { Random } from '../../simulation/random';
import { environment, renderer, service, SERVICES, type ServiceSpec } from '../composition';
import { CLAIMS, ENVIRONMENTS, FakeCache, FakeCluster, keyOfObject, textOf } from '../fake-cluster';

export interface SimulationOptions {
  /** A mistake of the composer: the client that it gets. */
  readonly mutate?: (client: ComposerClient, cluster: FakeCluster) => ComposerClient;
  /** A mistake of the composer: what it makes of an event of an object that claims read. */
  readonly readersOf?: (readers: ReturnType<ClaimReconciler['readersOf']>) => ReturnType<ClaimReconciler['readersOf']>;
}

const NAMES = ['api', 'web', 'job', 'mail'];
const NAMESPACES = ['shop', 'blog'];
const LOCATIONS = ['westeurope', 'northeurope'];
const ACCOUNTS = ['data', 'logs', 'media'];
const STEPS = 220;
const MOST_QUIET_STEPS = 2_000;

/** One run: users, other programs, the operator of Azure and the composer, in an order that the seed chooses. Answers what went wrong. */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<string[]> {
  return new Simulation(seed, options).run();
}

class Simulation {
  private readonly random: Random;
  private readonly cluster = new FakeCluster();
  private readonly invariants: Invariants;
  private composer!: Composer;
  private revision = 'r1';
  private isQuiet = false;

  public constructor(seed: number, private readonly options: SimulationOptions) {
    this.random = new Random(seed);
    this.invariants = new Invariants(this.cluster);
  }

  public async run(): Promise<string[]> {
    this.start();
    for (let step = 0; step < STEPS; step += 1) {
      this.elsewhere();
      await this.work();
      if (this.random.chance(0.03)) this.restart();
    }
    this.isQuiet = true;
    this.userTidiesUp();
    this.restart();
    await this.settle();
    this.invariants.atTheEnd(this.revision);
    // Nothing but its events tells the composer of these.
    for (const namespace of NAMESPACES) this.environmentChanges(namespace, true);
    await this.settle(false);
    this.invariants.atTheEnd(this.revision);
    return this.invariants.violations;
  }

  /** Until nobody has anything to do. */
  private async settle(isWoken = true): Promise<void> {
    for (let step = 0; step < MOST_QUIET_STEPS; step += 1) {
      this.operator(1);
      this.composer.cache.deliver();
      if (!(await this.work()) && !this.composer.cache.isBehind && !this.isUnsettled()) break;
      if (isWoken && step % 20 === 19) this.composer.wakeAll();
    }
  }

  /** The next reconcile of a claim; false: there is none. */
  private async work(): Promise<boolean> {
    if (!this.isQuiet || this.random.chance(0.5)) this.composer.cache.deliver(this.random.between(0, 4));
    const key = this.composer.next(this.random);
    if (!key) return false;
    try {
      await this.composer.reconcile(key);
    } catch (error) {
      if (!(error instanceof KilledError)) throw error;
      this.restart();
    }
    return true;
  }

  private start(): void {
    const mortal = new Mortal(this.random, () => this.elsewhere(), () => this.isQuiet);
    const client = this.cluster.client('composer', () => mortal.before(), () => mortal.after());
    const meanwhile = () => {
      if (this.isQuiet || !this.random.chance(0.3)) return;
      this.elsewhere();
      this.composer.cache.deliver(this.random.between(0, 4));
    };
    const composer = this.options.mutate?.(client, this.cluster) ?? client;
    this.composer = new Composer(this.cluster, composer, this.revision, meanwhile, this.options.readersOf);
  }

  private restart(): void {
    this.composer.cache.close();
    if (!this.isQuiet && this.random.chance(0.2)) this.revision = this.revision === 'r1' ? 'r2' : 'r1';
    this.start();
  }

  /** Something that is not the composer's. */
  private elsewhere(): void {
    if (this.isQuiet) return;
    const roll = this.random.next();
    if (roll < 0.25) this.user();
    else if (roll < 0.6) this.operator(0.4);
    else if (roll < 0.7) this.stranger();
    else if (roll < 0.78) this.environmentChanges(this.random.pick(NAMESPACES));
  }

  /** An object that claims read: it comes, changes in its spec or status, and goes. */
  private environmentChanges(namespace: string, isThere = false): void {
    const key: ObjectId = { group: ENVIRONMENTS.group, kind: ENVIRONMENTS.kind, namespace, name: 'main' };
    const live = this.cluster.get(key);
    if (!live) {
      this.cluster.create('user', environment(key.name, this.random.pick(LOCATIONS), namespace));
    } else if (!isThere && this.random.chance(0.15)) {
      this.cluster.delete('user', key);
    } else if (this.random.chance(0.5)) {
      const location = LOCATIONS.find((one) => one !== live.spec?.location)!;
      this.cluster.update('user', key, (object) => ({ ...object, spec: { location } }));
    } else {
      const used = ((live.status?.used as number | undefined) ?? 0) + 1;
      this.cluster.update('operator', key, (object) => ({ ...object, status: { used } }), 'status');
    }
  }

  private user(): void {
    const { group, kind } = CLAIMS;
    const key: ObjectId = { group, kind, namespace: this.random.pick(NAMESPACES), name: this.random.pick(NAMES) };
    const live = this.cluster.get(key);
    if (!live) {
      this.cluster.create('user', service(key.name, this.spec(), key.namespace));
    } else if (this.random.chance(0.25)) {
      this.cluster.delete('user', key);
    } else if (live.metadata.deletionTimestamp === undefined) {
      const spec = this.spec();
      this.cluster.update('user', key, (claim) => ({ ...claim, spec: { ...spec } }));
    }
  }

  private spec(): ServiceSpec {
    return {
      accounts: ACCOUNTS.filter(() => this.random.chance(0.5)),
      tier: this.random.pick(['Hot', 'Cool']),
      settings: this.random.chance(0.5),
      shared: this.random.chance(0.2),
      ...(this.random.chance(0.1) && { broken: 'always' }),
      ...(this.random.chance(0.5) && { environment: 'main' }),
    };
  }

  /** Makes Azure's objects ready, and lets go of those that are being deleted. */
  private operator(probability: number): void {
    for (const object of this.cluster.all()) {
      if (!object.apiVersion.includes('azure.com') || !this.random.chance(probability)) continue;
      const key = keyOfObject(object);
      const { deletionTimestamp, finalizers = [], generation } = object.metadata;
      if (deletionTimestamp !== undefined) {
        this.cluster.update('operator', key, (live) => ({ ...live, metadata: { ...live.metadata, finalizers: [] } }));
      } else if (!finalizers.includes('serviceoperator.azure.com/finalizer')) {
        this.cluster.update('operator', key, (live) => ({ ...live, metadata: { ...live.metadata, finalizers: ['serviceoperator.azure.com/finalizer'] } }));
      } else if (object.status?.conditions?.[0]?.observedGeneration !== generation) {
        const condition = { type: 'Ready', status: 'True' as const, reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: generation! };
        this.cluster.update('operator', key, (live) => ({ ...live, status: { conditions: [condition] } }), 'status');
      }
    }
  }

  /** Another program: makes objects of the same names, changes and deletes composed ones, takes their label off. */
  private stranger(): void {
    const namespace = this.random.pick(NAMESPACES);
    const name = `${this.random.pick(NAMES)}-${this.random.pick([...ACCOUNTS, 'settings'])}`;
    const kind = name.endsWith('settings') ? { group: '', kind: 'ConfigMap' } : { group: 'storage.azure.com', kind: 'StorageAccount' };
    const key: ObjectId = { ...kind, namespace, name };
    const live = this.cluster.get(key);
    const make = () => {
      const apiVersion = kind.group === '' ? 'v1' : `${kind.group}/v1`;
      this.cluster.create('stranger', { apiVersion, kind: kind.kind, metadata: { name, namespace }, spec: { foreign: true } });
    };
    if (!live) {
      if (this.random.chance(0.3)) make();
    } else if (this.random.chance(0.3)) {
      this.cluster.delete('stranger', key);
      // Sometimes under the same name at once, with another uid.
      if (!this.cluster.get(key) && this.random.chance(0.5)) make();
    } else if (this.random.chance(0.3)) {
      this.cluster.update('stranger', key, ({ metadata: { labels: { [APPLY_SET_PART_OF]: _, ...labels } = {}, ...metadata }, ...rest }) => ({ ...rest, metadata: { ...metadata, labels } }));
    } else {
      this.cluster.update('stranger', key, (object) => ({ ...object, ...(object.kind === 'ConfigMap' ? { data: { changed: 'yes' } } : { spec: { ...object.spec, accessTier: 'Changed' } }) }));
    }
  }

  /** Ends what would never be Ready: specs that cannot be composed, objects of others in the way, one name for two claims. */
  private userTidiesUp(): void {
    for (const namespace of NAMESPACES) this.environmentChanges(namespace, true);
    for (const object of this.cluster.all()) {
      const key = keyOfObject(object);
      if (object.kind === CLAIMS.kind && object.metadata.deletionTimestamp === undefined) {
        this.cluster.update('user', key, (claim) => ({ ...claim, spec: { ...claim.spec, shared: false, broken: undefined } as Record<string, unknown> }));
      } else if (object.kind !== ENVIRONMENTS.kind && this.invariants.madeBy(object) !== 'composer') {
        this.cluster.delete('stranger', key);
      }
    }
  }

  private isUnsettled(): boolean {
    return this.cluster.all().some(({ kind, metadata, status }) =>
      metadata.deletionTimestamp !== undefined || (kind === CLAIMS.kind && status?.conditions?.some(({ status: value }) => value !== 'True')));
  }
}

/** A process of the composer: what it knows ends with it. */
class Composer {
  public readonly cache: FakeCache;
  private readonly dirty = new Map<string, ObjectId>();
  private readonly claimOf = new Map<string, ObjectId>();
  private readonly reconciler: ClaimReconciler;
  private readonly rollout: Rollout;

  public constructor(
    cluster: FakeCluster, client: ComposerClient, revision: string, meanwhile: () => void,
    private readonly readersOf: NonNullable<SimulationOptions['readersOf']> = (readers) => readers,
  ) {
    this.cache = new FakeCache(cluster);
    this.rollout = new Rollout({
      revision,
      kinds: [SERVICES],
      claims: () => this.cache.claims(),
      isKnown: () => true,
      enqueue: (claim) => this.add(keyOfObject(claim)),
      onPaused: () => undefined,
      onResumed: () => undefined,
    });
    let now = Date.parse('2026-01-01T00:00:00Z');
    this.reconciler = new ClaimReconciler({
      kinds: [SERVICES],
      renderer: renderer(revision, meanwhile),
      client,
      cache: this.cache,
      clock: { now: () => (now += 60_000) },
      revision,
      tooling: 'cdk8s-aso/1.0.0',
      isKindLeaving: () => Promise.resolve(false),
      mayCompose: (claim) => this.rollout.mayCompose(claim),
      onReconciled: (claim, problem) => this.rollout.reconciled(claim, problem),
      onEvent: () => undefined,
      onWrite: () => undefined,
    });
    this.wakeAll();
    this.cache.onEvent = (event) => this.handle(event);
    this.rollout.advance();
  }

  public wakeAll(): void {
    for (const claim of this.cache.claims()) this.add(keyOfObject(claim));
    this.rollout.advance();
  }

  public next(random: Random): ObjectId | undefined {
    return this.dirty.size === 0 ? undefined : random.pick([...this.dirty.values()]);
  }

  public async reconcile(key: ObjectId): Promise<void> {
    this.dirty.delete(textOf(key));
    try {
      const { problem, againAfterMs } = await this.reconciler.reconcile(key);
      if (problem?.isTriedAgain || againAfterMs !== undefined) this.add(key);
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      this.add(key);
    }
  }

  private handle(event: ObjectEvent): void {
    const { object } = event;
    for (const { claim } of this.readersOf(this.reconciler.readersOf(event))) this.add(claim);
    if (object.kind === CLAIMS.kind) {
      this.add(keyOfObject(object));
      this.rollout.advance();
      return;
    }
    const key = this.claimOf.get(object.metadata.labels?.[APPLY_SET_PART_OF] ?? '');
    if (key) this.add(key);
  }

  private add(key: ObjectId): void {
    this.claimOf.set(applySetId(key), key);
    this.dirty.set(textOf(key), key);
  }
}
