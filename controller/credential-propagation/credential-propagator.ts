import type { PropagationWrite } from './contents';
import { withoutAnnotations } from './contents';
import { consentMissing, decidePropagation, type Verdict } from './decide';
import { managedByOf, managedByLabelsOf, managedByText, type ManagedBy } from './managed-by';
import { PropagationIndex } from './propagation-index';
import { PropagationReports, type PropagationReport, type PropagationState } from './propagation-reports';
import { SERVICE_ACCOUNTS, type ServiceAccountSource } from './service-accounts';
import type { Clock } from '../../engine/clock';
import {
  KubernetesError,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectEvent,
  type ObjectKey,
} from '../../engine/kubernetes/types';
import { annotation } from '../../engine/objects/annotations';
import { ACCEPTS_CREDENTIALS_FROM, OPERATOR_NAMESPACE, PROPAGATE_TO } from '../../src/azure/annotations';
import {
  PROPAGATION_KINDS,
  propagationTargets,
  propagationTargetText,
  type PropagationKind,
  type PropagationTarget,
} from '../../src/azure/credential-propagation';
import type { Cluster, WatchedType } from '../reconcile/cluster';
import { CredentialUsers } from '../reconcile/credential-users';
import type { EventRecorder } from '../reconcile/event-recorder';
import { keyOf } from '../reconcile/object-key';
import { WorkQueue } from '../work-queue';

export interface CredentialPropagatorOptions {
  readonly cluster: Cluster;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly serviceAccounts: ServiceAccountSource;
  /** Namespace of this controller. Identities of other controllers are not propagated. */
  readonly operatorNamespace: string;
  /** Empty: all namespaces. */
  readonly targetNamespaces: readonly string[];
  /** Also called for each report for which an event was written. */
  readonly onReport?: (report: PropagationReport) => void;
  readonly onError?: (identity: ManagedBy, error: unknown, retryInMilliseconds: number) => void;
}

type TargetType = WatchedType & { readonly isForbidden?: boolean };

export const IDENTITY = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' } as const;
/** Identities to process at a time. */
const CONCURRENCY = 8;
/** Delay of the next try while objects are still being listed. Milliseconds. */
const WHILE_LISTING = 2_000;
const CURE = '; give it the rights for credential propagation (credentialPropagation: true of its installation, see docs/credentials.md)';
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
  private readonly seen = new Map<string, string>();

  public constructor(private readonly options: CredentialPropagatorOptions) {
    const { clock, events, onReport, onError, serviceAccounts } = options;
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
      process: (owner) => this.process(owner),
      onError,
    });
    serviceAccounts.listen((event) => this.handle(event), () => this.look(this.index.identitiesOf('ServiceAccount')));
  }

  /** Called by the leader when all objects were listed once. */
  public start(): void {
    this.queue.start();
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
  public check({ group, kind, namespace, name }: ObjectKey): void {
    if (group !== IDENTITY.group || kind !== IDENTITY.kind) return;
    const owner = managedByOf({ metadata: { namespace, name } });
    if (this.seen.has(managedByText(owner))) this.queue.add(owner, 'resync');
  }

  /** Handles an event of an informer. */
  public handle(event: ObjectEvent): void {
    const { group, kind } = keyOf(event.object);
    if (group !== '') this.users.handle(event);
    if (group === IDENTITY.group && kind === IDENTITY.kind) this.handleIdentity(event);
    if (group === '' && kind === 'Namespace') this.handleNamespace(event);
    if (group === '' && (PROPAGATION_KINDS as readonly string[]).includes(kind)) this.handleTarget(event, kind as PropagationKind);
  }

  private handleIdentity({ type, object }: ObjectEvent): void {
    const owner = managedByOf(object);
    const text = managedByText(owner);
    const said = type === 'DELETED' ? undefined : annotation(object, PROPAGATE_TO);
    const what = said === undefined ? undefined : factsOf(object, said);
    if (this.seen.get(text) === what) return;
    if (what === undefined) this.seen.delete(text);
    else this.seen.set(text, what);
    const before = this.index.targetsOf(owner);
    this.index.setTargets(owner, said === undefined ? [] : propagationTargets(said).entries);
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
    this.index.setMark(target, type === 'DELETED' ? undefined : managedByLabelsOf(object));
    this.look([...before, ...this.index.concernedBy(target)]);
  }

  private look(owners: readonly ManagedBy[]): void {
    for (const owner of owners) this.queue.add(owner);
  }

  private async process(owner: ManagedBy): Promise<void> {
    const identities = this.options.cluster.typeOf(IDENTITY.group, IDENTITY.kind);
    if (!identities || !this.isWatched(owner.namespace)) return;
    if (this.isUnknown(IDENTITY.group, IDENTITY.kind, owner.namespace)) return this.queue.addAfter(owner, WHILE_LISTING);
    const identity = identityOf(identities, owner);
    // An identity that is being deleted is still in use as a credential: its targets stay until it is gone.
    if (identity && (!this.isOurs(identity) || identity.metadata.deletionTimestamp)) return;
    const said = identity && annotation(identity, PROPAGATE_TO);
    const { entries, problems } = propagationTargets(said ?? '');
    const outcomes = identity ? await all(entries, (target) => this.propagate(identity, target)) : [];
    const wrong = problems.map((problem) => `annotation ${PROPAGATE_TO}: ${problem}`);
    if (identity) for (const what of wrong) this.reports.tell(owner, identity, undefined, 'refused', what);
    const propagated = new Set(outcomes.flatMap(({ item, value }) => (value === 'revoked' ? [] : [propagationTargetText(item)])));
    // A malformed entry may mean any of the targets.
    const left = problems.length > 0 ? [] : this.index.markedBy(owner).filter((target) => !propagated.has(propagationTargetText(target)));
    const taken = await all(left, (target) => this.takeBack(owner, target, identity));
    this.reports.keep(owner, [...[...entries, ...left].map(propagationTargetText), ...wrong]);
    const failed = [...outcomes, ...taken].find(({ error }) => error !== undefined);
    if (failed) throw failed.error;
  }

  private async propagate(identity: KubernetesObject, target: PropagationTarget): Promise<'wanted' | 'revoked'> {
    const type = this.typeOf(target.kind);
    const unreadable = this.unreadable(target, type, identity);
    if (unreadable) {
      this.reports.tell(managedByOf(identity), identity, target, unreadable.isFinal ? 'refused' : 'waiting', unreadable.why);
      return 'wanted';
    }
    const watched = type!;
    try {
      const verdict = await this.carryOut(watched, identity, target, watched.store.get(target.namespace, target.name))
        .catch(async (error: unknown) => {
          // The cached target is out of date. A service account is checked again when its event comes.
          if (!isOutOfDate(error) || target.kind === 'ServiceAccount') throw error;
          return this.carryOut(watched, identity, target, await this.options.client.get(watched.type, target.name, target.namespace));
        });
      return verdict.do === 'refuse' && verdict.isRevoked ? 'revoked' : 'wanted';
    } catch (error) {
      if (!isEndOfNamespace(error)) throw this.told(identity, target, error);
      this.reports.tell(
        managedByOf(identity),
        identity,
        target,
        'waiting',
        `${propagationTargetText(target)} waits: namespace ${target.namespace} is not there, or is being deleted`,
      );
      return 'wanted';
    }
  }

  private async carryOut(
    watched: WatchedType, identity: KubernetesObject, target: PropagationTarget, existing: KubernetesObject | undefined,
  ): Promise<Verdict> {
    const verdict = decidePropagation({
      identity,
      target,
      existing,
      isWatched: this.isWatched(target.namespace),
      namespace: this.namespace(target.namespace),
      isWantedBy: (owner) => this.isWantedBy(owner, target),
    });
    if (verdict.do === 'wait') {
      this.reports.tell(managedByOf(identity), identity, target, 'waiting', verdict.why, verdict.isUsual);
      return verdict;
    }
    if (verdict.do === 'refuse') {
      // A target that was written before is taken back now, and reported.
      if (!verdict.isRevoked || !isMarked(existing, managedByOf(identity))) {
        this.reports.tell(managedByOf(identity), identity, target, 'refused', verdict.why);
      }
      return verdict;
    }
    const written = await this.write(watched, target, verdict);
    if (written) watched.updateLocal(written);
    this.reports.tell(
      managedByOf(identity),
      identity,
      target,
      'propagated',
      `${propagationTargetText(target)} has the ids of this identity`,
      written === undefined,
    );
    return verdict;
  }

  private async write(
    { type }: WatchedType,
    { name, namespace }: PropagationTarget,
    write: PropagationWrite,
  ): Promise<KubernetesObject | undefined> {
    const { client } = this.options;
    switch (write.do) {
      case 'create': return client.create(type, write.object);
      case 'replace': return client.replace(type, write.object);
      case 'patch': return client.patch(type, name, namespace, write.patch, 'application/merge-patch+json');
      case 'none': return undefined;
    }
  }

  /**
   * No identity propagates to the target any more. A Secret that objects use as their credential stays until the last of them is gone.
   * Without it their resources could not be deleted in Azure, or the controller would try with its own credential.
   */
  private async takeBack(owner: ManagedBy, target: PropagationTarget, identity: KubernetesObject | undefined): Promise<void> {
    const { cluster, client } = this.options;
    const watched = this.typeOf(target.kind);
    const existing = watched?.store.get(target.namespace, target.name);
    if (!watched || !existing || !isMarked(existing, owner)) return;
    const heir = this.index
      .concernedBy(target)
      .find((other) => managedByText(other) !== managedByText(owner) && this.isWantedBy(other, target));
    if (heir) return this.queue.add(heir);
    if (target.kind === 'Secret') {
      const isListing = cluster.watched.some(({ type: { group, kind } }) => group !== '' && this.isUnknown(group, kind, target.namespace));
      if (isListing) return this.queue.addAfter(owner, WHILE_LISTING);
      if (this.users.areThere({ group: '', ...target })) {
        const why = `${propagationTargetText(target)} is no longer written, and stays until no object of its namespace uses it as its credential`;
        return this.reports.tell(owner, identity ?? existing, target, 'kept', why);
      }
    }
    if (existing.metadata.deletionTimestamp) return;
    const { uid, resourceVersion } = existing.metadata;
    try {
      if (target.kind === 'ServiceAccount') {
        const patch = withoutAnnotations(owner, existing);
        watched.updateLocal(await client.patch(watched.type, target.name, target.namespace, patch, 'application/merge-patch+json'));
      } else {
        await client.delete(watched.type, target.name, target.namespace, { uid, resourceVersion });
      }
      const done = target.kind === 'ServiceAccount' ? 'cleared' : 'deleted';
      this.reports.tell(
        owner,
        identity ?? existing,
        target,
        'taken',
        `${propagationTargetText(target)} is no longer written, and was ${done}`,
      );
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return;
      throw identity ? this.told(identity, target, error) : error;
    }
  }

  /** Whether another identity, which the target names as its owner, still propagates to it; true in doubt. */
  private isWantedBy(owner: ManagedBy, target: PropagationTarget): boolean {
    const identities = this.options.cluster.typeOf(IDENTITY.group, IDENTITY.kind);
    if (!identities || this.isUnknown(IDENTITY.group, IDENTITY.kind, owner.namespace) || !this.isWatched(owner.namespace)) return true;
    const identity = identityOf(identities, owner);
    if (!identity) return false;
    if (!this.isOurs(identity) || identity.metadata.deletionTimestamp) return true;
    const { entries, problems } = propagationTargets(annotation(identity, PROPAGATE_TO) ?? '');
    const isNamed = problems.length > 0 || entries.some((entry) => propagationTargetText(entry) === propagationTargetText(target));
    return isNamed && consentMissing(identity, target, this.namespace(target.namespace)) === undefined;
  }

  /** Why a target cannot be read. */
  private unreadable(target: PropagationTarget, type: TargetType | undefined, identity: KubernetesObject) {
    const text = propagationTargetText(target);
    const across = identity.metadata.namespace !== target.namespace;
    if (type?.isForbidden) return { isFinal: true, why: `${text} is not written: this controller may not list service accounts${CURE}` };
    // For Secrets and ConfigMaps the API server reports an existing object at the latest on the write.
    if (!type || (target.kind === 'ServiceAccount' && type.hasSynced === false)) {
      return { isFinal: false, why: `${text} waits: not all ${target.kind}s are listed yet` };
    }
    if (across && this.isUnknown('', 'Namespace')) {
      return {
        isFinal: false,
        why: `${text} waits: the Namespaces are not listed yet; this controller needs the right to list and watch them`,
      };
    }
    return undefined;
  }

  /** Reports a refusal by the API server on the identity. */
  private told(identity: KubernetesObject, target: PropagationTarget, error: unknown): unknown {
    if (error instanceof KubernetesError && (error.status === 403 || error.status === 422)) {
      const cure = error.status === 403 ? CURE : '';
      this.reports.tell(
        managedByOf(identity),
        identity,
        target,
        'refused',
        `${propagationTargetText(target)} is not written: ${error.message}${cure}`,
      );
    }
    return error;
  }

  private typeOf(kind: PropagationKind): TargetType | undefined {
    return kind === SERVICE_ACCOUNTS.kind ? this.options.serviceAccounts.watched() : this.options.cluster.typeOf('', kind);
  }

  private isUnknown(group: string, kind: string, namespace?: string): boolean {
    return this.options.cluster.stateOf(group, kind, namespace).state === 'unknown';
  }

  /** @throws UnknownStateError: then the identity is tried again. */
  private namespace(name: string): KubernetesObject | undefined {
    return this.options.cluster.find({ group: '', kind: 'Namespace', namespace: '', name });
  }

  private isWatched(namespace: string): boolean {
    const { targetNamespaces } = this.options;
    return targetNamespaces.length === 0 || targetNamespaces.includes(namespace);
  }

  private isOurs(identity: KubernetesObject): boolean {
    return annotation(identity, OPERATOR_NAMESPACE) === this.options.operatorNamespace;
  }
}

interface Outcome<T, R> {
  readonly item: T;
  readonly value?: R;
  readonly error?: unknown;
}

/** The fields of an identity that decide about its propagation. */
function factsOf({ metadata, status = {} }: KubernetesObject, said: string): string {
  const { clientId, principalId, tenantId, id } = status as Readonly<Record<string, unknown>>;
  const { uid, deletionTimestamp, annotations } = metadata;
  return JSON.stringify([uid, deletionTimestamp, annotations?.[OPERATOR_NAMESPACE], said, clientId, principalId, tenantId, id]);
}

function identityOf({ store }: WatchedType, owner: ManagedBy): KubernetesObject | undefined {
  const found = store.get(owner.namespace, owner.name);
  return found ?? store.list(owner.namespace).find((identity) => managedByText(managedByOf(identity)) === managedByText(owner));
}

/** Runs the actions independently: a failed one does not block the others. */
async function all<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<Outcome<T, R>[]> {
  const outcomes: Outcome<T, R>[] = [];
  for (const item of items) {
    outcomes.push(await act(item).then((value) => ({ item, value }), (error: unknown) => ({ item, error })));
  }
  return outcomes;
}

function isMarked(object: KubernetesObject | undefined, owner: ManagedBy): boolean {
  const found = managedByLabelsOf(object);
  return found !== undefined && managedByText(found) === managedByText(owner);
}

function isOutOfDate(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 409 || error.status === 404);
}

/** The status of Kubernetes has no reason for it. */
function isEndOfNamespace(error: unknown): boolean {
  return error instanceof KubernetesError && ((error.status === 403 && /being terminated/.test(error.message)) || error.status === 404);
}
