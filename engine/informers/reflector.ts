import type { Clock } from '../clock';
import { isGone, listAll } from './list-all';
import { DEFAULT_TIMING, type ReflectorTiming } from './reflector-timing';
import { SilenceGuard } from './silence-guard';
import type { InformerTelemetry, RelistReason } from './telemetry';
import { backoffDelay } from '../kubernetes/backoff';
import { causeOf, isRefused } from '../kubernetes/cache-state';
import { isOlder } from '../kubernetes/resource-version';
import {
  KubernetesError,
  type KubernetesListWatch,
  type KubernetesObject,
  type ResourceType,
  type Selection,
  type WatchEvent,
} from '../kubernetes/types';

/** Receives the lists and events of a reflector. */
export interface ReflectorSink {
  /** A list begins. Returns which of its objects are kept; undefined: all. */
  begins?(): ((object: KubernetesObject) => boolean) | undefined;
  /** Applies a complete list; returns the number of objects that differ from the stored ones. */
  replace(items: readonly KubernetesObject[], resourceVersion: string): number;
  apply(event: { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: KubernetesObject }): void;
  reached(resourceVersion: string): void;
  /** The cache is up to date again: a list is complete, or a failed watch continues. */
  known(): void;
}

/** The reason why the sink may not be up to date. */
export interface ReflectorProblem {
  readonly why: string;
  /** The API server refuses the request until the permissions change. */
  readonly isRefused: boolean;
}

type Report = (event: DistributiveOmit<InformerTelemetry, 'resource' | 'namespace'>) => void;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** A watch that ends sooner counts as a failure, so that a server that closes connections at once is not asked again at once. */
const SHORTEST_WATCH = 1_000;
/**
 * An interrupted watch continues at its version, and a list after 410 takes a second: for this time in milliseconds the cache still counts
 * as up to date. (Writes to Azure are confirmed anyway, see `CacheFreshnessGuard`.)
 */
const LOST_AFTER = 30_000;
/** A watch that has been open for this time in milliseconds works, even without events. */
const WATCH_WORKS_AFTER = 5_000;

/** Keeps a sink up to date with one resource type in one namespace (or all): one list, then watches without end. */
export class Reflector {
  private version: string | undefined;
  private relistReason: RelistReason = 'start';
  private lastHeard: number;
  private failures = 0;
  private hasListed = false;
  /** Time since which every attempt has failed, and the last error. */
  private failing: { readonly since: number; readonly error: Error } | undefined;
  private watchOpenedAt: number | undefined;
  /** Ends the running list or watch. */
  private attempt: AbortController | undefined;

  public constructor(
    private readonly api: KubernetesListWatch,
    private readonly type: ResourceType,
    private readonly selection: Selection,
    private readonly sink: ReflectorSink,
    private readonly clock: Clock,
    private readonly report: Report,
    private readonly timing: ReflectorTiming = DEFAULT_TIMING,
  ) {
    this.lastHeard = clock.now();
  }

  /** The reason why the sink may not be up to date. */
  public get problem(): ReflectorProblem | undefined {
    const { plural } = this.type;
    const { hasListed, failing } = this;
    if (!hasListed) {
      const why = failing ? `the list of ${plural} failed: ${causeOf(failing.error)}` : `the list of ${plural} is not complete yet`;
      return { why, isRefused: isRefused(failing?.error) };
    }
    if (!failing || this.watchWorks || this.clock.now() - failing.since <= LOST_AFTER) return undefined;
    const since = new Date(failing.since).toISOString();
    return { why: `the watch of ${plural} has failed since ${since}: ${causeOf(failing.error)}`, isRefused: isRefused(failing.error) };
  }

  /** Runs until the signal aborts. Never rejects. */
  public async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const attempt = new AbortController();
      const stop = () => attempt.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      this.attempt = attempt;
      try {
        await this.listIfNeeded(attempt.signal);
        await this.watch(this.version!, attempt.signal);
      } catch (error) {
        if (signal.aborted) break;
        // `listAgain` has ended the attempt: nothing has failed.
        if (!attempt.signal.aborted) await this.recover(error as Error, attempt.signal);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    }
    this.report({ event: 'stopped' });
  }

  /** Lists again at once, because the sink keeps more than before. */
  public listAgain(): void {
    this.forget('ownership');
    this.attempt?.abort(new Error('more namespaces are kept from now on'));
  }

  private async listIfNeeded(signal: AbortSignal): Promise<void> {
    if (this.version !== undefined && this.clock.now() - this.lastHeard > this.timing.relistAfter) {
      this.forget('watchdog');
    }
    if (this.version !== undefined) return;
    const { items, resourceVersion, pages } = await listAll(this.api, this.type, this.selection, {
      pageSize: this.timing.pageSize,
      onRestart: () => this.report({ event: 'list-restarted' }),
      keeps: this.sink.begins?.(),
    }, signal);
    signal.throwIfAborted();
    this.lastHeard = this.clock.now();
    this.version = resourceVersion;
    const changes = this.sink.replace(items, resourceVersion);
    this.hasListed = true;
    this.works();
    this.sink.known();
    this.report({ event: 'listed', reason: this.relistReason, objects: items.length, pages, changes, resourceVersion });
  }

  private async watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const [min, max] = this.timing.watchSeconds;
    const timeoutSeconds = Math.round(min + (max - min) * this.clock.random());
    const opened = this.clock.now();
    const silence = new SilenceGuard(this.clock, timeoutSeconds * 1_000 + this.timing.grace, signal);
    let events = 0;
    try {
      this.report({ event: 'watch-opened', resourceVersion, timeoutSeconds });
      this.watchOpenedAt = opened;
      for await (const event of this.api.watch(this.type, { ...this.selection, resourceVersion, timeoutSeconds }, silence.signal)) {
        if (signal.aborted) return;
        this.heard(event);
        silence.heard(event.type === 'BOOKMARK' ? this.timing.silenceWithBookmarks : undefined);
        events += 1;
      }
    } catch (error) {
      if (silence.expired && !signal.aborted) {
        this.report({ event: 'idle', milliseconds: this.clock.now() - Math.max(this.lastHeard, opened) });
        return;
      }
      throw error;
    } finally {
      if (this.watchWorks) this.works();
      this.watchOpenedAt = undefined;
      silence.stop();
      if (!signal.aborted) this.report({ event: 'watch-ended', events });
    }
    if (signal.aborted) return;
    if (events === 0 && this.clock.now() - opened < SHORTEST_WATCH) {
      throw new KubernetesError(0, 'WatchEnded', `the watch of ${this.type.plural} ended as soon as it began`);
    }
    this.failures = 0;
  }

  private get watchWorks(): boolean {
    return this.watchOpenedAt !== undefined && this.clock.now() - this.watchOpenedAt >= WATCH_WORKS_AFTER;
  }

  private works(): void {
    this.failing = undefined;
  }

  private heard(event: WatchEvent): void {
    const version = event.object.metadata.resourceVersion;
    const wasFailing = this.failing !== undefined;
    this.lastHeard = this.clock.now();
    this.failures = 0;
    this.works();
    if (event.type === 'BOOKMARK') {
      if (version) this.report({ event: 'bookmark', resourceVersion: version });
    } else {
      this.sink.apply({ type: event.type, object: event.object });
    }
    // A repeated event must not move the start of the next watch backwards.
    if (version && !isOlder(version, this.version)) {
      this.version = version;
      this.sink.reached(version);
    }
    if (wasFailing) this.sink.known();
  }

  private async recover(error: Error, signal: AbortSignal): Promise<void> {
    this.failures += 1;
    this.failing = { since: this.failing?.since ?? this.clock.now(), error };
    if (this.version !== undefined && isGone(error)) {
      this.report({ event: 'gone', resourceVersion: this.version });
      this.forget('gone');
      // A list follows at once the first time; the backoff applies to a server that rejects every version as too old.
      if (this.failures === 1) return;
    }
    if (this.version !== undefined && error instanceof KubernetesError && error.reason === 'Malformed') this.forget('malformed');
    const delay = backoffDelay(this.failures, this.timing.backoff, () => this.clock.random());
    this.report({ event: 'failed', error, failures: this.failures, retryInMilliseconds: delay });
    await this.clock.sleep(delay, signal).catch(() => undefined);
  }

  private forget(reason: RelistReason): void {
    this.version = undefined;
    this.relistReason = reason;
  }
}
