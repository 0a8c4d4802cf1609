import type { Clock } from '../clock';
import type { InformerSetOptions, InformerSource } from './informer-set-options';
import { ResourceInformer } from './resource-informer';
import { backoffDelay } from '../kubernetes/backoff';
import type { Discovery, KubernetesObject } from '../kubernetes/types';
import { CRD_KIND } from '../kubernetes/watched-kind';

export interface DiscoveryLoopOptions extends Pick<InformerSetOptions, 'timing' | 'discoveryInterval' | 'onTelemetry'> {
  readonly clock: Clock;
  /** Starts and stops informers accordingly. */
  readonly onDiscovered: (discovery: Discovery, signal: AbortSignal) => void;
  /** Whether the last discovery missed a kind that is watched: the next one follows soon. */
  readonly isAnyMissing: () => boolean;
}

/**
 * Delays of discovery after a change of a CRD: at once, and again when the server has had time to serve the kind (or to stop serving it).
 */
const AFTER_CRD_CHANGE = [250, 2_000, 10_000];
/** Delay of the next discovery after one that missed a kind. */
const WHILE_MISSING = 2_000;
const DEFAULT_INTERVAL = 300_000;
const RETRY = { base: 500, max: 15_000, jitter: 0.5 };

/** Keeps up with the kinds that the API server serves: at the start, at intervals, and after each change of a CRD. */
export class DiscoveryLoop {
  private unknown: ReadonlySet<string> = new Set();
  private succeeded = false;
  private running: Promise<void> | undefined;
  private again = false;
  private background: Promise<unknown> | undefined;
  private crds: ResourceInformer | undefined;

  public constructor(
    private readonly source: InformerSource,
    private readonly groups: ReadonlySet<string>,
    private readonly options: DiscoveryLoopOptions,
  ) {}

  /** Whether there was a discovery yet. */
  public get hasDiscovered(): boolean {
    return this.succeeded;
  }

  /** Groups whose kinds the API server could not tell at the last discovery, e.g. because an aggregated API does not answer. */
  public get unknownGroups(): ReadonlySet<string> {
    return this.unknown;
  }

  /** Metadata of a CRD; undefined: there is none, or the list of CRDs is not complete. */
  public crd(name: string): KubernetesObject | undefined {
    return this.crds?.store.get('', name);
  }

  /** Resolves after the first discovery; the others follow until the signal aborts. */
  public async start(signal: AbortSignal): Promise<void> {
    await this.firstDiscovery(signal);
    this.watchCrds(signal);
    this.background = this.discoverForEver(signal);
  }

  /** Resolves when nothing runs any more, after the signal of `start` has aborted. */
  public async stopped(): Promise<void> {
    await Promise.allSettled([this.background, this.crds?.stopped()]);
  }

  /** One discovery at a time: a call during one has another follow it. */
  private discover(signal: AbortSignal): Promise<void> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = (async () => {
      do {
        this.again = false;
        const discovery = await this.source.discovery((group) => this.groups.has(group));
        this.unknown = new Set([...discovery.unknownGroups].filter((group) => this.groups.has(group)));
        this.succeeded = true;
        this.options.onDiscovered(discovery, signal);
      } while (this.again && !signal.aborted);
    })().finally(() => (this.running = undefined));
    return this.running;
  }

  private async firstDiscovery(signal: AbortSignal): Promise<void> {
    const { clock, onTelemetry } = this.options;
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.discover(signal);
      } catch (error) {
        signal.throwIfAborted();
        onTelemetry?.({ event: 'discovery-failed', error });
        await clock.sleep(backoffDelay(failures, RETRY, () => clock.random()), signal);
      }
    }
  }

  private async discoverForEver(signal: AbortSignal): Promise<void> {
    const { clock, isAnyMissing, discoveryInterval = DEFAULT_INTERVAL } = this.options;
    while (!signal.aborted) {
      await clock.sleep(isAnyMissing() ? WHILE_MISSING : discoveryInterval, signal).catch(() => undefined);
      await this.tryDiscover(signal);
    }
  }

  private async tryDiscover(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await this.discover(signal).catch((error: unknown) => {
      if (!signal.aborted) this.options.onTelemetry?.({ event: 'discovery-failed', error });
    });
  }

  private watchCrds(signal: AbortSignal): void {
    const { clock, timing, onTelemetry } = this.options;
    const crds = new ResourceInformer(this.source, CRD_KIND, { clock, metadataOnly: true, timing, onTelemetry });
    let pending: (() => void)[] = [];
    crds.onEvent(({ type, object, previous }) => {
      const [, group = ''] = /^[^.]+\.(.*)$/.exec(object.metadata.name) ?? [];
      if (!this.groups.has(group) || signal.aborted) return;
      // The first list repeats CRDs that the first discovery already covers.
      if (type === 'ADDED' && !previous && !crds.hasSynced) return;
      pending.forEach((cancel) => cancel());
      pending = AFTER_CRD_CHANGE.map((delay) => clock.schedule(delay, () => void this.tryDiscover(signal)));
    });
    signal.addEventListener('abort', () => pending.forEach((cancel) => cancel()), { once: true });
    // A CRD may have been created between the first discovery and this first list.
    crds.start(signal).then(() => this.tryDiscover(signal), () => undefined);
    this.crds = crds;
  }
}
