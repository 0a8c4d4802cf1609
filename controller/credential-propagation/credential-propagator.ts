import { managedByLabelsOf, managedByOf, managedByText, type ManagedBy } from './managed-by';
import { propagate } from './propagate-target';
import { IDENTITY, PropagationCache, type PropagationCacheOptions } from './propagation-cache';
import { PropagationIndex } from './propagation-index';
import { PropagationReports, type PropagationReport, type PropagationState } from './propagation-reports';
import { takeBack, type TakeBackContext } from './take-back-target';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { OwnershipLostError } from '../../engine/not-leading-error';
import { annotation } from '../../engine/objects/annotations';
import type { EventRecorder } from '../../runtime/events/event-recorder';
import { WorkQueue } from '../../runtime/work-queue';
import { ACCEPTS_CREDENTIALS_FROM, OPERATOR_NAMESPACE, PROPAGATE_TO } from '../../src/azure/annotations';
import {
  PROPAGATION_KINDS,
  propagationTargets,
  propagationTargetText,
  type PropagationKind,
  type PropagationTarget,
} from '../../src/azure/credential-propagation';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import { CredentialUsers } from '../reconcile/credential-users';
import { fencedClient, type Fence, type WorkShare } from '../reconcile/fence';

export interface CredentialPropagatorOptions extends PropagationCacheOptions {
  /** Called just before each write for an identity. Default: this process may always write. */
  readonly fence?: Fence | undefined;
  /** Which identities this replica looks after. Default: all. */
  readonly share?: WorkShare | undefined;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly events: Pick<EventRecorder, 'record'>;
  /** Also called for each report for which an event was written. */
  readonly onReport?: (report: PropagationReport) => void;
  readonly onError?: (identity: ManagedBy, error: unknown, retryInMilliseconds: number) => void;
}

/** Identities to process at a time. */
const CONCURRENCY = 8;
/** Delay of the next try while objects are still being listed. Milliseconds. */
const WHILE_LISTING = 2_000;
const BACKOFF = { base: 500, max: 60_000, jitter: 0.1 };

/**
 * Writes the IDs of identities into credential Secrets, service accounts and ConfigMaps of other namespaces, as soon as Azure has
 * assigned them, and only where both sides consent. It runs apart from the reconciles: a failure here never blocks an identity.
 */
export class CredentialPropagator {
  private readonly queue: WorkQueue<ManagedBy>;
  private readonly index = new PropagationIndex();
  private readonly users: CredentialUsers;
  private readonly reports: PropagationReports;
  private readonly context: TakeBackContext;
  private readonly seen = new Map<string, string>();
  /** Identities whose targets are being written. */
  private readonly running = new Map<ObjectId, Promise<void>>();
  private isStarted = false;

  public constructor(private readonly options: CredentialPropagatorOptions) {
    const { client, clock, events, onReport, onError, serviceAccounts } = options;
    this.reports = new PropagationReports(events, clock, onReport);
    this.users = new CredentialUsers({
      onChange: ({ namespace, name }) => this.look(this.index.concernedBy({ kind: 'Secret', namespace, name })),
    });
    this.queue = new WorkQueue<ManagedBy>({
      clock,
      keyOf: managedByText,
      groupOf: () => '',
      concurrencyPerGroup: CONCURRENCY,
      concurrency: CONCURRENCY,
      backoff: BACKOFF,
      process: (owner) => this.processOwn(owner),
      onError,
    });
    this.context = {
      client,
      cache: new PropagationCache(options),
      reports: this.reports,
      index: this.index,
      users: this.users,
      enqueue: (identity) => this.queue.add(identity),
      enqueueAfterListing: (identity) => this.queue.addAfter(identity, WHILE_LISTING),
    };
    serviceAccounts.listen((event) => this.handle(event), () => this.look(this.index.identitiesOf('ServiceAccount')));
  }

  /** Called by the leader when all objects were listed once. */
  public start(): void {
    this.isStarted = true;
    this.queue.start();
  }

  /** The share of this replica has changed: the identities that are new to it are checked. */
  public shareChanged(): void {
    if (!this.isStarted) return;
    for (const owner of this.index.all) if (this.owns(owner)) this.queue.add(owner, 'resync');
  }

  /** Resolves when no target of such an identity is being written. */
  public async ended(concerns: (identity: ObjectId) => boolean): Promise<void> {
    await Promise.all([...this.running].filter(([identity]) => concerns(identity)).map(([, over]) => over));
  }

  /** A write has no end but its own: the request has a time limit. */
  public abort(): void {}

  /** The object has left the caches because another replica looks after it. The narrow watches go on to tell of identities and targets. */
  public released(object: KubernetesObject): void {
    const key = objectIdOf(object);
    if (key.group !== '') this.users.drop(key);
    if (key.group === IDENTITY.group && key.kind === IDENTITY.kind) this.seen.delete(managedByText(managedByOf(object)));
  }

  /** Handles an event of the narrow watches, which tell of all namespaces. Of those in the caches, the caches tell more. */
  public handleForeign(event: ObjectEvent): void {
    const { group, namespace } = objectIdOf(event.object);
    if (group === '' || this.context.cache.isForeign(namespace)) this.handle(event);
  }

  /** Stops taking work, and waits for running work to end. */
  public drain(): Promise<void> {
    return this.queue.drain();
  }

  /** Number of targets by kind and state. */
  public get states(): readonly { readonly kind: PropagationKind; readonly state: PropagationState }[] {
    return this.reports.states;
  }

  /** Enqueues an identity, e.g. after a reconcile of it: its remaining problems are reported again from time to time. */
  public check({ group, kind, namespace, name }: ObjectId): void {
    if (group !== IDENTITY.group || kind !== IDENTITY.kind) return;
    const owner = managedByOf({ metadata: { namespace, name } });
    if (this.seen.has(managedByText(owner))) this.queue.add(owner, 'resync');
  }

  /** Handles an event of an informer. */
  public handle(event: ObjectEvent): void {
    const { group, kind } = objectIdOf(event.object);
    if (group !== '') this.users.handle(event);
    if (group === IDENTITY.group && kind === IDENTITY.kind) this.handleIdentity(event);
    if (group === '' && kind === 'Namespace') this.handleNamespace(event);
    if (group === '' && (PROPAGATION_KINDS as readonly string[]).includes(kind)) this.handleTarget(event, kind as PropagationKind);
  }

  private handleIdentity({ type, object }: ObjectEvent): void {
    const owner = managedByOf(object);
    const text = managedByText(owner);
    const targets = type === 'DELETED' ? undefined : annotation(object, PROPAGATE_TO);
    const what = targets === undefined ? undefined : factsOf(object, targets);
    if (this.seen.get(text) === what) return;
    if (what === undefined) this.seen.delete(text);
    else this.seen.set(text, what);
    const before = this.index.targetsOf(owner);
    this.index.setTargets(owner, targets === undefined ? [] : propagationTargets(targets).entries);
    this.queue.add(owner);
    // Identities that were refused because this one held the target.
    for (const target of before) this.look(this.index.concernedBy(target));
  }

  private handleNamespace({ type, object, previous }: ObjectEvent): void {
    const same = type === 'MODIFIED' && previous
      && annotation(previous, ACCEPTS_CREDENTIALS_FROM) === annotation(object, ACCEPTS_CREDENTIALS_FROM)
      && previous.metadata.deletionTimestamp === object.metadata.deletionTimestamp;
    if (!same) this.look(this.index.concernedByNamespace(object.metadata.name));
  }

  private handleTarget({ type, object }: ObjectEvent, kind: PropagationKind): void {
    const target: PropagationTarget = { kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
    const before = this.index.concernedBy(target);
    this.index.setManagedBy(target, type === 'DELETED' ? undefined : managedByLabelsOf(object));
    this.look([...before, ...this.index.concernedBy(target)]);
  }

  private look(owners: readonly ManagedBy[]): void {
    for (const owner of owners) this.queue.add(owner);
  }

  private owns(owner: ManagedBy): boolean {
    return this.options.share?.owns({ ...IDENTITY, ...owner }) ?? true;
  }

  private async processOwn(owner: ManagedBy): Promise<void> {
    if (!this.owns(owner)) return;
    const identity = { ...IDENTITY, ...owner };
    const over = this.process(owner);
    this.running.set(identity, over.catch(() => undefined));
    try {
      await over;
    } catch (error) {
      if (!(error instanceof OwnershipLostError)) throw error;
    } finally {
      this.running.delete(identity);
    }
  }

  private async process(owner: ManagedBy): Promise<void> {
    const { cache } = this.context;
    const context = { ...this.context, client: fencedClient(this.context.client, this.options.fence, { ...IDENTITY, ...owner }) };
    if (!cache.watchesIdentitiesOf(owner.namespace)) return;
    if (cache.areIdentitiesUnknown(owner.namespace)) return this.queue.addAfter(owner, WHILE_LISTING);
    const identity = cache.identityOf(owner);
    if (identity && !cache.propagates(identity)) return;
    const targets = identity && annotation(identity, PROPAGATE_TO);
    const { entries, problems } = propagationTargets(targets ?? '');
    const outcomes = identity ? await all(entries, (target) => propagate(context, identity, target)) : [];
    const wrong = problems.map((problem) => `annotation ${PROPAGATE_TO}: ${problem}`);
    if (identity) for (const what of wrong) this.reports.report(owner, identity, undefined, 'refused', what);
    const propagated = new Set(outcomes.flatMap(({ item, value }) => (value === 'revoked' ? [] : [propagationTargetText(item)])));
    // A malformed entry may mean any of the targets.
    const left = problems.length > 0 ? [] : this.index.managedBy(owner).filter((target) => !propagated.has(propagationTargetText(target)));
    const taken = await all(left, (target) => takeBack(context, owner, target, identity));
    this.reports.keep(owner, [...[...entries, ...left].map(propagationTargetText), ...wrong]);
    const failed = [...outcomes, ...taken].find(({ error }) => error !== undefined);
    if (failed) throw failed.error;
  }
}

interface Outcome<T, R> {
  readonly item: T;
  readonly value?: R;
  readonly error?: unknown;
}

/** The fields of an identity that decide about its propagation. */
function factsOf({ metadata, status = {} }: KubernetesObject, targets: string): string {
  const { clientId, principalId, tenantId, id } = status as Readonly<Record<string, unknown>>;
  const { uid, deletionTimestamp, annotations } = metadata;
  return JSON.stringify([uid, deletionTimestamp, annotations?.[OPERATOR_NAMESPACE], targets, clientId, principalId, tenantId, id]);
}

/** Runs the actions independently: a failed one does not block the others. */
async function all<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<Outcome<T, R>[]> {
  const outcomes: Outcome<T, R>[] = [];
  for (const item of items) {
    outcomes.push(await act(item).then((value) => ({ item, value }), (error: unknown) => ({ item, error })));
  }
  return outcomes;
}
