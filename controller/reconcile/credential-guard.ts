import type { Cluster } from './cluster';
import { isSubset, markedKinds, unionOf } from './credential-marks';
import { credentialSecretOf, CredentialUsers } from './credential-users';
import { fencedClient, type Fence, type WorkShare } from './fence';
import { sharedKeyOf } from './object-key';
import { TokenBucket } from './token-bucket';
import type { Clock } from '../../engine/clock';
import {
  KubernetesError,
  type KubernetesClient,
  type KubernetesObject,
  type ObjectEvent,
  type ObjectMeta,
} from '../../engine/kubernetes/types';
import { NotLeadingError, OwnershipLostError } from '../../engine/not-leading-error';
import { CREDENTIAL_FINALIZER, CREDENTIAL_USED_BY, OPERATOR_NAMESPACE } from '../../src/azure/annotations';
import { type ObjectId, objectIdOf } from '../../src/object-id';


/**
 * Annotation of such a Secret: the kinds of the objects that need it,
 * `ResourceGroup.resources.azure.com,VirtualNetwork.network.azure.com`. Several controllers may serve one namespace, each with its own
 * kinds (`--kinds`): each adds the kinds of which it has users, and removes only kinds of which it has listed all objects. The finalizer
 * is removed with the last kind.
 *
 * Each write delays the first request of a kind. So the write for one kind adds all kinds of which there are unclaimed objects. These do
 * not keep the Secret: a controller that has no user removes all its kinds.
 */

export interface CredentialGuardOptions {
  readonly cluster: Cluster;
  readonly client: KubernetesClient;
  readonly clock: Clock;
  /** Namespace of this controller. Objects of other controllers do not count. */
  readonly operatorNamespace: string;
  /** Called just before each write, for the Secret or for the object that is about to use it. Default: this process may always write. */
  readonly fence?: Fence | undefined;
  /** Which Secrets this replica looks after. Default: all. */
  readonly share?: WorkShare | undefined;
  /** Whether other replicas send for objects of the Secret's namespace. Default: none is split. */
  readonly isSplit?: ((namespace: string) => boolean) | undefined;
  readonly onError?: (secret: ObjectId, error: unknown) => void;
}

const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;
/** Limits the writes to one Secret, so that a writer that reverts them cannot cause an endless loop: burst size, and writes a second. */
const WRITES_AT_ONCE = 10;
const WRITES_A_SECOND = 0.1;
/**
 * Milliseconds for which a kind has no user before it is removed from the Secret: in a split namespace, and where other kinds have users
 * and keep the Secret, so that the kinds of a manifest that is deleted go with one write.
 */
const UNUSED_MS = 30_000;

interface Change {
  readonly secret: ObjectMeta;
  readonly finalizers: string[];
  /** Sorted; empty: no kinds. */
  readonly kinds: readonly string[];
}

/**
 * Keeps a credential Secret until the last object that uses it is gone. A user who deletes a namespace, or all objects of a manifest,
 * deletes the Secret with them, and the resources in Azure could then not be deleted: ASO's objects hang in that state until the Secret
 * is restored.
 */
export class CredentialGuard {
  private readonly users: CredentialUsers;
  private readonly retries = new Map<string, number>();
  /** Secrets with a running write or read; never rejects. */
  private readonly busy = new Map<string, { readonly secret: ObjectId; readonly done: Promise<void> }>();
  private readonly again = new Set<string>();
  private readonly waiting = new Set<string>();
  /** Secret → kinds that stay for `UNUSED_MS` → since when they have no user. */
  private readonly unusedSince = new Map<string, Map<string, number>>();
  /** Secrets whose cached state may be wrong: the outcome of a write is unknown, or another writer was faster. */
  private readonly doubtful = new Set<string>();
  /** Secrets that the controller may not write: objects do not wait for them, until a write succeeds. */
  private readonly refused = new Set<string>();
  private readonly writes = new Map<string, TokenBucket>();
  /** Secrets that were written too often lately: they are checked again later. */
  private readonly limited = new Set<string>();
  private started = false;

  public constructor(private readonly options: CredentialGuardOptions) {
    this.users = new CredentialUsers({ counts: (object) => this.counts(object), onChange: (secret) => this.check(secret) });
  }

  /** Called by the leader: from now on it writes. Kinds that are not listed yet count as users. */
  public start(): void {
    this.started = true;
    this.checkAll();
  }

  /** The share of this replica has changed: it checks the Secrets of the namespaces that are new to it. */
  public shareChanged(): void {
    if (this.started) this.checkAll();
  }

  /** Resolves when no Secret of such is being written. */
  public async ended(concerns: (secret: ObjectId) => boolean): Promise<void> {
    await Promise.all([...this.busy.values()].filter(({ secret }) => concerns(secret)).map(({ done }) => done));
  }

  /** A write has no end but its own: the request has a time limit. */
  public abort(): void {}

  /** The object has left the caches because another replica looks after it. */
  public released(object: KubernetesObject): void {
    const key = objectIdOf(object);
    if (key.group !== '') this.users.drop(key);
    else if (key.kind === 'Secret') this.forget(key);
  }

  private checkAll(): void {
    for (const secret of this.options.cluster.typeOf('', 'Secret')?.store.list() ?? []) this.check(objectIdOf(secret));
  }

  /** Handles an event of an informer. */
  public handle(event: ObjectEvent): void {
    const { type, object } = event;
    const key = objectIdOf(object);
    if (key.group === '') {
      if (key.kind !== 'Secret') return;
      if (type === 'DELETED') this.forget(key);
      else this.check(key);
      return;
    }
    this.users.handle(event);
  }

  /**
   * Resolves when the credential of an object that is about to be claimed or sent is kept for as long as the object needs it. Until
   * `release` the object counts as a user, whatever the informers have seen.
   * @throws KubernetesError when the Secret cannot be kept: it is being deleted, or the API server does not answer. If the controller may
   * not write Secrets, `onError` is called, and no error is thrown.
   */
  public async hold(object: KubernetesObject): Promise<void> {
    this.users.expect(object);
    const key = credentialSecretOf(object);
    const text = sharedKeyOf(key);
    while (this.options.cluster.findMetadata(key)) {
      const busy = this.busy.get(text);
      if (busy) {
        await busy.done;
      } else if (this.doubtful.has(text)) {
        await this.alone(key, () => this.refresh(key));
      } else {
        const change = this.refused.has(text) ? undefined : this.protection(key);
        if (!change) return;
        await this.alone(key, () => this.write(key, change, objectIdOf(object))).catch((error: unknown) => this.unlessRefused(key, error));
      }
    }
  }

  /** The reconcile of an object is over, and the informers have seen its writes. */
  public release(object: ObjectId): void {
    this.users.settle(object);
  }

  private counts(object: KubernetesObject): boolean {
    const operator = object.metadata.annotations?.[OPERATOR_NAMESPACE];
    return operator === undefined || operator === this.options.operatorNamespace;
  }

  private check(secret: ObjectId): void {
    const text = sharedKeyOf(secret);
    if (!this.options.cluster.lastSeen(secret)) return this.forget(secret);
    if (!this.owns(secret)) return;
    if (this.busy.has(text)) {
      this.again.add(text);
      return;
    }
    const change = this.wanted(secret);
    if (!change && !this.doubtful.has(text)) return;
    if (this.limited.has(text)) return;
    const delay = this.writesOf(text).reserve(this.options.clock.now());
    if (delay === 0) return this.correct(secret);
    this.limited.add(text);
    this.options.clock.schedule(delay, () => {
      this.limited.delete(text);
      if (this.busy.has(text)) this.again.add(text);
      else this.correct(secret);
    });
  }

  private writesOf(text: string): TokenBucket {
    const known = this.writes.get(text) ?? new TokenBucket(WRITES_A_SECOND, WRITES_AT_ONCE);
    this.writes.set(text, known);
    return known;
  }

  private correct(secret: ObjectId): void {
    const text = sharedKeyOf(secret);
    if (!this.owns(secret)) return;
    this.alone(secret, async () => {
      if (this.doubtful.has(text)) await this.refresh(secret);
      const still = this.wanted(secret);
      if (still) await this.write(secret, still);
    }).then(
      () => this.retries.delete(text),
      (error: unknown) => {
        if (error instanceof OwnershipLostError) return;
        if (!isExpected(error)) this.options.onError?.(secret, error);
        this.retryLater(secret);
      },
    );
  }

  private owns(secret: ObjectId): boolean {
    return this.options.share?.owns(secret) ?? true;
  }

  /** Serializes the actions on each Secret; changes meanwhile are handled afterwards. */
  private alone(secret: ObjectId, act: () => Promise<void>): Promise<void> {
    const text = sharedKeyOf(secret);
    const done = act();
    const over = () => {
      this.busy.delete(text);
      if (this.again.delete(text)) this.check(secret);
    };
    this.busy.set(text, { secret, done: done.then(over, over) });
    return done;
  }

  /** The change that the Secret needs, if any. */
  private wanted(key: ObjectId): Change | undefined {
    if (!this.started) return undefined;
    const secret = this.options.cluster.lastSeen(key)?.metadata;
    if (!secret) return undefined;
    const { finalizers = [], deletionTimestamp } = secret;
    const held = finalizers.includes(CREDENTIAL_FINALIZER);
    const [marked, used] = [markedKinds(secret), this.users.kindsOf(key)];
    const coming = this.comingKinds(key, used);
    const needed = new Set([...used, ...coming]);
    this.keepUnused(key, (kind) => marked.has(kind) && !needed.has(kind));
    const staying = held ? [...marked].filter((kind) => needed.has(kind) || !this.isUnused(key, kind, used.size > 0)) : [];
    const isCovered = held && isSubset(used, marked);
    const kinds = unionOf(staying, used, isCovered ? [] : coming);
    // A controller that has listed nothing yet does not know the users; a Secret without marks was written by a version that set none.
    const isUnmarked = held && marked.size === 0 && kinds.length === 0;
    if (isUnmarked && this.isListing(key.namespace)) {
      this.retryLater(key);
      return undefined;
    }
    if (isUnmarked && this.users.otherKindsOf(key).size > 0) return undefined;
    const others = finalizers.filter((finalizer) => finalizer !== CREDENTIAL_FINALIZER);
    if (kinds.length === 0) return held ? { secret, kinds, finalizers: others } : undefined;
    // Kubernetes accepts no new finalizer on an object that is being deleted.
    if (!held && deletionTimestamp) return undefined;
    if (held && kinds.length === marked.size && isSubset(kinds, marked)) return undefined;
    return { secret, kinds, finalizers: held ? finalizers : [...finalizers, CREDENTIAL_FINALIZER] };
  }

  /** Whether this controller has listed all objects of a kind in the Secret's namespace, and none uses the Secret, of any controller. */
  private isUnused(secret: ObjectId, kind: string, hasUsers: boolean): boolean {
    if (this.users.otherKindsOf(secret).has(kind)) return false;
    if (!this.isUnusedForLong(secret, kind, hasUsers)) return false;
    const dot = kind.indexOf('.');
    const [name, group] = [kind.slice(0, dot), kind.slice(dot + 1)];
    const state = this.options.cluster.stateOf(group, name, secret.namespace);
    if (state.state === 'whole') return true;
    // Either another controller handles the kind, or its list is still to come.
    if (state.reason === 'CacheNotSynced') this.retryLater(secret);
    return false;
  }

  /**
   * Other replicas keep the Secret for objects in their trees that are not claimed yet (`hold`), and that this one may not have seen yet:
   * a kind that has no user is removed half a minute later, and not while there is an object that may be claimed.
   * @param hasUsers whether other kinds keep the Secret, so that there is no hurry
   */
  private isUnusedForLong(secret: ObjectId, kind: string, hasUsers: boolean): boolean {
    const { isSplit, cluster, clock } = this.options;
    const unused = this.unusedSince.get(sharedKeyOf(secret)) ?? new Map<string, number>();
    if (!hasUsers && !isSplit?.(secret.namespace)) {
      unused.delete(kind);
      return true;
    }
    const dot = kind.indexOf('.');
    const objects = cluster.typeOf(kind.slice(dot + 1), kind.slice(0, dot))?.store.list(secret.namespace) ?? [];
    const since = unused.get(kind) ?? clock.now();
    const mayBeClaimed = objects.some((object) => this.counts(object) && sharedKeyOf(credentialSecretOf(object)) === sharedKeyOf(secret));
    this.unusedSince.set(sharedKeyOf(secret), unused.set(kind, mayBeClaimed ? clock.now() : since));
    if (!mayBeClaimed && clock.now() - since >= UNUSED_MS) return true;
    this.retryLater(secret);
    return false;
  }

  /** A kind that is added once more, by another replica, is unused since then. */
  private keepUnused(secret: ObjectId, isUnused: (kind: string) => boolean): void {
    const unused = this.unusedSince.get(sharedKeyOf(secret));
    for (const kind of unused?.keys() ?? []) if (!isUnused(kind)) unused!.delete(kind);
    if (unused?.size === 0) this.unusedSince.delete(sharedKeyOf(secret));
  }

  /** The kinds that will use the Secret soon; none where nothing uses it now. */
  private comingKinds(secret: ObjectId, used: ReadonlySet<string>): ReadonlySet<string> {
    return used.size > 0 ? this.users.unclaimedKindsOf(secret) : used;
  }

  private isListing(namespace: string): boolean {
    const { cluster } = this.options;
    return cluster.watched.some(({ type }) => cluster.stateOf(type.group, type.kind, namespace).state === 'unknown');
  }

  /** The change that is missing for the Secret to be kept. */
  private protection(key: ObjectId): Change | undefined {
    const secret = this.options.cluster.findMetadata(key)!;
    const { finalizers = [], deletionTimestamp, namespace, name } = secret;
    const held = finalizers.includes(CREDENTIAL_FINALIZER);
    const [marked, used] = [markedKinds(secret), this.users.kindsOf(key)];
    if (held && isSubset(used, marked)) return undefined;
    if (deletionTimestamp && !held) {
      throw new KubernetesError(
        409,
        'Conflict',
        `Secret "${namespace}/${name}" is being deleted: nothing is created in Azure with a credential that will not be there to delete it`,
      );
    }
    const kinds = unionOf(held ? marked : [], used, this.comingKinds(key, used));
    return { secret, kinds, finalizers: held ? finalizers : [...finalizers, CREDENTIAL_FINALIZER] };
  }

  /** @param user the object that is about to use the Secret; absent: the Secret is checked by itself */
  private async write(key: ObjectId, { secret, finalizers, kinds }: Change, user = key): Promise<void> {
    const watched = this.options.cluster.typeOf('', 'Secret')!;
    // With the resourceVersion, so that no finalizer of another writer is lost.
    const annotations = { [CREDENTIAL_USED_BY]: kinds.length > 0 ? kinds.join(',') : null };
    const patch = { metadata: { finalizers, annotations, resourceVersion: secret.resourceVersion } };
    const written = await fencedClient(this.options.client, this.options.fence, user)
      .patch(watched.type, key.name, key.namespace, patch, 'application/merge-patch+json')
      .catch((error: unknown) => {
        // A write that was not sent leaves nothing in doubt.
        if (!(error instanceof NotLeadingError)) this.doubtful.add(sharedKeyOf(key));
        throw error;
      });
    this.refused.delete(sharedKeyOf(key));
    this.keepUnused(key, (kind) => kinds.includes(kind));
    // With its last finalizer a deleted Secret goes; the watch reports it.
    if (!(written.metadata.deletionTimestamp && finalizers.length === 0)) watched.updateLocal(written);
  }

  /** @throws KubernetesError also when the Secret is gone: the watch reports it. */
  private async refresh(key: ObjectId): Promise<void> {
    const watched = this.options.cluster.typeOf('', 'Secret')!;
    const current = await this.options.client.get(watched.type, key.name, key.namespace);
    if (!current) throw new KubernetesError(404, 'NotFound', `Secret "${key.namespace}/${key.name}" is gone`);
    this.doubtful.delete(sharedKeyOf(key));
    watched.updateLocal(current, 'read');
  }

  private unlessRefused(key: ObjectId, error: unknown): void {
    if (statusOf(error) !== 403) throw error;
    this.refused.add(sharedKeyOf(key));
    this.options.onError?.(key, error);
  }

  private forget(secret: ObjectId): void {
    for (const texts of [this.doubtful, this.refused, this.retries, this.writes, this.unusedSince]) texts.delete(sharedKeyOf(secret));
  }

  private retryLater(secret: ObjectId): void {
    const text = sharedKeyOf(secret);
    if (this.waiting.has(text)) return;
    const delay = this.retries.get(text) ?? FIRST_RETRY;
    this.retries.set(text, Math.min(delay * 2, LAST_RETRY));
    this.waiting.add(text);
    this.options.clock.schedule(delay, () => {
      this.waiting.delete(text);
      this.check(secret);
    });
  }
}

/** Another writer was faster: the watch brings its change. */
function isExpected(error: unknown): boolean {
  return statusOf(error) === 404 || statusOf(error) === 409;
}

function statusOf(error: unknown): unknown {
  return (error as { status?: unknown }).status;
}
