import type { PageSource, ReadEvents } from './source';
import type { WirePlan } from './wire';
import type { InformerSet } from '../engine/informers';
import {
  informedParts,
  inspect,
  neededStores,
  type ControllerFacts,
  type Inspection,
  type InspectionNode,
  type Snapshot,
  type Stores,
  type Unread,
} from '../engine/inspect';
import type { KubernetesObject } from '../engine/kubernetes/types';
import type { ObjectId } from '../src/object-id';

/** Milliseconds between two looks at what has changed, and between two reads of what the informers do not watch. */
const LOOK_MS = 300;
const READ_AGAIN_MS = 10_000;
/** Inspections take at most this part of the time. */
const MOST_LOAD = 0.3;
const LONGEST_PAUSE_MS = 10_000;

/** Secrets and ConfigMaps that are read when they are needed. */
export interface ReadableStores extends Stores {
  readonly unread: readonly Unread[];
  /** Answers whether anything new was read. */
  read(names: readonly ObjectId[]): Promise<boolean>;
  /** Everything is read again when it is needed. */
  forget(): void;
}

export interface ReadControllers {
  readonly controllers: readonly ControllerFacts[] | undefined;
  readonly unread: readonly Unread[];
}

export interface InformerSourceOptions {
  readonly title: string;
  readonly informers: Pick<InformerSet, 'types' | 'stateOf' | 'informer' | 'serves' | 'find' | 'onEvent' | 'onKnown'>;
  readonly stores: ReadableStores;
  readonly controllers: () => Promise<ReadControllers>;
  readonly events: (nodes: readonly InspectionNode[]) => Promise<ReadEvents>;
  readonly plan: (node: InspectionNode, inspection: Inspection) => Promise<WirePlan>;
  readonly requests?: PageSource['requests'];
  /** Whether somebody looks: without, nothing is inspected. Default: always. */
  readonly isWanted?: () => boolean;
}

/** Inspects what the informers have, again after every change. Created before the informers start. */
export class InformerSource implements PageSource {
  public readonly title: string;
  private last: Inspection | undefined;
  private trouble: string | undefined;
  private dirty = true;
  private readAt = -Infinity;
  /** Time of the inspections of one look. */
  private inspectedMs = 0;
  private read: ReadControllers = { controllers: undefined, unread: [] };
  private readonly listeners = new Set<() => void>();
  public readonly requests?: PageSource['requests'];

  public constructor(private readonly options: InformerSourceOptions) {
    const { title, informers, requests } = options;
    this.title = title;
    if (requests) this.requests = requests;
    informers.onEvent(() => {
      this.dirty = true;
    });
    informers.onKnown(() => {
      this.dirty = true;
    });
  }

  public get inspection(): Inspection | undefined {
    return this.last;
  }

  public get problem(): string | undefined {
    return this.trouble;
  }

  public onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  public object({ group, kind, namespace, name }: InspectionNode): KubernetesObject | undefined {
    return this.options.informers.find(group, kind, namespace, name);
  }

  public events(nodes: readonly InspectionNode[]): Promise<ReadEvents> {
    return this.options.events(nodes);
  }

  public plan(node: InspectionNode): Promise<WirePlan> {
    return this.options.plan(node, this.last!);
  }

  /** Looks until the signal aborts. */
  public async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.inspectedMs = 0;
      await this.look().then(
        () => this.report(undefined),
        (error: unknown) => this.report(`the cluster does not answer: ${(error as Error).message}`),
      );
      const pause = Math.min(this.inspectedMs / MOST_LOAD, LONGEST_PAUSE_MS);
      await sleep(Math.max(LOOK_MS, pause), signal);
    }
  }

  private async look(): Promise<void> {
    if (this.options.isWanted?.() === false) return;
    const isDue = Date.now() - this.readAt >= READ_AGAIN_MS;
    if (!this.dirty && !isDue) return;
    const { stores, controllers } = this.options;
    // Before the reads: what changes meanwhile is looked at again.
    this.dirty = false;
    try {
      if (isDue) {
        this.read = await controllers();
        stores.forget();
        this.readAt = Date.now();
      }
      this.last = await this.inspected();
    } catch (error) {
      this.dirty = true;
      throw error;
    }
    this.notify();
  }

  private async inspected(): Promise<Inspection> {
    const { stores } = this.options;
    const first = this.inspectNow();
    return await stores.read(neededStores(first)) ? this.inspectNow() : first;
  }

  private inspectNow(): Inspection {
    const startedAt = performance.now();
    const inspection = inspect(this.snapshot());
    this.inspectedMs += performance.now() - startedAt;
    return inspection;
  }

  private snapshot(): Snapshot {
    const { informers, stores } = this.options;
    const parts = informedParts(informers);
    return {
      ...parts,
      now: Date.now(),
      stores,
      controllers: this.read.controllers,
      unread: [...parts.unread, ...this.read.unread, ...stores.unread],
    };
  }

  private report(problem: string | undefined): void {
    if (this.trouble === problem) return;
    this.trouble = problem;
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });
}
