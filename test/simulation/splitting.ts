import { NAMESPACES } from './kinds';
import type { KubeModel } from './kube-model';
import { Random } from './random';
import { SPLIT_BY } from './truth/trees';

export interface SplittingOptions {
  readonly seed: number;
  readonly without: readonly string[];
  readonly kube: Pick<KubeModel, 'get' | 'edit'>;
  readonly namespaces: readonly string[];
  readonly after: (milliseconds: number, act: () => void) => void;
  readonly log: (line: string) => void;
}

const SPLIT_SEED = 0x5917;
const MINUTE = 60_000;
/** Namespaces are changed until then, in some runs also after the faults. */
const LONGEST_MS = 40 * MINUTE;

/**
 * In some runs people split namespaces by owner tree, some from the beginning, and make them whole again. Drawn apart from all else, so
 * that a run without it stays as it is.
 */
export class Splitting {
  /** Whether this run has namespaces that are split. */
  public readonly isChosen: boolean;
  /** Number of times that a namespace was split, or made whole. */
  public changes = 0;
  private readonly random: Random;

  public constructor(private readonly options: SplittingOptions) {
    this.random = new Random(options.seed + SPLIT_SEED);
    this.isChosen = this.random.chance(0.6) && !options.without.includes('split');
  }

  public begin(): void {
    if (!this.isChosen) return;
    const { random, options: { namespaces, after } } = this;
    for (const namespace of namespaces) {
      if (random.chance(0.5)) after(0, () => this.set(namespace, true));
      for (let count = random.between(0, 4); count > 0; count -= 1) {
        const isSplit = random.chance(0.6);
        after(random.between(0, LONGEST_MS), () => this.set(namespace, isSplit));
      }
    }
  }

  private set(namespace: string, isSplit: boolean): void {
    const { kube, log } = this.options;
    const annotations = kube.get(NAMESPACES, undefined, namespace)?.metadata.annotations;
    if (!kube.get(NAMESPACES, undefined, namespace) || (annotations?.[SPLIT_BY] !== undefined) === isSplit) return;
    log(`user ${isSplit ? 'splits' : 'makes whole'} the namespace ${namespace}`);
    this.changes += 1;
    kube.edit(NAMESPACES, undefined, namespace, (object) => {
      const { [SPLIT_BY]: _, ...others } = object.metadata.annotations ?? {};
      return { ...object, metadata: { ...object.metadata, annotations: isSplit ? { ...others, [SPLIT_BY]: 'owner' } : others } };
    });
  }
}
