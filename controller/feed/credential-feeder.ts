import type { FeedWrite } from './contents';
import { withoutAnnotations } from './contents';
import { consentMissing, decideFeed, type Verdict } from './decide';
import { FeedIndex } from './feed-index';
import { FeedReports, type FeedReport, type FeedState } from './feed-reports';
import { markFor, markOf, markText, type Mark } from './marks';
import { SERVICE_ACCOUNTS, type ServiceAccountSource } from './service-accounts';
import type { Clock } from '../../engine/clock';
import { KubernetesError, type KubernetesClient, type KubernetesObject, type ObjectEvent, type ObjectKey } from '../../engine/kubernetes/types';
import { annotation, OPERATOR_NAMESPACE } from '../../engine/objects/annotations';
import {
  ACCEPTS_CREDENTIALS_FROM, FEED_KINDS, FEEDS, feedTargets, feedTargetText, type FeedKind, type FeedTarget,
} from '../../src/azure/credential-feeds';
import type { Cluster, WatchedType } from '../reconcile/cluster';
import { CredentialUsers } from '../reconcile/credential-users';
import type { EventRecorder } from '../reconcile/event-recorder';
import { keyOf } from '../reconcile/object-key';
import { WorkQueue } from '../work-queue';

export interface CredentialFeederOptions {
  readonly cluster: Cluster;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  readonly events: Pick<EventRecorder, 'record'>;
  readonly serviceAccounts: ServiceAccountSource;
  /** Identities of other controllers are theirs to feed. */
  readonly operatorNamespace: string;
  /** Empty: all. */
  readonly targetNamespaces: readonly string[];
  /** Told of what an event was written of as well. */
  readonly onReport?: (report: FeedReport) => void;
  readonly onError?: (identity: Mark, error: unknown, retryInMilliseconds: number) => void;
}

type TargetType = WatchedType & { readonly isForbidden?: boolean };

export const IDENTITY = { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity' } as const;
/** Identities that are worked on at a time. */
const CONCURRENCY = 8;
/** As long as not all is listed, nothing can be told from nothing. */
const WHILE_LISTING = 2_000;
const CURE = '; give it the rights for feeds (credentialFeeds: true of its installation, see docs/credentials.md)';
const BACKOFF = { base: 500, max: 60_000, jitter: 0.1 };

/**
 * Writes the ids of identities where they are wanted: into credential Secrets, service accounts and ConfigMaps of other namespaces, as soon as
 * Azure has given them, and only where both sides want it. Apart from the passes: nothing that goes wrong here is in the way of an identity.
 */
export class CredentialFeeder {
  private readonly queue: WorkQueue<Mark>;
  private readonly index = new FeedIndex();
  private readonly users: CredentialUsers;
  private readonly reports: FeedReports;
  private readonly seen = new Map<string, string>();

  public constructor(private readonly options: CredentialFeederOptions) {
    const { clock, events, onReport, onError, serviceAccounts } = options;
    this.reports = new FeedReports(events, clock, onReport);
    this.users = new CredentialUsers({ onChange: ({ namespace, name }) => this.look(this.index.concernedBy({ kind: 'Secret', namespace, name })) });
    this.queue = new WorkQueue<Mark>({
      clock,
      keyOf: markText,
      groupOf: () => '',
      concurrencyPerGroup: CONCURRENCY,
      concurrency: CONCURRENCY,
      backoff: BACKOFF,
      process: (mark) => this.process(mark),
      onError,
    });
    serviceAccounts.listen((event) => this.handle(event), () => this.look(this.index.feedersOf('ServiceAccount')));
  }

  /** To be called when all objects were listed once, by the process that leads. */
  public start(): void {
    this.queue.start();
  }

  /** Begins nothing any more, and lets what runs come to its end. */
  public drain(): Promise<void> {
    return this.queue.drain();
  }

  /** How many targets there are, by kind and state. */
  public get states(): readonly { readonly kind: FeedKind; readonly state: FeedState }[] {
    return this.reports.states;
  }

  /** Looks at an identity again, e.g. because a pass of it has ended: what stands in the way is told of again from time to time. */
  public check({ group, kind, namespace, name }: ObjectKey): void {
    if (group !== IDENTITY.group || kind !== IDENTITY.kind) return;
    const mark = markFor({ metadata: { namespace, name } });
    if (this.seen.has(markText(mark))) this.queue.add(mark, 'resync');
  }

  /** What an informer tells. */
  public handle(event: ObjectEvent): void {
    const { group, kind } = keyOf(event.object);
    if (group !== '') this.users.handle(event);
    if (group === IDENTITY.group && kind === IDENTITY.kind) this.handleIdentity(event);
    if (group === '' && kind === 'Namespace') this.handleNamespace(event);
    if (group === '' && (FEED_KINDS as readonly string[]).includes(kind)) this.handleTarget(event, kind as FeedKind);
  }

  private handleIdentity({ type, object }: ObjectEvent): void {
    const mark = markFor(object);
    const text = markText(mark);
    const said = type === 'DELETED' ? undefined : annotation(object, FEEDS);
    const what = said === undefined ? undefined : factsOf(object, said);
    if (this.seen.get(text) === what) return;
    if (what === undefined) this.seen.delete(text);
    else this.seen.set(text, what);
    const before = this.index.targetsOf(mark);
    this.index.setTargets(mark, said === undefined ? [] : feedTargets(said).entries);
    this.queue.add(mark);
    // Whoever was refused because this one was there first.
    for (const target of before) this.look(this.index.concernedBy(target));
  }

  private handleNamespace({ type, object, previous }: ObjectEvent): void {
    const same = type === 'MODIFIED' && previous
      && annotation(previous, ACCEPTS_CREDENTIALS_FROM) === annotation(object, ACCEPTS_CREDENTIALS_FROM)
      && previous.metadata.deletionTimestamp === object.metadata.deletionTimestamp;
    if (!same) this.look(this.index.concernedByNamespace(object.metadata.name));
  }

  private handleTarget({ type, object }: ObjectEvent, kind: FeedKind): void {
    const target: FeedTarget = { kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
    const before = this.index.concernedBy(target);
    this.index.setMark(target, type === 'DELETED' ? undefined : markOf(object));
    this.look([...before, ...this.index.concernedBy(target)]);
  }

  private look(marks: readonly Mark[]): void {
    for (const mark of marks) this.queue.add(mark);
  }

  private async process(mark: Mark): Promise<void> {
    const identities = this.options.cluster.typeOf(IDENTITY.group, IDENTITY.kind);
    if (!identities || !this.isWatched(mark.namespace)) return;
    if (this.isUnknown(IDENTITY.group, IDENTITY.kind, mark.namespace)) return this.queue.addAfter(mark, WHILE_LISTING);
    const identity = identityOf(identities, mark);
    // One that ends is still somebody's credential: what it was fed to is left until it is gone.
    if (identity && (!this.isOurs(identity) || identity.metadata.deletionTimestamp)) return;
    const said = identity && annotation(identity, FEEDS);
    const { entries, problems } = feedTargets(said ?? '');
    const outcomes = identity ? await all(entries, (target) => this.feed(identity, target)) : [];
    const wrong = problems.map((problem) => `annotation ${FEEDS}: ${problem}`);
    if (identity) for (const what of wrong) this.reports.tell(mark, identity, undefined, 'refused', what);
    const fed = new Set(outcomes.flatMap(({ item, value }) => (value === 'revoked' ? [] : [feedTargetText(item)])));
    // A part that cannot be read may mean any of them.
    const left = problems.length > 0 ? [] : this.index.markedBy(mark).filter((target) => !fed.has(feedTargetText(target)));
    const taken = await all(left, (target) => this.takeBack(mark, target, identity));
    this.reports.keep(mark, [...[...entries, ...left].map(feedTargetText), ...wrong]);
    const failed = [...outcomes, ...taken].find(({ error }) => error !== undefined);
    if (failed) throw failed.error;
  }

  private async feed(identity: KubernetesObject, target: FeedTarget): Promise<'wanted' | 'revoked'> {
    const type = this.typeOf(target.kind);
    const unreadable = this.unreadable(target, type, identity);
    if (unreadable) {
      this.reports.tell(markFor(identity), identity, target, unreadable.isFinal ? 'refused' : 'waiting', unreadable.why);
      return 'wanted';
    }
    const watched = type!;
    try {
      const verdict = await this.carryOut(watched, identity, target, watched.store.get(target.namespace, target.name))
        .catch(async (error: unknown) => {
          // What was known of the target is out of date. A service account is looked at again when its event comes.
          if (!isOutOfDate(error) || target.kind === 'ServiceAccount') throw error;
          return this.carryOut(watched, identity, target, await this.options.client.get(watched.type, target.name, target.namespace));
        });
      return verdict.do === 'refuse' && verdict.isRevoked ? 'revoked' : 'wanted';
    } catch (error) {
      if (!isEndOfNamespace(error)) throw this.told(identity, target, error);
      this.reports.tell(markFor(identity), identity, target, 'waiting', `${feedTargetText(target)} waits: namespace ${target.namespace} is not there, or is being deleted`);
      return 'wanted';
    }
  }

  private async carryOut(
    watched: WatchedType, identity: KubernetesObject, target: FeedTarget, existing: KubernetesObject | undefined,
  ): Promise<Verdict> {
    const verdict = decideFeed({
      identity,
      target,
      existing,
      isWatched: this.isWatched(target.namespace),
      namespace: this.namespace(target.namespace),
      isFedBy: (mark) => this.isFedBy(mark, target),
    });
    if (verdict.do === 'wait') {
      this.reports.tell(markFor(identity), identity, target, 'waiting', verdict.why, verdict.isUsual);
      return verdict;
    }
    if (verdict.do === 'refuse') {
      // What was fed before is taken back now, and that is told.
      if (!verdict.isRevoked || !isMarked(existing, markFor(identity))) this.reports.tell(markFor(identity), identity, target, 'refused', verdict.why);
      return verdict;
    }
    const written = await this.write(watched, target, verdict);
    if (written) watched.updateLocal(written);
    this.reports.tell(markFor(identity), identity, target, 'fed', `${feedTargetText(target)} has the ids of this identity`, written === undefined);
    return verdict;
  }

  private async write({ type }: WatchedType, { name, namespace }: FeedTarget, write: FeedWrite): Promise<KubernetesObject | undefined> {
    const { client } = this.options;
    switch (write.do) {
      case 'create': return client.create(type, write.object);
      case 'replace': return client.replace(type, write.object);
      case 'patch': return client.patch(type, name, namespace, write.patch, 'application/merge-patch+json');
      case 'none': return undefined;
    }
  }

  /**
   * Nobody feeds it any more. A Secret that is somebody's credential stays until the last object that needs it is gone: without it nothing of
   * them could be deleted in Azure, or it would be tried with the controller's own credential.
   */
  private async takeBack(mark: Mark, target: FeedTarget, identity: KubernetesObject | undefined): Promise<void> {
    const { cluster, client } = this.options;
    const watched = this.typeOf(target.kind);
    const existing = watched?.store.get(target.namespace, target.name);
    if (!watched || !existing || !isMarked(existing, mark)) return;
    const heir = this.index.concernedBy(target).find((other) => markText(other) !== markText(mark) && this.isFedBy(other, target));
    if (heir) return this.queue.add(heir);
    if (target.kind === 'Secret') {
      const isListing = cluster.watched.some(({ type: { group, kind } }) => group !== '' && this.isUnknown(group, kind, target.namespace));
      if (isListing) return this.queue.addAfter(mark, WHILE_LISTING);
      if (this.users.areThere({ group: '', ...target })) {
        const why = `${feedTargetText(target)} is not fed any more, and stays until no object of its namespace uses it as its credential`;
        return this.reports.tell(mark, identity ?? existing, target, 'kept', why);
      }
    }
    if (existing.metadata.deletionTimestamp) return;
    const { uid, resourceVersion } = existing.metadata;
    try {
      if (target.kind === 'ServiceAccount') {
        const patch = withoutAnnotations(mark, existing);
        watched.updateLocal(await client.patch(watched.type, target.name, target.namespace, patch, 'application/merge-patch+json'));
      } else {
        await client.delete(watched.type, target.name, target.namespace, { uid, resourceVersion });
      }
      const done = target.kind === 'ServiceAccount' ? 'cleared' : 'deleted';
      this.reports.tell(mark, identity ?? existing, target, 'taken', `${feedTargetText(target)} is not fed any more, and was ${done}`);
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return;
      throw identity ? this.told(identity, target, error) : error;
    }
  }

  /** Whether another identity, whose mark a target carries, still feeds it. In doubt it does. */
  private isFedBy(mark: Mark, target: FeedTarget): boolean {
    const identities = this.options.cluster.typeOf(IDENTITY.group, IDENTITY.kind);
    if (!identities || this.isUnknown(IDENTITY.group, IDENTITY.kind, mark.namespace) || !this.isWatched(mark.namespace)) return true;
    const identity = identityOf(identities, mark);
    if (!identity) return false;
    if (!this.isOurs(identity) || identity.metadata.deletionTimestamp) return true;
    const { entries, problems } = feedTargets(annotation(identity, FEEDS) ?? '');
    const isNamed = problems.length > 0 || entries.some((entry) => feedTargetText(entry) === feedTargetText(target));
    return isNamed && consentMissing(identity, target, this.namespace(target.namespace)) === undefined;
  }

  /** What is in the way of reading a target. */
  private unreadable(target: FeedTarget, type: TargetType | undefined, identity: KubernetesObject) {
    const text = feedTargetText(target);
    const across = identity.metadata.namespace !== target.namespace;
    if (type?.isForbidden) return { isFinal: true, why: `${text} is not fed: this controller may not list service accounts${CURE}` };
    // Of Secrets and ConfigMaps the API server says at the latest what is there already.
    if (!type || (target.kind === 'ServiceAccount' && type.hasSynced === false)) {
      return { isFinal: false, why: `${text} waits: not all ${target.kind}s are listed yet` };
    }
    if (across && this.isUnknown('', 'Namespace')) {
      return { isFinal: false, why: `${text} waits: the Namespaces are not listed yet; this controller needs the right to list and watch them` };
    }
    return undefined;
  }

  /** A refusal of the API server, told to whoever looks at the identity. */
  private told(identity: KubernetesObject, target: FeedTarget, error: unknown): unknown {
    if (error instanceof KubernetesError && (error.status === 403 || error.status === 422)) {
      const cure = error.status === 403 ? CURE : '';
      this.reports.tell(markFor(identity), identity, target, 'refused', `${feedTargetText(target)} is not fed: ${error.message}${cure}`);
    }
    return error;
  }

  private typeOf(kind: FeedKind): TargetType | undefined {
    return kind === SERVICE_ACCOUNTS.kind ? this.options.serviceAccounts.watched() : this.options.cluster.typeOf('', kind);
  }

  private isUnknown(group: string, kind: string, namespace?: string): boolean {
    return this.options.cluster.stateOf(group, kind, namespace).state === 'unknown';
  }

  /** @throws UnknownStateError: then it is tried again. */
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

/** What of an identity decides about its feeds. */
function factsOf({ metadata, status = {} }: KubernetesObject, said: string): string {
  const { clientId, principalId, tenantId, id } = status as Readonly<Record<string, unknown>>;
  const { uid, deletionTimestamp, annotations } = metadata;
  return JSON.stringify([uid, deletionTimestamp, annotations?.[OPERATOR_NAMESPACE], said, clientId, principalId, tenantId, id]);
}

function identityOf({ store }: WatchedType, mark: Mark): KubernetesObject | undefined {
  const found = store.get(mark.namespace, mark.name);
  return found ?? store.list(mark.namespace).find((identity) => markText(markFor(identity)) === markText(mark));
}

/** Each on its own: one that fails is not in the way of the others. */
async function all<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<Outcome<T, R>[]> {
  const outcomes: Outcome<T, R>[] = [];
  for (const item of items) {
    outcomes.push(await act(item).then((value) => ({ item, value }), (error: unknown) => ({ item, error })));
  }
  return outcomes;
}

function isMarked(object: KubernetesObject | undefined, mark: Mark): boolean {
  const found = markOf(object);
  return found !== undefined && markText(found) === markText(mark);
}

function isOutOfDate(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 409 || error.status === 404);
}

/** Kubernetes has no reason of its own in the status for it. */
function isEndOfNamespace(error: unknown): boolean {
  return error instanceof KubernetesError && ((error.status === 403 && /being terminated/.test(error.message)) || error.status === 404);
}
