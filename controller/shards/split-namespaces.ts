import type { Clock } from '../../engine/clock';
import type { ObjectEvent } from '../../engine/kubernetes/types';
import { splittable } from '../../runtime/shards/publication';
import { SHARD_BY } from '../../src/azure/annotations';

/** Changes within so many milliseconds are one. */
const DEBOUNCE_MS = 1_000;

/** The namespaces that are to be split by owner tree. */
export interface SplitWish {
  readonly namespaces: readonly string[];
  /** Not split: they are too many. */
  readonly refused: readonly string[];
}

export interface SplitNamespacesOptions {
  readonly clock: Clock;
  readonly onChange: (wish: SplitWish) => void;
}

/**
 * The namespaces with the annotation `aso.cdk8s.io/shard-by: owner`, by the informer of Namespaces, which every replica has: so the wishes
 * of all replicas soon agree.
 */
export class SplitNamespaces {
  private readonly annotated = new Set<string>();
  private wish: SplitWish = { namespaces: [], refused: [] };
  private cancel: (() => void) | undefined;

  public constructor(private readonly options: SplitNamespacesOptions) {}

  /** Handles an event of an informer. */
  public handle({ type, object: { apiVersion, kind, metadata } }: ObjectEvent): void {
    if (kind !== 'Namespace' || apiVersion !== 'v1') return;
    const isAnnotated = type !== 'DELETED' && metadata.annotations?.[SHARD_BY] === 'owner';
    if (this.annotated.has(metadata.name) === isAnnotated) return;
    if (isAnnotated) this.annotated.add(metadata.name);
    else this.annotated.delete(metadata.name);
    this.cancel ??= this.options.clock.schedule(DEBOUNCE_MS, () => this.report());
  }

  public get current(): SplitWish {
    return this.wish;
  }

  /** Cancels timers. */
  public stop(): void {
    this.cancel?.();
  }

  private report(): void {
    this.cancel = undefined;
    const namespaces = splittable(this.annotated);
    const taken = new Set(namespaces);
    const refused = [...this.annotated].filter((name) => !taken.has(name)).sort();
    const isSame = namespaces.join() === this.wish.namespaces.join() && refused.join() === this.wish.refused.join();
    if (isSame) return;
    this.wish = { namespaces, refused };
    this.options.onChange(this.wish);
  }
}
