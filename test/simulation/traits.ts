import { contrarySeed } from './other-words';
import { Random } from './random';
import { Contrary } from '../../sandbox/azure/contrary/contrary';

const HOUR = 3_600_000;
/** A look at each resource by itself, in sync periods. */
const OFTEN = 5;

/** Additional behaviour of lists and Resource Graph in some runs. */
export interface RowTraits {
  /** Whether the credentials may ask Resource Graph; else lists are all there is. */
  readonly graph: boolean;
  /** Rows of an answer. */
  readonly page: number;
  /** A value in the rows is another one each time. */
  readonly restless: boolean;
  /** Rows are missing, or show what was long before, until faults stop. */
  readonly wrong: boolean;
}

/** Which limits Azure has for each principal. */
export interface LimitTraits {
  /** In the place of the documented sizes, of which the controller knows nothing. */
  readonly size?: number;
  /** So much faster than documented buckets fill; the controller knows. */
  readonly timeScale: number;
}

/**
 * The settings of a seed's simulation besides its faults. They have a random generator of their own: a draw here changes no other draw,
 * so a seed without any of them keeps its run.
 */
export class Traits {
  public readonly random: Random;
  /** As the setting DRIFT_DETECTION. */
  public readonly drift: 'batch' | 'individual';
  public readonly fullReadPeriod: number;
  public readonly rows: RowTraits;
  public readonly limits: LimitTraits;
  /** Processes, of which one leads. */
  public readonly replicas: number;
  /** Which parent of child lists the first team has. */
  public readonly parent: number;
  /** Whether objects whose owner is not there wait to the end; else it comes, or they go, some time after the faults. */
  public readonly waitsForEver: boolean;
  /** Azure tells of its resources in other words than they were sent in. */
  public readonly contrary: Contrary | undefined;

  public constructor(seed: number, syncPeriod: number, without: readonly string[] = []) {
    const random = new Random(seed + 0x5eed);
    this.random = random;
    this.drift = random.chance(0.7) ? 'batch' : 'individual';
    this.fullReadPeriod = random.chance(0.5) ? 24 * HOUR : OFTEN * syncPeriod;
    this.rows = {
      graph: random.chance(0.75),
      page: random.chance(0.3) ? 1 : 1000,
      restless: random.chance(0.2),
      wrong: random.chance(0.4),
    };
    this.limits = random.chance(0.4) ? { size: random.between(4, 12), timeScale: 0.1 } : { timeScale: 1 };
    this.replicas = random.chance(0.2) && !without.includes('replicas') ? 2 : 1;
    this.parent = random.between(0, 3);
    this.waitsForEver = random.chance(0.2);
    this.contrary = random.chance(0.5) && !without.includes('contrary') ? new Contrary(contrarySeed(seed)) : undefined;
  }

  /** For reports. */
  public get chosen(): readonly string[] {
    const { drift, rows, limits, waitsForEver, contrary } = this;
    return [
      ...(drift === 'batch'
        ? [
          rows.graph ? 'drift-detection' : 'lists only',
          ...(rows.wrong ? ['wrong rows'] : []),
          ...(rows.restless ? ['restless rows'] : []),
        ]
        : []),
      ...(limits.size === undefined ? [] : ['small limits']),
      ...(this.replicas > 1 ? ['replicas'] : []),
      ...(waitsForEver ? ['waits for ever'] : []),
      ...(contrary ? [`contrary (${contrary.ways.join(', ')})`] : []),
    ];
  }
}
