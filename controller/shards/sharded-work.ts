import { ObjectOwnership } from './object-ownership';
import type { OwnerRoots } from './owner-roots';
import type { Clock } from '../../engine/clock';
import type { NamespaceFilter } from '../../engine/informers';
import { namespaceKey, type Assignment, type Ownership, type ShardHost } from '../../runtime/shards/ownership';
import type { ObjectId } from '../../src/object-id';
import type { Fence, WorkShare } from '../reconcile/fence';

/** Milliseconds that a change of the share waits for the lists of what comes in; later the objects wait for them. */
const LISTS_MS = 30_000;
/** Milliseconds that running work on what goes may take before it is aborted. */
const END_MS = 20_000;
/** Milliseconds until this replica looks again at what it should own, and does not. */
const LOOK_AGAIN_MS = 5_000;

/** Work on objects of the share. */
export interface SharedWork {
  /** Resolves when nothing of such objects runs any more. */
  ended(concerns: (object: ObjectId) => boolean): Promise<void>;
  abort(concerns: (object: ObjectId) => boolean): void;
  shareChanged(): void;
}

/** The caches of the process. */
export interface SharedCaches {
  readonly namespaces: readonly string[] | undefined;
  setFilter(filter: NamespaceFilter): void;
  covered(limit: number, signal: AbortSignal): Promise<boolean>;
}

/** A change of the namespaces that this replica looks after, or of the replicas. */
export interface ShardMove {
  readonly members: readonly string[];
  /** Number of namespaces: all that are owned now, and those that have come and gone. */
  readonly owned: number;
  readonly gained: number;
  readonly lost: number;
}

export interface ShardedWorkOptions {
  readonly ownership: Ownership;
  readonly clock: Clock;
  /** Namespace of the controller, which every replica watches. */
  readonly operatorNamespace: string;
  /** Default: nothing of a split namespace is owned. */
  readonly roots?: OwnerRoots;
  readonly onMoved?: (move: ShardMove) => void;
  /** A write was refused because another replica looks after the object. */
  readonly onFenced?: () => void;
}

/** The parts of the process that know only a share of the objects: their caches, their work, and the fence before their writes. */
export class ShardedWork implements ShardHost {
  public readonly objects: ObjectOwnership;
  /** The objects on which work may begin: those of the share, but for those that another replica is about to take over. */
  public readonly share: WorkShare;
  public readonly fence: Fence;
  /** Share and fence for the work on a namespace as a whole: they take any of its objects for the namespace itself. */
  public readonly ofNamespaces: { readonly share: WorkShare; readonly fence: Fence };
  /** The caches keep the namespaces of these: the last assignment that was published, and all that were prepared since. */
  private kept: readonly Pick<Ownership, 'watches'>[] = [];
  private next: Assignment | undefined;
  /** The caches are filled for this one, too: nothing else depends on it. */
  private expected: Assignment | undefined;
  private looking: (() => void) | undefined;
  private preparing = 0;
  private caches?: SharedCaches;
  private works: readonly SharedWork[] = [];
  /** The namespaces that the last report has counted. */
  private reported: ReadonlySet<string> = new Set();
  private reportedMembers: readonly string[] = [];
  private filter: NamespaceFilter;

  public constructor(private readonly options: ShardedWorkOptions) {
    this.objects = new ObjectOwnership(options.ownership, options.roots);
    this.share = { owns: (object) => this.mayBegin(object) };
    const fence = (object: ObjectId) => {
      try {
        this.objects.fence(object);
      } catch (error) {
        options.onFenced?.();
        this.mayBegin(object);
        throw error;
      }
    };
    const confirm = (object: ObjectId) => this.objects.confirm(object).catch((error: unknown) => {
      options.onFenced?.();
      throw error;
    });
    this.fence = Object.assign(fence, { confirm });
    this.ofNamespaces = {
      share: { owns: (object) => this.mayBegin(namespaceOf(object)) },
      fence: (object) => fence(namespaceOf(object)),
    };
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
    this.expected = undefined;
    this.preparing += 1;
    this.keep([...this.kept, next]);
    try {
      await Promise.all([this.caches?.covered(LISTS_MS, signal), this.endWork(next, signal)]);
    } finally {
      this.preparing -= 1;
    }
  }

  public expect(next: Assignment | undefined): void {
    this.expected = next;
    this.keep(this.kept);
  }

  /** Cancels timers. */
  public stop(): void {
    this.looking?.();
    this.options.roots?.stop();
  }

  public changed(): void {
    this.narrow();
    this.options.roots?.splitChanged();
    for (const work of this.works) work.shareChanged();
    this.report();
  }

  /** The namespaces that this replica looks after now. */
  public get ownedNamespaces(): readonly string[] {
    const { ownership } = this.options;
    return (this.caches?.namespaces ?? []).filter((namespace) => ownership.owns(namespaceKey(namespace)));
  }

  /** The replicas that share the work, as this one was told last. */
  public get members(): readonly string[] {
    return this.next?.members ?? [];
  }

  private report(): void {
    const owned = new Set(this.ownedNamespaces);
    const gained = [...owned].filter((namespace) => !this.reported.has(namespace)).length;
    const lost = [...this.reported].filter((namespace) => !owned.has(namespace)).length;
    const { members } = this;
    const isNew = gained > 0 || lost > 0 || members.join() !== this.reportedMembers.join();
    this.reported = owned;
    this.reportedMembers = members;
    if (isNew) this.options.onMoved?.({ members, owned: owned.size, gained, lost });
  }

  /** Ends the work on what goes: it has some time, and then it is aborted. */
  private async endWork(next: Assignment, signal: AbortSignal): Promise<void> {
    const goes = (object: ObjectId) => !this.objects.ownsUnder(next, object);
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

  private mayBegin(object: ObjectId): boolean {
    const isNext = this.next === undefined || this.objects.ownsUnder(this.next, object);
    if (!this.objects.owns(object)) {
      // The roots themselves look again when an object has settled.
      if (this.next && isNext && this.objects.isSettled(object)) this.lookAgain();
      return false;
    }
    return isNext;
  }

  /**
   * An object that the last assignment gives to this replica is not its own yet, or for a moment not any more: another replica claims it,
   * or a term was renewed late. The end of that is no event.
   */
  private lookAgain(): void {
    this.looking ??= this.options.clock.schedule(LOOK_AGAIN_MS, () => {
      this.looking = undefined;
      this.changed();
    });
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
    this.filter = this.filterOf(this.expected ? [...assignments, this.expected] : assignments);
    this.caches?.setFilter(this.filter);
  }

  private filterOf(kept: readonly Pick<Ownership, 'watches'>[]): NamespaceFilter {
    const { operatorNamespace } = this.options;
    return { keeps: (namespace) => namespace === operatorNamespace || kept.some((assignment) => assignment.watches(namespace)) };
  }
}

/** Work on what concerns namespaces as a whole. */
export function ofWholeNamespaces(work: SharedWork): SharedWork {
  return {
    ended: (concerns) => work.ended((object) => concerns(namespaceOf(object))),
    abort: (concerns) => work.abort((object) => concerns(namespaceOf(object))),
    shareChanged: () => work.shareChanged(),
  };
}

/** The namespace of an object, as a key whose owner is that of the namespace. */
function namespaceOf({ namespace }: ObjectId): ObjectId {
  return { group: '', kind: 'Namespace', namespace, name: namespace };
}
