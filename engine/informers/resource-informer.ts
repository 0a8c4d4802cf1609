import { setMaxListeners } from 'node:events';
import type { Clock } from '../clock';
import { systemClock } from '../clock';
import { Coverage, type NamespaceFilter } from './namespace-filter';
import { ObjectHistory, type Outcome } from './object-history';
import { Reflector, type ReflectorProblem, type ReflectorSink } from './reflector';
import { DEFAULT_TIMING, type ReflectorTiming } from './reflector-timing';
import type { InformerTelemetry } from './telemetry';
import { unknownState, WHOLE, type CacheState } from '../kubernetes/cache-state';
import type {
  Informer,
  KubernetesListWatch,
  KubernetesObject,
  ObjectEvent,
  ObjectStore,
  RequestKind,
  ResourceType,
  Selection,
} from '../kubernetes/types';

export interface InformerOptions {
  readonly clock?: Clock;
  /** Only these namespaces; absent or empty: all. Ignored for a cluster-scoped type. */
  readonly namespaces?: readonly string[] | undefined;
  readonly metadataOnly?: boolean | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Only objects of these namespaces are kept; all are listed and watched. Default: all. Ignored for a cluster-scoped type. */
  readonly filter?: NamespaceFilter | undefined;
  readonly timing?: Partial<ReflectorTiming> | undefined;
  readonly onTelemetry?: ((event: InformerTelemetry) => void) | undefined;
  /** Changes an object before it is stored, e.g. drops unused fields. */
  readonly transform?: (object: KubernetesObject) => KubernetesObject;
}

/** Watches one resource type, in all namespaces or in some, into one store. */
export class ResourceInformer implements Informer {
  /** Resolves when the first list (of every namespace) is complete; rejects when the informer is stopped before. */
  public readonly synced: Promise<void>;

  private readonly history = new ObjectHistory();
  private readonly handlers: ((event: ObjectEvent) => void)[] = [];
  private readonly knownHandlers: (() => void)[] = [];
  private readonly reflectors = new Map<string, Reflector>();
  private readonly clock: Clock;
  private readonly missing: Set<string>;
  private readonly releaseHandlers: ((object: KubernetesObject) => void)[] = [];
  /** Undefined: all namespaces are kept. */
  private filter: NamespaceFilter | undefined;
  /** By scope: what the last list covers. */
  private readonly coverage = new Map<string, Coverage>();
  /** Scopes whose list does not cover the filter. */
  private readonly uncovered = new Set<string>();
  private readonly pending: ObjectEvent[] = [];
  private delivering = false;
  private running?: Promise<unknown>;
  private resolveSynced!: () => void;
  private rejectSynced!: (reason: unknown) => void;

  public constructor(
    private readonly api: KubernetesListWatch,
    public readonly type: ResourceType,
    private readonly options: InformerOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.missing = new Set(this.scopes);
    if (type.namespaced) this.filter = options.filter;
    this.synced = new Promise((resolve, reject) => {
      this.resolveSynced = resolve;
      this.rejectSynced = reject;
    });
    // Without this, an unused `synced` would cause an unhandled rejection.
    this.synced.catch(() => undefined);
  }

  public get store(): ObjectStore & { readonly size: number } {
    return this.history.store;
  }

  public get hasSynced(): boolean {
    return this.missing.size === 0;
  }

  /** Whether the store is complete for one namespace or for all watched ones. */
  public stateIn(namespace?: string): CacheState {
    const all = this.scopes;
    const isEverywhere = all[0] === '';
    if (namespace && !isEverywhere && !all.includes(namespace)) {
      return unknownState(
        this.type,
        `this controller does not watch the namespace "${namespace}" (AZURE_TARGET_NAMESPACES)`,
        'KindNotWatched',
      );
    }
    for (const scope of isEverywhere || !namespace ? all : [namespace]) {
      const problem = this.problemIn(scope);
      if (problem) return unknownState(this.type, scope === '' ? problem.why : `${problem.why} (namespace ${scope})`);
    }
    const left = this.leftOut(namespace);
    return left === undefined ? WHOLE : unknownState(this.type, left);
  }

  /** Whether all objects of the kept namespaces are listed, or why not. */
  public get listing(): CacheState {
    for (const scope of this.scopes) {
      const problem = this.problemIn(scope);
      if (problem) return unknownState(this.type, scope === '' ? problem.why : `${problem.why} (namespace ${scope})`);
    }
    return WHOLE;
  }

  /** Whether the store has all that the filter keeps, or the server refuses the list. */
  public get isCovered(): boolean {
    const isListed = (scope: string) => !this.uncovered.has(scope) && !this.missing.has(scope);
    return this.scopes.every((scope) => isListed(scope) || this.problemIn(scope)?.isRefused === true);
  }

  /**
   * Keeps the objects of other namespaces from now on. Those of namespaces that are left out are released, without a deletion. With
   * `listsAgain`, which a filter needs that keeps more than the list and all filters since, all is listed again; until then the objects of
   * the namespaces that come in are unknown.
   */
  public setFilter(filter: NamespaceFilter, listsAgain: boolean): void {
    if (!this.type.namespaced) return;
    this.filter = filter;
    if (listsAgain) {
      for (const scope of this.scopes) this.uncovered.add(scope);
      for (const reflector of this.reflectors.values()) reflector.listAgain();
    } else {
      for (const [scope, coverage] of this.coverage) this.coverage.set(scope, coverage.within(filter));
    }
    for (const object of this.history.release(({ metadata: { namespace = '' } }) => !filter.keeps(namespace))) {
      this.releaseHandlers.forEach((handler) => handler(object));
    }
  }

  /** Registers a handler for objects that leave the store although they still exist, because of the filter. */
  public onRelease(handler: (object: KubernetesObject) => void): void {
    this.releaseHandlers.push(handler);
  }

  /** Whether the server refuses the first list of some namespace, so that waiting for it is useless. */
  public get isRefused(): boolean {
    return this.scopes.some((scope) => this.missing.has(scope) && this.problemIn(scope)?.isRefused === true);
  }

  /** Called whenever `stateIn` may have become `whole`. */
  public onKnown(handler: () => void): void {
    this.knownHandlers.push(handler);
  }

  public start(signal: AbortSignal): Promise<void> {
    if (this.running) throw new Error(`the informer of ${this.type.plural} runs already`);
    // A signal of its own, because the watches of all namespaces listen to it: Node reports more than ten listeners as a leak.
    const own = new AbortController();
    setMaxListeners(0, own.signal);
    const stop = () => {
      this.rejectSynced(signal.reason);
      own.abort(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    for (const scope of this.scopes) this.reflectors.set(scope, this.reflector(scope));
    this.running = Promise.all([...this.reflectors.values()].map((reflector) => reflector.run(own.signal))).finally(() =>
      signal.removeEventListener('abort', stop),
    );
    return this.synced;
  }

  /** Resolves when all reflectors have ended, after the signal of `start` has aborted. */
  public async stopped(): Promise<void> {
    await this.running;
  }

  public onEvent(handler: (event: ObjectEvent) => void): void {
    this.handlers.push(handler);
  }

  /**
   * Stores the response to a write of this controller, or to its read of one object: visible at once, and delivered to the handlers like a
   * watch event (the later watch event is then not delivered). A response older than the stored object is ignored.
   */
  public updateLocal(object: KubernetesObject, from: RequestKind = 'write'): void {
    if (this.filter?.keeps(object.metadata.namespace ?? '') === false) return;
    const whole = withType(this.type, object);
    const stored = this.transformed(this.options.metadataOnly ? metadataOf(whole) : whole);
    this.deliver(this.history.applyOwn(stored, from), object);
  }

  /** Deletes all objects and delivers their deletion: the cluster does not serve the kind any more. */
  public clear(): void {
    this.deliver(this.history.clear());
  }

  /** Why not all objects, of a namespace or of all, are in the store although the list is complete. */
  private leftOut(namespace: string | undefined): string | undefined {
    const { filter, type: { plural } } = this;
    if (!filter) return undefined;
    if (!namespace) return `other replicas look after some of the namespaces, so not all ${plural} are in memory here`;
    if (!filter.keeps(namespace)) return `another replica looks after the namespace "${namespace}"`;
    const coverages = [...this.coverage.entries()].filter(([scope]) => scope === '' || scope === namespace);
    const isCovered = coverages.length > 0 && coverages.every(([, coverage]) => coverage.covers(namespace));
    return isCovered ? undefined : `the list of ${plural} with the namespace "${namespace}" is not complete yet`;
  }

  private get scopes(): readonly string[] {
    const { namespaces = [] } = this.options;
    return this.type.namespaced && namespaces.length > 0 ? [...new Set(namespaces)] : [''];
  }

  private problemIn(scope: string): ReflectorProblem | undefined {
    const reflector = this.reflectors.get(scope);
    return reflector ? reflector.problem : { why: `the list of ${this.type.plural} has not begun yet`, isRefused: false };
  }

  private reflector(scope: string): Reflector {
    const { metadataOnly, fieldSelector, labelSelector, timing, onTelemetry } = this.options;
    const selection: Selection = { namespace: scope || undefined, metadataOnly, fieldSelector, labelSelector };
    const report = (event: object) => {
      onTelemetry?.({ ...event, resource: this.type, namespace: scope || undefined } as InformerTelemetry);
    };
    return new Reflector(this.api, this.type, selection, this.sink(scope), this.clock, report, { ...DEFAULT_TIMING, ...timing });
  }

  private sink(scope: string): ReflectorSink {
    let listed: NamespaceFilter | undefined;
    const keeps = ({ metadata: { namespace = '' } }: KubernetesObject) => (
      this.filter === undefined || (this.filter.keeps(namespace) && this.coverage.get(scope)?.covers(namespace) === true)
    );
    return {
      begins: () => {
        const filter = (listed = this.filter);
        return filter && (({ metadata: { namespace = '' } }) => filter.keeps(namespace));
      },
      replace: (all, resourceVersion) => {
        // The filter may have become narrower since the list began; a wider one has begun another list.
        if (listed && this.filter) this.coverage.set(scope, new Coverage(listed, this.filter));
        this.uncovered.delete(scope);
        const items = listed ? all.filter(keeps) : all;
        const outcome = this.history.replace(scope, items.map((item) => this.transformed(item)), resourceVersion);
        this.deliver(outcome);
        if (this.missing.delete(scope) && this.hasSynced) this.resolveSynced();
        return outcome.events.length;
      },
      apply: (event) => {
        if (!keeps(event.object)) return;
        this.deliver(this.history.apply({ type: event.type, object: this.transformed(event.object) }), event.object, scope);
      },
      reached: (resourceVersion) => this.history.reached(scope, resourceVersion),
      known: () => this.knownHandlers.forEach((handler) => handler()),
    };
  }

  private transformed(object: KubernetesObject): KubernetesObject {
    return this.options.transform ? this.options.transform(object) : object;
  }

  private deliver(outcome: Outcome, object?: KubernetesObject, scope?: string): void {
    if (outcome.stale && object) {
      const name = [object.metadata.namespace, object.metadata.name].filter(Boolean).join('/');
      this.options.onTelemetry?.({ event: 'stale-ignored', name, resource: this.type, namespace: scope || undefined });
    }
    // A handler may write and so cause events during a delivery: they are queued, so that all handlers see one order.
    this.pending.push(...outcome.events);
    if (this.delivering) return;
    this.delivering = true;
    try {
      for (let event = this.pending.shift(); event; event = this.pending.shift()) this.notify(event);
    } finally {
      this.delivering = false;
    }
  }

  private notify(event: ObjectEvent): void {
    for (const handler of this.handlers) {
      try {
        handler(event);
      } catch (error) {
        this.options.onTelemetry?.({ event: 'handler-failed', error, resource: this.type });
      }
    }
  }
}

function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata };
}

/** Adds apiVersion and kind, which responses to writes of built-in types may omit. */
function withType(type: ResourceType, object: KubernetesObject): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata as KubernetesObject['metadata'] & { managedFields?: unknown };
  return {
    ...object,
    apiVersion: object.apiVersion ?? (type.group ? `${type.group}/${type.version}` : type.version),
    kind: object.kind ?? type.kind,
    metadata,
  };
}
