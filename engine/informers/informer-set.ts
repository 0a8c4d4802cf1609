import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import type { ReflectorTiming } from './reflector';
import { ResourceInformer } from './resource-informer';
import type { InformerSetTelemetry, InformerTelemetry } from './telemetry';
import { backoffDelay } from '../kubernetes/backoff';
import { nameOfKind, unknownState, type CacheState, type UnknownState } from '../kubernetes/cache-state';
import { groupOf } from '../kubernetes/resource-path';
import type { Discovery, KubernetesListWatch, KubernetesObject, ObjectEvent, RequestKind, ResourceType } from '../kubernetes/types';
import { CRD_KIND, servedTypes, type WatchedKind } from '../kubernetes/watched-kind';

/** The API that a set of informers reads from. */
export interface InformerSource extends KubernetesListWatch {
  discovery(groups?: (group: string) => boolean): Promise<Discovery>;
}

export interface InformerSetOptions {
  readonly clock?: Clock;
  /** `AZURE_TARGET_NAMESPACES`; absent or empty: all. */
  readonly namespaces?: readonly string[];
  readonly timing?: Partial<ReflectorTiming> | undefined;
  /** Interval in milliseconds at which discovery is repeated even if no CRD has changed. Default 5 min. */
  readonly discoveryInterval?: number;
  /**
   * Milliseconds that the start waits for first lists; it does not wait for lists that the server refuses. After it, an object is
   * reconciled as soon as all objects that it needs are known, and `problems` reports the missing lists. Default 30 s.
   */
  readonly syncTimeout?: number;
  readonly onTelemetry?: (event: InformerTelemetry | InformerSetTelemetry) => void;
}

interface Watched {
  readonly type: ResourceType;
  readonly informer: ResourceInformer;
  readonly stop: () => void;
  /** Number of consecutive discoveries without the kind. */
  missing: number;
}

/**
 * Delays of discovery after a change of a CRD: at once, and again when the server has had time to serve the kind (or to stop serving it).
 */
const AFTER_CRD_CHANGE = [250, 2_000, 10_000];
/** A kind counts as gone only after two consecutive discoveries without it: the API server may be starting during one of them. */
const MISSING_TO_BE_GONE = 2;
/** Interval in milliseconds at which the start checks whether incomplete lists are refused. */
const LOOK_AT_LISTS = 250;
const RETRY = { base: 500, max: 15_000, jitter: 0.5 };

/** One informer for each kind that the cluster serves. Finds objects by group and kind, in any version. */
export class InformerSet {
  private readonly watched = new Map<string, Watched>();
  private readonly handlers: ((event: ObjectEvent, type: ResourceType) => void)[] = [];
  private readonly servedHandlers: ((type: ResourceType, served: boolean) => void)[] = [];
  private readonly knownHandlers: ((type: ResourceType) => void)[] = [];
  private readonly neverWhole = new Set<string>();
  private unknownGroups: ReadonlySet<string> = new Set();
  private hasDiscovered = false;
  private readonly clock: Clock;
  private readonly groups: ReadonlySet<string>;
  private readonly kindOf: ReadonlyMap<string, WatchedKind>;
  private readonly background: Promise<unknown>[] = [];
  private discovering: Promise<void> | undefined;
  private again = false;
  private crds?: ResourceInformer;

  public constructor(
    private readonly source: InformerSource,
    kinds: readonly WatchedKind[],
    private readonly options: InformerSetOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.kindOf = new Map(kinds.map((kind) => [keyOf(kind), kind]));
    this.groups = new Set([...kinds.map(({ group }) => group), CRD_KIND.group]);
  }

  /** Discovers, starts the informers, and resolves when the first lists are complete (see `syncTimeout`). Runs until the signal aborts. */
  public async start(parent: AbortSignal): Promise<void> {
    const signal = followed(parent);
    await this.firstDiscovery(signal);
    this.watchCrds(signal);
    this.background.push(this.discoverForEver(signal));
    await this.waitForSync(signal);
  }

  /** Resolves when all informers have ended, after the signal of `start` has aborted. */
  public async stopped(): Promise<void> {
    await Promise.allSettled([
      ...this.background,
      this.crds?.stopped(),
      ...[...this.watched.values()].map(({ informer }) => informer.stopped()),
    ]);
  }

  /** Registers a handler for the events of all kinds, including kinds served later. Register before the start. */
  public onEvent(handler: (event: ObjectEvent, type: ResourceType) => void): void {
    this.handlers.push(handler);
  }

  /** Registers a handler that is called when the cluster starts or stops serving a kind. */
  public onServed(handler: (type: ResourceType, served: boolean) => void): void {
    this.servedHandlers.push(handler);
  }

  /** The cached object. Undefined does not prove that the object does not exist: check `stateOf`. */
  public find(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.informer(group, kind)?.store.get(namespace, name);
  }

  /** Registers a handler that is called when the state of a kind may have become known. */
  public onKnown(handler: (type: ResourceType) => void): void {
    this.knownHandlers.push(handler);
  }

  /** Whether all objects of a kind are known, in one namespace or in all watched ones. */
  public stateOf(group: string, kind: string, namespace?: string): CacheState {
    return this.informer(group, kind)?.stateIn(namespace) ?? this.whyNotWatched(group, kind);
  }

  /** The reason why a kind has no informer. */
  public whyNotWatched(group: string, kind: string): UnknownState {
    const named = { group, kind };
    if (!this.kindOf.has(keyOf(named))) {
      return unknownState(named, `this controller leaves ${nameOfKind(named)} out (--kinds)`, 'KindNotWatched');
    }
    if (!this.hasDiscovered) return unknownState(named, 'the API server has not told yet which kinds it serves');
    if (this.unknownGroups.has(group)) {
      return unknownState(named, `the API server cannot tell at the moment which kinds of ${group} it serves`);
    }
    return unknownState(named, `the cluster does not serve ${nameOfKind(named)}: install its CRD`, 'KindNotWatched');
  }

  /**
   * Reasons why the start is not complete: core kinds and served kinds without a complete first list. A list that was complete once is not
   * reported when its watch fails later: as with controller-runtime, the start is complete then.
   */
  public get problems(): readonly string[] {
    if (!this.hasDiscovered) return ['the API server has not told yet which kinds it serves'];
    const core = [...this.kindOf.values()].filter(({ group, kind }) => group === '' && !this.serves(group, kind))
      .map(({ group, kind }) => this.whyNotWatched(group, kind).why);
    const groups = [...this.unknownGroups].map((group) => `the API server cannot tell at the moment which kinds of ${group} it serves`);
    const lists = [...this.neverWhole].flatMap((key) => {
      const state = this.watched.get(key)?.informer.stateIn();
      return state?.state === 'unknown' ? [state.why] : [];
    });
    return [...core, ...groups, ...lists];
  }

  public serves(group: string, kind: string): boolean {
    return this.watched.has(`${group}/${kind}`);
  }

  /** The resource type (URL, version) that the kind is watched as. */
  public typeOf(group: string, kind: string): ResourceType | undefined {
    return this.watched.get(`${group}/${kind}`)?.type;
  }

  public informer(group: string, kind: string): ResourceInformer | undefined {
    return this.watched.get(`${group}/${kind}`)?.informer;
  }

  /** All resource types that are watched now. */
  public get types(): ResourceType[] {
    return [...this.watched.values()].map(({ type }) => type);
  }

  /** Stores the response to a write of this controller: visible at once (see ResourceInformer.updateLocal). */
  public updateLocal(object: KubernetesObject, from: RequestKind = 'write'): void {
    this.informer(groupOf(object), object.kind)?.updateLocal(object, from);
  }

  /** Repeats discovery, and starts and stops informers accordingly. */
  public discover(signal: AbortSignal): Promise<void> {
    if (this.discovering) {
      this.again = true;
      return this.discovering;
    }
    this.discovering = (async () => {
      do {
        this.again = false;
        const discovery = await this.source.discovery((group) => this.groups.has(group));
        this.unknownGroups = new Set([...discovery.unknownGroups].filter((group) => this.groups.has(group)));
        this.hasDiscovered = true;
        this.reconcile(discovery, signal);
      } while (this.again && !signal.aborted);
    })().finally(() => (this.discovering = undefined));
    return this.discovering;
  }

  private async firstDiscovery(signal: AbortSignal): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.discover(signal);
      } catch (error) {
        signal.throwIfAborted();
        this.report({ event: 'discovery-failed', error });
        await this.clock.sleep(backoffDelay(failures, RETRY, () => this.clock.random()), signal);
      }
    }
  }

  private async discoverForEver(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pending = [...this.watched.values()].some(({ missing }) => missing > 0);
      const delay = pending ? 2_000 : this.options.discoveryInterval ?? 300_000;
      await this.clock.sleep(delay, signal).catch(() => undefined);
      await this.tryDiscover(signal);
    }
  }

  private async tryDiscover(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await this.discover(signal).catch((error: unknown) => {
      if (!signal.aborted) this.report({ event: 'discovery-failed', error });
    });
  }

  private watchCrds(signal: AbortSignal): void {
    const { timing, onTelemetry } = this.options;
    const crds = new ResourceInformer(this.source, CRD_KIND, { clock: this.clock, metadataOnly: true, timing, onTelemetry });
    let pending: (() => void)[] = [];
    crds.onEvent(({ type, object, previous }) => {
      const [, group = ''] = /^[^.]+\.(.*)$/.exec(object.metadata.name) ?? [];
      if (!this.groups.has(group) || signal.aborted) return;
      // The first list repeats CRDs that the first discovery already covers.
      if (type === 'ADDED' && !previous && !crds.hasSynced) return;
      pending.forEach((cancel) => cancel());
      pending = AFTER_CRD_CHANGE.map((delay) => this.clock.schedule(delay, () => void this.tryDiscover(signal)));
    });
    signal.addEventListener('abort', () => pending.forEach((cancel) => cancel()), { once: true });
    // A CRD may have been created between the first discovery and this first list.
    crds.start(signal).then(() => this.tryDiscover(signal), () => undefined);
    this.crds = crds;
  }

  private reconcile({ types, unknownGroups }: Discovery, signal: AbortSignal): void {
    if (signal.aborted) return;
    const served = new Map([...servedTypes([...this.kindOf.values()], types)].map(([kind, type]) => [keyOf(kind), type]));
    for (const [key, watched] of this.watched) {
      const now = served.get(key);
      const unknown = !now && unknownGroups.has(watched.type.group);
      watched.missing = now || unknown ? 0 : watched.missing + 1;
      const elsewhere = now !== undefined && now.version !== watched.type.version && !types.some((type) => isSameType(type, watched.type));
      if (watched.missing >= MISSING_TO_BE_GONE) this.endOf(key, watched);
      else if (elsewhere) this.restart(key, watched, now, signal);
    }
    for (const [key, type] of served) if (!this.watched.has(key)) this.begin(key, type, signal);
  }

  private begin(key: string, type: ResourceType, signal: AbortSignal): void {
    const { metadataOnly, fieldSelector } = this.kindOf.get(key)!;
    const { namespaces, timing, onTelemetry } = this.options;
    const informer = new ResourceInformer(this.source, type, {
      clock: this.clock,
      namespaces,
      metadataOnly,
      fieldSelector,
      timing,
      onTelemetry,
    });
    informer.onEvent((event) => this.handlers.forEach((handler) => handler(event, type)));
    this.neverWhole.add(key);
    informer.onKnown(() => {
      if (informer.hasSynced) this.neverWhole.delete(key);
      this.knownHandlers.forEach((handler) => handler(type));
    });
    const controller = new AbortController();
    const stop = () => controller.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    this.watched.set(key, {
      type,
      informer,
      missing: 0,
      stop: () => {
        signal.removeEventListener('abort', stop);
        stop();
      },
    });
    informer.start(controller.signal).catch(() => undefined);
    this.report({ event: 'kind-served', resource: type });
    this.servedHandlers.forEach((handler) => handler(type, true));
  }

  private endOf(key: string, { type, informer, stop }: Watched): void {
    stop();
    this.watched.delete(key);
    this.neverWhole.delete(key);
    informer.clear();
    this.report({ event: 'kind-gone', resource: type });
    this.servedHandlers.forEach((handler) => handler(type, false));
  }

  /**
   * The API server now serves another version than the watched one. The objects stay, so no handler sees a deletion. The kind is unknown
   * until the new list is complete; then deletions in the meantime are reported.
   */
  private restart(key: string, { stop, informer: old }: Watched, type: ResourceType, signal: AbortSignal): void {
    stop();
    this.begin(key, type, signal);
    const { informer } = this.watched.get(key)!;
    informer.synced.then(() => {
      for (const object of old.store.list()) {
        const { namespace = '', name, uid } = object.metadata;
        if (informer.store.get(namespace, name)?.metadata.uid === uid) continue;
        this.handlers.forEach((handler) => handler({ type: 'DELETED', object, previous: object }, type));
      }
    }, () => undefined);
  }

  private async waitForSync(signal: AbortSignal): Promise<void> {
    const limit = this.options.syncTimeout ?? 30_000;
    const waiting = new AbortController();
    const stop = () => waiting.abort(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const began = this.clock.now();
    // An informer that ended before its first list (its kind is already gone) never syncs: waiting for it again would return at once.
    const ended = new Set<ResourceInformer>();
    const pending = () => this.late.filter(({ informer }) => !informer.isRefused && !ended.has(informer));
    while (!waiting.signal.aborted && this.clock.now() - began < limit && pending().length > 0) {
      const synced = Promise.all(pending().map(({ informer }) => informer.synced.catch(() => void ended.add(informer))));
      await Promise.race([synced, this.clock.sleep(Math.min(LOOK_AT_LISTS, limit), waiting.signal).catch(() => undefined)]);
    }
    signal.removeEventListener('abort', stop);
    stop();
    signal.throwIfAborted();
    const { late } = this;
    if (late.length > 0) this.report({ event: 'not-synced', resources: late.map(({ type }) => type), milliseconds: limit });
  }

  /** Informers without a complete first list; one that ended because its kind is gone does not count. */
  private get late(): readonly Watched[] {
    return [...this.watched.values()].filter(({ informer }) => !informer.hasSynced);
  }

  private report(event: InformerSetTelemetry): void {
    this.options.onTelemetry?.(event);
  }
}

function keyOf({ group, kind }: Pick<WatchedKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/** A signal that aborts with its parent and that hundreds of informers may listen to. */
function followed(parent: AbortSignal): AbortSignal {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const follow = () => own.abort(parent.reason);
  parent.addEventListener('abort', follow, { once: true });
  if (parent.aborted) follow();
  return own.signal;
}

function isSameType(a: ResourceType, b: ResourceType): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}
