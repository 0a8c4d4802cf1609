import { isDeepStrictEqual } from 'node:util';
import type { ContentsOptions } from './contents-options';
import { isOfVersion, wholeObject } from './whole-object';
import { backoffDelay } from '../../engine/kubernetes/backoff';
import { causeOf, isRefused, unknownState, type CachedObject, type CacheState } from '../../engine/kubernetes/cache-state';
import type { FairRequestQueue } from '../../engine/kubernetes/fair-request-queue';
import type { KubernetesObject, ObjectEvent, ObjectMeta, ObjectStore, RequestKind, ResourceType } from '../../engine/kubernetes/types';
import { type ObjectId, objectIdOf } from '../../src/object-id';
import type { ObjectContents, WatchedType } from '../reconcile/cluster';
import { sharedKeyOf } from '../reconcile/object-key';

/** An informer that keeps metadata. */
export interface InformedMetadata {
  readonly type: ResourceType;
  readonly store: ObjectStore;
  readonly hasSynced?: boolean;
  stateIn?(namespace?: string): CacheState;
  updateLocal(object: KubernetesObject, from?: RequestKind): void;
}

interface Content {
  readonly key: ObjectId;
  /** The last object that was read; current only with the resourceVersion of the metadata. */
  object?: KubernetesObject;
  /** Time of the last use. */
  usedAt: number;
  reading?: Promise<void>;
  /** Failed reads in a row, and answers in a row that were older than the metadata. */
  failures: number;
  missed: number;
  problem?: { readonly why: string; readonly isRefused: boolean };
  cancelRetry?: (() => void) | undefined;
}

/** Milliseconds for which a content that no object needs is kept after its last use: exports and propagation compare with it. */
const KEPT_MS = 300_000;
const RETRY = { base: 500, max: 30_000, jitter: 0.1 };

/** A kind of which only the metadata is watched, with the contents that are used. */
export class WatchedContents implements WatchedType, ObjectContents {
  public readonly contents: ObjectContents = this;
  public readonly stateIn?: (namespace?: string) => CacheState;
  private readonly known = new Map<string, Content>();
  /** The answer to an own request, while the informer takes its metadata. */
  private offered: KubernetesObject | undefined;
  private isStopped = false;

  /** @param onKept called when a content is kept */
  public constructor(
    private readonly informer: InformedMetadata,
    private readonly options: ContentsOptions,
    private readonly requests: FairRequestQueue,
    private readonly onKept: () => void,
  ) {
    if (informer.stateIn) this.stateIn = (namespace) => informer.stateIn!(namespace);
  }

  public get type(): ResourceType {
    return this.informer.type;
  }

  public get store(): ObjectStore {
    return this.informer.store;
  }

  public get hasSynced(): boolean {
    return this.informer.hasSynced ?? true;
  }

  public read(namespace: string, name: string): CachedObject {
    const metadata = this.store.get(namespace, name)?.metadata;
    if (!metadata) return { state: 'absent' };
    const content = this.contentOf(this.keyOf(namespace, name));
    content.usedAt = this.options.clock.now();
    if (isOfVersion(content.object, metadata)) return { state: 'present', object: content.object! };
    this.begin(content);
    return this.unknown(content);
  }

  public async fetch(namespace: string, name: string): Promise<CachedObject> {
    for (;;) {
      const state = this.read(namespace, name);
      const reading = state.state === 'unknown' && this.get(this.keyOf(namespace, name))?.reading;
      if (!reading) return state;
      await reading;
    }
  }

  public lastRead(namespace: string, name: string): KubernetesObject | undefined {
    return this.get(this.keyOf(namespace, name))?.object;
  }

  /** The answer to an own request: its content counts if the informer has no newer version. */
  public updateLocal(object: KubernetesObject, from?: RequestKind): void {
    const whole = wholeObject(this.type, object);
    const outer = this.offered;
    this.offered = whole;
    try {
      this.informer.updateLocal(object, from);
    } finally {
      this.offered = outer;
    }
    this.take(whole);
  }

  /** Handles an event of the metadata. */
  public handle({ type, object }: ObjectEvent): void {
    const key = objectIdOf(object);
    if (type === 'DELETED') {
      this.drop(key);
      this.options.onKnown(key, false);
      return;
    }
    if (isOfVersion(this.offered, object.metadata) && this.take(this.offered!)) return;
    const content = this.get(key);
    if (!content || isOfVersion(content.object, object.metadata)) return;
    if (this.options.isUsed(key)) this.begin(content);
    else if (!content.reading) this.drop(key);
  }

  /** Drops the content of an object that is gone, or not kept any more. */
  public drop(key: ObjectId): void {
    this.get(key)?.cancelRetry?.();
    this.known.delete(sharedKeyOf(key));
  }

  /** Drops contents that are not used any more; returns the number of those that stay. */
  public dropUnused(): number {
    for (const content of this.known.values()) if (!content.reading && !this.isWanted(content)) this.drop(content.key);
    return this.known.size;
  }

  public stop(): void {
    this.isStopped = true;
    for (const { cancelRetry } of this.known.values()) cancelRetry?.();
  }

  private keyOf(namespace: string, name: string): ObjectId {
    return { group: '', kind: this.type.kind, namespace, name };
  }

  private get(key: ObjectId): Content | undefined {
    return this.known.get(sharedKeyOf(key));
  }

  private contentOf(key: ObjectId): Content {
    const known = this.get(key);
    if (known) return known;
    const content: Content = { key, usedAt: this.options.clock.now(), failures: 0, missed: 0 };
    this.known.set(sharedKeyOf(key), content);
    this.onKept();
    return content;
  }

  private metadataOf({ namespace, name }: ObjectId): ObjectMeta | undefined {
    return this.store.get(namespace, name)?.metadata;
  }

  private isWanted({ key, usedAt }: Content): boolean {
    return this.options.isUsed(key) || this.options.clock.now() - usedAt <= KEPT_MS;
  }

  private unknown({ key, object, reading, problem }: Content): CachedObject {
    return {
      ...unknownState(this.type, problem?.why ?? 'its content is being read'),
      only: key,
      isMomentary: problem?.isRefused !== true,
      ...(reading ? { isBeingRead: problem === undefined } : {}),
      ...(object ? { last: object } : {}),
    };
  }

  /** Begins a read, unless one is under way, or the last one has failed just now. */
  private begin(content: Content): void {
    if (this.isStopped || content.reading || content.cancelRetry) return;
    const flow = { namespace: content.key.namespace, isReport: false };
    content.reading = this.requests.run(flow, () => this.request(content)).then(
      () => undefined,
      (error: unknown) => this.failed(content, error),
    ).finally(() => {
      delete content.reading;
      if (this.isKept(content)) this.readAgain(content);
    });
  }

  private async request(content: Content): Promise<void> {
    // The object may be gone by the time that its read has its turn.
    if (this.isStopped || !this.isKept(content) || !this.metadataOf(content.key)) return;
    const { namespace, name } = content.key;
    const found = await this.options.client.get(this.type, name, namespace);
    if (this.isStopped || !this.isKept(content)) return;
    if (!found) throw new OutdatedError('it was deleted, and the watch has not reported it yet');
    this.updateLocal(found, 'read');
    const isCurrent = isOfVersion(content.object, this.metadataOf(content.key));
    // Once more at once; after that, whatever writes it all the time must not make this a loop.
    if (!isCurrent && (content.missed += 1) > 1) throw new OutdatedError('it was changed while its content was read');
  }

  private isKept(content: Content): boolean {
    return this.get(content.key) === content;
  }

  /** The object may have changed while it was read. */
  private readAgain(content: Content): void {
    const metadata = this.metadataOf(content.key);
    if (!metadata) this.drop(content.key);
    else if (!isOfVersion(content.object, metadata) && this.isWanted(content)) this.begin(content);
  }

  private failed(content: Content, error: unknown): void {
    if (this.isStopped || !this.isKept(content)) return;
    content.failures += 1;
    const why = error instanceof OutdatedError ? error.message : `the read of it failed: ${causeOf(error)}`;
    content.problem = { why, isRefused: isRefused(error) };
    const { clock } = this.options;
    content.cancelRetry = clock.schedule(backoffDelay(content.failures, RETRY, () => clock.random()), () => {
      content.cancelRetry = undefined;
      this.readAgain(content);
    });
  }

  /** Keeps a whole object if its metadata is that of the informer; returns whether it is. */
  private take(whole: KubernetesObject): boolean {
    const key = objectIdOf(whole);
    if (!isOfVersion(whole, this.metadataOf(key))) return false;
    const content = this.contentOf(key);
    const before = content.object;
    if (isOfVersion(before, whole.metadata)) return true;
    content.object = whole;
    content.failures = 0;
    content.missed = 0;
    delete content.problem;
    content.cancelRetry?.();
    content.cancelRetry = undefined;
    this.options.onKnown(key, before !== undefined && !isDeepStrictEqual(before.data ?? {}, whole.data ?? {}));
    return true;
  }
}

/** The answer to a read is not what the metadata describes. */
class OutdatedError extends Error {}
