import { findRoot, ownerIn, type Root } from './find-root';
import type { Clock } from '../../engine/clock';
import type { KubernetesClient, KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { OwnershipLostError } from '../../engine/not-leading-error';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import type { Cluster } from '../reconcile/cluster';
import { sharedKeyOf } from '../reconcile/object-key';

/**
 * Milliseconds for which a replica leaves an object alone after it has seen that the object belongs to another tree. By then no request is
 * sent any more by the replica of the tree before.
 */
export const SETTLE_MS = 5_000;
/** A confirmation that takes longer counts as failed: the request would be sent too late. With the above: 3 s lie between two replicas. */
const CONFIRM_MS = 2_000;
/** Changes of trees within so many milliseconds make one look at all objects. */
const DEBOUNCE_MS = 1_000;

/** The roots of objects in split namespaces. */
export interface TreeRoots {
  /** The root of the object's tree, as the cache has it; undefined: not known. */
  rootOf(object: ObjectId): string | undefined;
  /** Whether the object has belonged to that tree for long enough. */
  isSettled(object: ObjectId): boolean;
  /**
   * Reads the object and its owners from the API server.
   * @throws OwnershipLostError where they give another root than the cache, or cannot be read in time
   */
  confirm(object: ObjectId): Promise<void>;
}

export interface OwnerRootsOptions {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock: the wall clock may jump, and no wait may become shorter by that. Default: the clock. */
  readonly elapsed?: () => number;
  readonly isSplit: (namespace: string) => boolean;
}

export interface OwnerRootsParts {
  readonly cluster: Pick<Cluster, 'typeOf' | 'stateOf' | 'lastSeen'>;
  readonly client: Pick<KubernetesClient, 'get'>;
  /** Called when objects may have come to this replica, or gone from it. */
  readonly onChange: () => void;
}

interface Known {
  readonly root: string;
  /** Absent: no other replica can have seen another root. */
  readonly since?: number;
}

/**
 * Which tree an object belongs to, where a namespace is split by owner tree.
 *
 * The root follows from specs, so the caches of two replicas, one of which is behind, may give different roots, and both replicas may take
 * one object for their own. These rules keep them apart:
 *
 * 1. Before each write to Azure the object and its owners are read from the API server (`confirm`). The request is sent only if they give
 *    the root that the cache gives, at most 2 s after the reads began, and only if the replica owns that tree then.
 * 2. A replica that sees an object in another tree than before, or for the first time, leaves it alone for 5 s.
 *
 * When the second replica begins, the API server has had the new owners for at least 5 s: the first one's last confirmation began before
 * that, so its last request was sent at least 3 s ago. That is the distance that terms keep, too (docs/sharding.md). What the first replica
 * has begun in Azure is on the object, as after a restart.
 *
 * An object that was never edited does not wait where its own spec alone gives the root, as for all that lies directly below a resource
 * group: only an edit of that object can give another root, and that is waited for. Writes to the cluster are not confirmed: claims
 * and statuses carry a resourceVersion, so that the one that comes second is refused; and annotations, which do not, only tell of requests.
 */
export class OwnerRoots implements TreeRoots {
  private readonly known = new Map<string, Known>();
  private parts: OwnerRootsParts | undefined;
  private cancel: (() => void) | undefined;
  private dueAt = Infinity;
  /** The last time that was asked for. */
  private lastAt = -Infinity;

  public constructor(private readonly options: OwnerRootsOptions) {}

  public connect(parts: OwnerRootsParts): void {
    this.parts = parts;
  }

  /** Cancels timers. */
  public stop(): void {
    this.cancel?.();
  }

  public rootOf(object: ObjectId): string | undefined {
    const found = this.find(object);
    if (found) this.note(object, found);
    return found?.root;
  }

  public isSettled(object: ObjectId): boolean {
    if (this.rootOf(object) === undefined) return false;
    const { since = -Infinity } = this.known.get(sharedKeyOf(object))!;
    return this.elapsed() - since >= SETTLE_MS;
  }

  public async confirm(object: ObjectId): Promise<void> {
    if (!this.options.isSplit(object.namespace)) return;
    const began = this.elapsed();
    const what = `${object.kind} ${object.namespace}/${object.name}`;
    const read = await this.read(object).catch((error: unknown) => {
      throw new OwnershipLostError(what, `the owners of ${what} could not be read: ${(error as Error).message}`);
    });
    const cached = this.parts?.cluster.lastSeen(object);
    const isSame = cached !== undefined && read?.uid === cached.metadata.uid && read?.root === this.rootOf(object);
    const tookMs = this.elapsed() - began;
    if (!isSame || tookMs < 0 || tookMs > CONFIRM_MS) throw new OwnershipLostError(what);
  }

  /** Handles an event of an informer. */
  public handle({ type, object, previous }: ObjectEvent): void {
    const key = objectIdOf(object);
    if (key.group === '' || !this.options.isSplit(key.namespace)) return;
    if (type === 'DELETED') this.known.delete(sharedKeyOf(key));
    const isChanged = type !== 'MODIFIED' || !previous || ownerText(previous) !== ownerText(object);
    if (isChanged) this.lookIn(DEBOUNCE_MS);
  }

  /** The object has left the caches. */
  public released(object: KubernetesObject): void {
    this.known.delete(sharedKeyOf(objectIdOf(object)));
  }

  /** A list may be complete now. */
  public listed(): void {
    if (this.known.size > 0) this.lookIn(DEBOUNCE_MS);
  }

  /** Other namespaces may be split now. */
  public splitChanged(): void {
    for (const text of this.known.keys()) {
      if (!this.options.isSplit(text.split('/')[2] ?? '')) this.known.delete(text);
    }
  }

  private elapsed(): number {
    return (this.options.elapsed ?? (() => this.options.clock.now()))();
  }

  private find(object: ObjectId): Root | undefined {
    const cluster = this.parts?.cluster;
    if (!cluster?.lastSeen(object)) return undefined;
    return findRoot(object, (key) => {
      const cached = cluster.lastSeen(key);
      if (cached) return cached;
      const state = cluster.stateOf(key.group, key.kind, key.namespace);
      return state.state === 'whole' || state.reason === 'KindNotWatched' ? undefined : 'unknown';
    });
  }

  private note(object: ObjectId, { root, isOwn }: Root): void {
    const text = sharedKeyOf(object);
    const before = this.known.get(text);
    if (before?.root === root) return;
    const since = this.elapsed();
    // Of the first generation: its spec, and so its own owner, has never been another one, not even before this process saw it.
    const isAsCreated = this.parts?.cluster.lastSeen(object)?.metadata.generation === 1;
    const waits = before !== undefined || !isOwn || !isAsCreated;
    this.known.set(text, waits ? { root, since } : { root });
    if (waits) this.lookIn(SETTLE_MS);
  }

  private async read(object: ObjectId): Promise<{ readonly root: string; readonly uid: string | undefined } | undefined> {
    const { cluster, client } = this.parts!;
    const read = new Map<string, KubernetesObject | undefined>();
    const get = async (key: ObjectId) => {
      const watched = cluster.typeOf(key.group, key.kind);
      const found = watched && await client.get(watched.type, key.name, key.namespace);
      read.set(sharedKeyOf(key), found);
      return found;
    };
    const first = await get(object);
    if (!first) return undefined;
    for (;;) {
      let missing: ObjectId | undefined;
      const found = findRoot(object, (key) => {
        const text = sharedKeyOf(key);
        if (read.has(text)) return read.get(text);
        missing = key;
        return 'unknown';
      });
      if (!missing) return found && { root: found.root, uid: first.metadata.uid };
      await get(missing);
    }
  }

  /** One timer: the earliest time that was asked for, and then each second until the last one. */
  private lookIn(delayMs: number): void {
    const { clock } = this.options;
    const at = this.elapsed() + delayMs;
    this.lastAt = Math.max(this.lastAt, at);
    if (at >= this.dueAt) return;
    this.cancel?.();
    this.dueAt = at;
    this.cancel = clock.schedule(delayMs, () => {
      this.dueAt = Infinity;
      this.cancel = undefined;
      const restMs = this.lastAt - this.elapsed();
      if (restMs > 0) this.lookIn(Math.min(restMs, DEBOUNCE_MS));
      this.parts?.onChange();
    });
  }
}

function ownerText(object: KubernetesObject): string {
  return JSON.stringify(ownerIn(object) ?? null);
}
