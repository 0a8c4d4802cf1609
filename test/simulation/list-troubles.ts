import type { Faults } from './faults';
import type { Process } from './process';
import type { Random } from './random';
import { KubernetesError } from '../../engine/kubernetes/types';

/** Fate of a list that is requested now. */
export interface ListTrouble {
  /** Objects a page. */
  readonly pageSize: number;
  /** Until the answer begins. */
  readonly delayMs: number;
  readonly refusal?: KubernetesError;
  /** The answer breaks off in its middle. */
  readonly isCut?: boolean;
}

/** Fault in the list of one kind at each start of the controller. */
export interface GivenTrouble {
  readonly kind: string;
  /** `late`: each answer takes 30 s. `refused`: for 5 minutes. `cut`: each answer breaks off in the middle, for 5 minutes. */
  readonly how: 'late' | 'refused' | 'cut';
}

interface Window {
  readonly until: number;
  readonly how: 'late' | 'refused' | 'hangs';
}

const MINUTE = 60_000;
const WHOLE = 500;
/** A moment before the connection gives up on an answer. */
const LATE_MS = 29_900;
const GIVEN_MS = 5 * MINUTE;
/** Lists of these kinds tell what may be done with others' objects. */
const CORE = new Set(['Namespace', 'Secret', 'ConfigMap', 'CustomResourceDefinition']);

export interface ListTroublesOptions {
  readonly process: Process;
  readonly random: Random;
  readonly faults: Faults;
  readonly given?: GivenTrouble | undefined;
}

/**
 * Of one process: which lists come late, in pieces, or not at all for minutes. The draw for a kind stays for the life of the process.
 */
export class ListTroubles {
  private readonly windows = new Map<string, Window | undefined>();
  private readonly pageSizes = new Map<string, number>();
  private readonly began: number;

  public constructor(private readonly options: ListTroublesOptions) {
    this.began = options.process.elapsed();
  }

  public of(kind: string): ListTrouble {
    const { faults, process, random, given } = this.options;
    if (given?.kind === kind && !faults.isOver) return this.asGiven(given.how);
    if (!faults.has('lateLists')) return { pageSize: WHOLE, delayMs: 0 };
    if (!this.windows.has(kind)) {
      this.windows.set(kind, this.draw(CORE.has(kind) ? 0.5 : 0.2));
      this.pageSizes.set(kind, random.chance(0.4) ? random.between(1, 4) : WHOLE);
    }
    const pageSize = this.pageSizes.get(kind)!;
    const window = this.windows.get(kind);
    const left = window ? window.until - process.elapsed() : 0;
    if (!window || left <= 0) return { pageSize, delayMs: random.chance(0.1) ? random.between(100, 5_000) : 0 };
    if (window.how === 'refused') return { pageSize, delayMs: 0, refusal: random.pick(REFUSALS) };
    return { pageSize, delayMs: window.how === 'late' ? left : Number.MAX_SAFE_INTEGER };
  }

  /** The known state is out of date, and the list that would bring it up to date is in trouble. */
  public afterBrokenWatch(kind: string): void {
    if (this.options.faults.strikes('lateLists', 0.3)) this.windows.set(kind, this.draw(1));
  }

  private asGiven(how: GivenTrouble['how']): ListTrouble {
    if (how === 'late') return { pageSize: WHOLE, delayMs: LATE_MS };
    if (this.options.process.elapsed() - this.began > GIVEN_MS) return { pageSize: WHOLE, delayMs: 0 };
    return { pageSize: WHOLE, delayMs: 0, ...(how === 'cut' ? { isCut: true } : { refusal: this.options.random.pick(REFUSALS) }) };
  }

  private draw(probability: number): Window | undefined {
    const { random, process } = this.options;
    if (!random.chance(probability)) return undefined;
    const how = random.pick(['late', 'late', 'refused', 'hangs'] as const);
    const longest = random.pick([15_000, MINUTE, 3 * MINUTE, 6 * MINUTE]);
    return { how, until: process.elapsed() + random.between(2_000, longest) };
  }
}

const REFUSALS = [
  new KubernetesError(403, 'Forbidden', 'the list is forbidden'),
  new KubernetesError(500, 'InternalError', 'etcdserver: leader changed'),
  new KubernetesError(503, 'ServiceUnavailable', 'the server is currently unable to handle the request'),
];
