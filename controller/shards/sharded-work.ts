import { ObjectOwnership, type TreeRoots } from './object-ownership';
import type { Clock } from '../../engine/clock';
import type { NamespaceFilter } from '../../engine/informers';
import type { ObjectKey } from '../../engine/kubernetes/types';
import type { Assignment, Ownership, ShardHost } from '../../runtime/shards/ownership';
import type { Fence, WorkShare } from '../reconcile/fence';

/** Milliseconds that a change of the share waits for the lists of what comes in; later the objects wait for them. */
const LISTS_MS = 30_000;
/** Milliseconds that running work on what goes may take before it is aborted. */
const END_MS = 20_000;

/** Work on objects of the share. */
export interface SharedWork {
  /** Resolves when nothing of such objects runs any more. */
  ended(concerns: (object: ObjectKey) => boolean): Promise<void>;
  abort(concerns: (object: ObjectKey) => boolean): void;
  shareChanged(): void;
}

/** The caches of the process. */
export interface SharedCaches {
  readonly namespaces: readonly string[] | undefined;
  setFilter(filter: NamespaceFilter): void;
  covered(limit: number, signal: AbortSignal): Promise<boolean>;
}

export interface ShardedWorkOptions {
  readonly ownership: Ownership;
  readonly clock: Clock;
  /** Namespace of the controller, which every replica watches. */
  readonly operatorNamespace: string;
  readonly rootOf?: TreeRoots;
  readonly onChanged?: () => void;
}

/** The parts of the process that know only a share of the objects: their caches, their work, and the fence before their writes. */
export class ShardedWork implements ShardHost {
  public readonly objects: ObjectOwnership;
  /** The objects on which work may begin: those of the share, but for those that another replica is about to take over. */
  public readonly share: WorkShare;
  public readonly fence: Fence;
  /** The caches keep the namespaces of these: the last assignment that was published, and all that were prepared since. */
  private kept: readonly Pick<Ownership, 'watches'>[] = [];
  private next: Assignment | undefined;
  private preparing = 0;
  private caches?: SharedCaches;
  private works: readonly SharedWork[] = [];
  private filter: NamespaceFilter;

  public constructor(private readonly options: ShardedWorkOptions) {
    this.objects = new ObjectOwnership(options.ownership, options.rootOf);
    this.share = { owns: (object) => this.objects.owns(object) && !this.isLeaving(object) };
    this.fence = (object) => this.objects.fence(object);
    // At the start: no namespace but the controller's own.
    this.filter = this.filterOf([]);
  }

  public connect(caches: SharedCaches, works: readonly SharedWork[]): void {
    this.caches = caches;
    this.works = works;
  }

  /** Whether the caches keep the objects of a namespace. */
  public keeps(namespace: string): boolean {
    return this.filter.keeps(namespace);
  }

  /** The namespaces that the caches keep at present. */
  public get currentFilter(): NamespaceFilter {
    return this.filter;
  }

  public async prepare(next: Assignment, signal: AbortSignal): Promise<void> {
    this.next = next;
    this.preparing += 1;
    this.keep([...this.kept, next]);
    try {
      await Promise.all([this.caches?.covered(LISTS_MS, signal), this.endWork(next, signal)]);
    } finally {
      this.preparing -= 1;
    }
  }

  public changed(): void {
    if (this.preparing === 0) this.next = undefined;
    this.narrow();
    for (const work of this.works) work.shareChanged();
    this.options.onChanged?.();
  }

  /** Ends the work on what goes: it has some time, and then it is aborted. */
  private async endWork(next: Assignment, signal: AbortSignal): Promise<void> {
    const goes = (object: ObjectKey) => !this.objects.ownsUnder(next, object);
    const abort = () => this.works.forEach((work) => work.abort(goes));
    const cancel = this.options.clock.schedule(END_MS, abort);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      await Promise.all(this.works.map((work) => work.ended(goes)));
    } finally {
      signal.removeEventListener('abort', abort);
      cancel();
    }
  }

  private isLeaving(object: ObjectKey): boolean {
    return this.next !== undefined && !this.objects.ownsUnder(this.next, object);
  }

  /** Once the last assignment is published, nothing else is kept. */
  private narrow(): void {
    const last = this.kept.at(-1);
    const namespaces = this.caches?.namespaces;
    if (!last || this.kept.length === 1 || !namespaces || this.preparing > 0) return;
    if (namespaces.some((namespace) => this.options.ownership.watches(namespace) && !last.watches(namespace))) return;
    this.keep([last]);
  }

  private keep(assignments: readonly Pick<Ownership, 'watches'>[]): void {
    this.kept = assignments;
    this.filter = this.filterOf(assignments);
    this.caches?.setFilter(this.filter);
  }

  private filterOf(kept: readonly Pick<Ownership, 'watches'>[]): NamespaceFilter {
    const { operatorNamespace } = this.options;
    return { keeps: (namespace) => namespace === operatorNamespace || kept.some((assignment) => assignment.watches(namespace)) };
  }
}
