import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import type { ReflectorTiming } from './reflector';
import { ResourceInformer } from './resource-informer';
import type { InformerSetTelemetry, InformerTelemetry } from './telemetry';
import { backoffDelay } from '../kubernetes/backoff';
import { nameOfKind, unknownState, type CacheState, type UnknownState } from '../kubernetes/cache-state';
import { groupOf } from '../kubernetes/resource-path';
import type { Discovery, KubernetesListWatch, KubernetesObject, ObjectEvent, ResourceType } from '../kubernetes/types';
import { CRD_KIND, servedTypes, type WatchedKind } from '../kubernetes/watched-kind';

/** The reads that a set of informers is made of. */
export interface InformerSource extends KubernetesListWatch {
  discovery(groups?: (group: string) => boolean): Promise<Discovery>;
}

export interface InformerSetOptions {
  readonly clock?: Clock;
  /** `AZURE_TARGET_NAMESPACES`; absent or empty: all. */
  readonly namespaces?: readonly string[];
  readonly timing?: Partial<ReflectorTiming>;
  /** Discovery is repeated so often even when no CRD has changed, in milliseconds. Default 5 min. */
  readonly discoveryInterval?: number;
  /**
   * The start waits so long for first lists; it does not wait for those that the server refuses. After it, an object goes on as soon as all
   * that it needs is known, and `problems` tells what is not. In milliseconds. Default 30 s.
   */
  readonly syncTimeout?: number;
  readonly onTelemetry?: (event: InformerTelemetry | InformerSetTelemetry) => void;
}

interface Watched {
  readonly type: ResourceType;
  readonly informer: ResourceInformer;
  readonly stop: () => void;
  /** How many discoveries in a row did not find it. */
  missing: number;
}

/** After a CRD has changed discovery follows: at once, and again when the server has had time to serve it (or to stop). */
const AFTER_CRD_CHANGE = [250, 2_000, 10_000];
/** A kind is gone only when two discoveries in a row say so: one may have met a server in the middle of its start. */
const MISSING_TO_BE_GONE = 2;
/** How often the start looks whether the lists that are not complete are refused, in milliseconds. */
const LOOK_AT_LISTS = 250;
const RETRY = { base: 500, max: 15_000, jitter: 0.5 };

/** An informer for each kind, as long as the cluster serves the kind. Finds objects by group and kind, whatever the version. */
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
  private discovering?: Promise<void>;
  private again = false;
  private crds?: ResourceInformer;

  public constructor(private readonly source: InformerSource, kinds: readonly WatchedKind[], private readonly options: InformerSetOptions = {}) {
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

  /** Resolves when nothing runs any more, after the signal of `start` has aborted. */
  public async stopped(): Promise<void> {
    await Promise.allSettled([...this.background, this.crds?.stopped(), ...[...this.watched.values()].map(({ informer }) => informer.stopped())]);
  }

  /** Told of every event of every kind, those that come later included. Register before the start. */
  public onEvent(handler: (event: ObjectEvent, type: ResourceType) => void): void {
    this.handlers.push(handler);
  }

  /** Told when the cluster begins or ends to serve a kind. */
  public onServed(handler: (type: ResourceType, served: boolean) => void): void {
    this.servedHandlers.push(handler);
  }

  /** What was seen of an object. Nothing seen does not say that there is none: ask `stateOf`. */
  public find(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.informer(group, kind)?.store.get(namespace, name);
  }

  /** Told when what could not be said of a kind may be known now. */
  public onKnown(handler: (type: ResourceType) => void): void {
    this.knownHandlers.push(handler);
  }

  /** Whether all objects of a kind are known, in a namespace or in all that are watched. */
  public stateOf(group: string, kind: string, namespace?: string): CacheState {
    return this.informer(group, kind)?.stateIn(namespace) ?? this.whyNotWatched(group, kind);
  }

  /** Why a kind has no informer. */
  public whyNotWatched(group: string, kind: string): UnknownState {
    const named = { group, kind };
    if (!this.kindOf.has(keyOf(named))) return unknownState(named, `this controller leaves ${nameOfKind(named)} out (--kinds)`, 'KindNotWatched');
    if (!this.hasDiscovered) return unknownState(named, 'the API server has not told yet which kinds it serves');
    if (this.unknownGroups.has(group)) return unknownState(named, `the API server cannot tell at the moment which kinds of ${group} it serves`);
    return unknownState(named, `the cluster does not serve ${nameOfKind(named)}: install its CRD`, 'KindNotWatched');
  }

  /**
   * Reasons why the start is not over: core kinds and served kinds without a complete first list. A list that was complete once is
   * not here again when its watch fails later: as with controller-runtime, the start is over then.
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

  /** The answer to an own write: visible at once (see ResourceInformer.updateLocal). */
  public updateLocal(object: KubernetesObject): void {
    this.informer(groupOf(object), object.kind)?.updateLocal(object);
  }

  /** Asks the cluster again what it serves, starts and stops informers. */
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
      // The first list tells of CRDs that the first discovery has seen.
      if (type === 'ADDED' && !previous && !crds.hasSynced) return;
      pending.forEach((cancel) => cancel());
      pending = AFTER_CRD_CHANGE.map((delay) => this.clock.schedule(delay, () => void this.tryDiscover(signal)));
    });
    signal.addEventListener('abort', () => pending.forEach((cancel) => cancel()), { once: true });
    // A CRD may have come between the first discovery and this first list.
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
    const informer = new ResourceInformer(this.source, type, { clock: this.clock, namespaces, metadataOnly, fieldSelector, timing, onTelemetry });
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
   * The version that was watched is not served any more, another one is: the objects stay, so nobody is told that they are gone. Until the new
   * list is complete the kind is unknown; then those that have gone meanwhile are told of.
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
    // One that has ended before its first list (its kind is gone already) will never be whole: waiting for it again would not wait at all.
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

  /** Without a complete first list; one that has ended (its kind is gone already) does not count. */
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

/** Aborts with another signal; hundreds of informers may listen to it. */
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
