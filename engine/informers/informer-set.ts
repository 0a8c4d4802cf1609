import { groupOf } from '../../src/object-id';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { DiscoveryLoop } from './discovery-loop';
import { followed } from './followed-signal';
import type { InformerSetOptions, InformerSource } from './informer-set-options';
import { Coverage, type NamespaceFilter } from './namespace-filter';
import { ResourceInformer } from './resource-informer';
import type { InformerSetTelemetry } from './telemetry';
import { waitForSync } from './wait-for-sync';
import { nameOfKind, unknownState, type CacheState, type UnknownState } from '../kubernetes/cache-state';
import type { Discovery, KubernetesObject, ObjectEvent, RequestKind, ResourceType } from '../kubernetes/types';
import { CRD_KIND, servedTypes, type WatchedKind } from '../kubernetes/watched-kind';

interface Watched {
  readonly type: ResourceType;
  readonly informer: ResourceInformer;
  readonly stop: () => void;
  /** Number of consecutive discoveries without the kind. */
  missing: number;
}

/** A kind counts as gone only after two consecutive discoveries without it: the API server may be starting during one of them. */
const MISSING_TO_BE_GONE = 2;
/** Interval in milliseconds at which `covered` looks at the lists. */
const LOOK_AT_LISTS = 100;
/** One informer for each kind that the cluster serves. Finds objects by group and kind, in any version. */
export class InformerSet {
  private readonly watched = new Map<string, Watched>();
  private readonly handlers: ((event: ObjectEvent, type: ResourceType) => void)[] = [];
  private readonly servedHandlers: ((type: ResourceType, served: boolean) => void)[] = [];
  private readonly knownHandlers: ((type: ResourceType) => void)[] = [];
  private readonly neverWhole = new Set<string>();
  private readonly releaseHandlers: ((object: KubernetesObject, type: ResourceType) => void)[] = [];
  private filter: NamespaceFilter | undefined;
  /** The coverage of a list that began with the last call of `setFilter` that needed one. */
  private coverage: Coverage | undefined;
  private readonly clock: Clock;
  private readonly kindOf: ReadonlyMap<string, WatchedKind>;
  private readonly discovery: DiscoveryLoop;

  public constructor(
    private readonly source: InformerSource,
    kinds: readonly WatchedKind[],
    private readonly options: InformerSetOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.filter = options.filter;
    this.coverage = options.filter && new Coverage(options.filter);
    this.kindOf = new Map(kinds.map((kind) => [keyOf(kind), kind]));
    this.discovery = new DiscoveryLoop(source, new Set([...kinds.map(({ group }) => group), CRD_KIND.group]), {
      ...options,
      clock: this.clock,
      onDiscovered: (discovery, signal) => this.reconcile(discovery, signal),
      isAnyMissing: () => [...this.watched.values()].some(({ missing }) => missing > 0),
    });
  }

  /** Discovers, starts the informers, and resolves when the first lists are complete (see `syncTimeout`). Runs until the signal aborts. */
  public async start(parent: AbortSignal): Promise<void> {
    const signal = followed(parent);
    await this.discovery.start(signal);
    const limit = this.options.syncTimeout ?? 30_000;
    await waitForSync(() => this.late.map(({ informer }) => informer), limit, this.clock, signal);
    const { late } = this;
    if (late.length > 0) this.report({ event: 'not-synced', resources: late.map(({ type }) => type), milliseconds: limit });
  }

  /** Resolves when all informers have ended, after the signal of `start` has aborted. */
  public async stopped(): Promise<void> {
    await Promise.allSettled([
      this.discovery.stopped(),
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
    if (!this.discovery.hasDiscovered) return unknownState(named, 'the API server has not reported yet which kinds it serves');
    if (this.discovery.unknownGroups.has(group)) {
      return unknownState(named, `the API server cannot tell at the moment which kinds of ${group} it serves`);
    }
    return unknownState(named, `the cluster does not serve ${nameOfKind(named)}: install its CRD`, 'KindNotWatched');
  }

  /**
   * Reasons why the start is not complete: core kinds and served kinds without a complete first list. A list that was complete once is not
   * reported when its watch fails later: as with controller-runtime, the start is complete then.
   */
  public get problems(): readonly string[] {
    if (!this.discovery.hasDiscovered) return ['the API server has not reported yet which kinds it serves'];
    const core = [...this.kindOf.values()].filter(({ group, kind }) => group === '' && !this.serves(group, kind))
      .map(({ group, kind }) => this.whyNotWatched(group, kind).why);
    const groups = [...this.discovery.unknownGroups].map((group) => `the API server cannot tell at the moment which kinds of ${group} it serves`);
    const lists = [...this.neverWhole].flatMap((key) => {
      const state = this.watched.get(key)?.informer.listing;
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

  /** Metadata of a CRD, e.g. `services.platform.example.com`; undefined: there is none, or the CRDs cannot be read. */
  public crd(name: string): KubernetesObject | undefined {
    return this.discovery.crd(name);
  }

  /** All resource types that are watched now. */
  public get types(): ResourceType[] {
    return [...this.watched.values()].map(({ type }) => type);
  }

  /** Stores the response to a write of this controller: visible at once (see ResourceInformer.updateLocal). */
  public updateLocal(object: KubernetesObject, from: RequestKind = 'write'): void {
    this.informer(groupOf(object), object.kind)?.updateLocal(object, from);
  }

  /**
   * Keeps the objects of other namespaces from now on (see `ResourceInformer.setFilter`). What comes in is listed again: one list of each
   * kind, as at the start. Cheaper than one list, and then one watch, of each kind and namespace as soon as there are more namespaces than
   * pages: of 200 kinds and 100 namespaces, 20,000 watches in place of 200.
   */
  public setFilter(filter: NamespaceFilter): void {
    if (!this.filter || filter === this.filter) return;
    const namespaces = this.namespaces;
    const grows = namespaces === undefined || this.coverage!.isLong
      || namespaces.some((namespace) => filter.keeps(namespace) && !this.coverage!.covers(namespace));
    this.filter = filter;
    this.coverage = grows ? new Coverage(filter) : this.coverage!.within(filter);
    for (const { informer } of this.watched.values()) informer.setFilter(filter, grows);
  }

  /** Registers a handler for objects that leave the caches although they still exist, because of the filter. Before the start. */
  public onRelease(handler: (object: KubernetesObject, type: ResourceType) => void): void {
    this.releaseHandlers.push(handler);
  }

  /** Resolves when all that the filter keeps is listed, except lists that the server refuses, or after the limit in milliseconds. */
  public async covered(limit: number, signal: AbortSignal): Promise<boolean> {
    const began = this.clock.now();
    const isDone = () => this.discovery.hasDiscovered && [...this.watched.values()].every(({ informer }) => informer.isCovered);
    while (!isDone() && !signal.aborted && this.clock.now() - began < limit) {
      await this.clock.sleep(LOOK_AT_LISTS, signal).catch(() => undefined);
    }
    return isDone();
  }

  /** The names of all Namespaces; undefined: not known. */
  public get namespaces(): readonly string[] | undefined {
    const informer = this.informer('', 'Namespace');
    return informer?.stateIn().state === 'whole' ? informer.store.list().map(({ metadata }) => metadata.name) : undefined;
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
    const { metadataOnly, fieldSelector, labelSelector, transform } = this.kindOf.get(key)!;
    const { namespaces, timing, onTelemetry } = this.options;
    const informer = new ResourceInformer(this.source, type, {
      clock: this.clock,
      namespaces,
      metadataOnly,
      fieldSelector,
      labelSelector,
      filter: this.filter,
      timing,
      onTelemetry,
      ...(transform ? { transform } : {}),
    });
    informer.onEvent((event) => {
      if (isNamespace(type) && event.type === 'ADDED') this.namespaceAppeared(event.object.metadata.name);
      this.handlers.forEach((handler) => handler(event, type));
    });
    informer.onRelease((object) => this.releaseHandlers.forEach((handler) => handler(object, type)));
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
        // Objects that are not kept any more, or not listed yet, are no deletions.
        if (this.filter && informer.stateIn(namespace).state === 'unknown') continue;
        if (informer.store.get(namespace, name)?.metadata.uid === uid) continue;
        this.handlers.forEach((handler) => handler({ type: 'DELETED', object, previous: object }, type));
      }
    }, () => undefined);
  }

  /** A namespace that no filter since the last list has been asked about: it is kept now, and was left out before it existed. */
  private namespaceAppeared(namespace: string): void {
    const { filter, coverage } = this;
    if (!filter || !coverage || !filter.keeps(namespace) || coverage.covers(namespace)) return;
    this.coverage = new Coverage(filter);
    for (const { informer } of this.watched.values()) informer.setFilter(filter, true);
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

function isNamespace({ group, kind }: ResourceType): boolean {
  return group === '' && kind === 'Namespace';
}

function isSameType(a: ResourceType, b: ResourceType): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}
