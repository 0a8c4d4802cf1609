import type { ContentsOptions } from './contents-options';
import { WatchedContents, type InformedMetadata } from './watched-contents';
import { FairRequestQueue } from '../../engine/kubernetes/fair-request-queue';
import type { KubernetesObject, ObjectEvent } from '../../engine/kubernetes/types';
import { objectIdOf } from '../../src/object-id';
import type { WatchedType } from '../reconcile/cluster';

/** Kinds of which only the metadata is watched, and the contents are read when they are needed. */
const KINDS: ReadonlySet<string> = new Set(['Secret', 'ConfigMap']);
/** Concurrent reads. One namespace has at most three quarters of them. */
const READS_AT_ONCE = 16;
/** Interval in milliseconds at which contents without users are dropped. */
const DROP_UNUSED_MS = 60_000;

/**
 * The contents of the Secrets and ConfigMaps that are used, as a cache: each is read by name when something asks for it, and again when
 * its metadata changes. A content counts for the resourceVersion of the watched metadata alone; until it has been read, the object is
 * unknown, as with a list that is not complete.
 */
export class Contents {
  private readonly kinds = new Map<string, WatchedContents>();
  private readonly requests = new FairRequestQueue(READS_AT_ONCE);
  private cancelDrop: (() => void) | undefined;
  private isStopped = false;

  public constructor(private readonly options: ContentsOptions) {}

  /** The kind with its contents. Kinds of which whole objects are watched stay as they are. */
  public watched(informer: InformedMetadata): WatchedType {
    const { group, kind } = informer.type;
    if (group !== '' || !KINDS.has(kind)) return informer;
    this.kinds.get(kind)?.stop();
    const watched = new WatchedContents(informer, this.options, this.requests, () => this.dropUnusedLater());
    this.kinds.set(kind, watched);
    return watched;
  }

  /** Handles an event of an informer, before the parts that read objects. */
  public handle(event: ObjectEvent): void {
    this.of(event.object)?.handle(event);
  }

  /** The object has left the caches because another replica looks after it. */
  public released(object: KubernetesObject): void {
    this.of(object)?.drop(objectIdOf(object));
  }

  /** Begins no more reads, and cancels timers. */
  public stop(): void {
    this.isStopped = true;
    this.cancelDrop?.();
    for (const kind of this.kinds.values()) kind.stop();
  }

  private of(object: KubernetesObject): WatchedContents | undefined {
    const { group, kind } = objectIdOf(object);
    return group === '' ? this.kinds.get(kind) : undefined;
  }

  private dropUnusedLater(): void {
    if (this.isStopped) return;
    this.cancelDrop ??= this.options.clock.schedule(DROP_UNUSED_MS, () => {
      this.cancelDrop = undefined;
      const kept = [...this.kinds.values()].reduce((sum, kind) => sum + kind.dropUnused(), 0);
      if (kept > 0) this.dropUnusedLater();
    });
  }
}
