import type { Faults } from './faults';
import type { Process } from './process';
import type { Random } from './random';

/** Common options of a process's connections. */
export interface LinkOptions {
  readonly process: Process;
  readonly random: Random;
  readonly faults: Faults;
  /** Where the process may be killed. */
  readonly mayDie: () => void;
  readonly log: (line: string) => void;
}
