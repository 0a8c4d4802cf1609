import type { Faults } from './faults';
import type { Process } from './process';
import type { Random } from './random';

/** What the ways of one process to the world have in common. */
export interface LinkOptions {
  readonly process: Process;
  readonly random: Random;
  readonly faults: Faults;
  /** Where the process may be killed. */
  readonly mayDie: () => void;
  readonly log: (line: string) => void;
}
