import type { HostileEnvironment, HostileEnvironmentOptions } from './hostile-environment';

/** One row of the table: an attack or an accident, and what must hold in spite of it. */
export interface Attack {
  /** Lower-case words with dashes; the test's name. */
  readonly id: string;
  /** The attacker, or the component that fails, e.g. `a tenant`, `a proxy before Azure`, `the API server`. */
  readonly who: string;
  /** The attack. */
  readonly what: string;
  /** The invariant. The run asserts it. */
  readonly holds: string;
  readonly environment?: HostileEnvironmentOptions;
  /**
   * Whether the row runs beside others in one environment: its namespaces, resource groups and faults are its own. Default: it has an
   * environment of its own.
   */
  readonly shares?: boolean;
  /** The controller is expected to end by itself, or is killed by the row. Default: false. */
  readonly mayRestart?: boolean;
  /**
   * How long the controller's health endpoint may take to answer, in answers of a process that has nothing else to do: on an idle machine,
   * it gives 19 a second. How long it may compute before an answer has a bound of its own, in processor time. Default: 200.
   */
  readonly healthWithinBeats?: number;
  /** How long after the run the neighbour's objects may take to be Ready, in the same measure. Default: 600. */
  readonly neighbourWithinBeats?: number;
  /** Asserts what must hold for the row. run-attacks.ts asserts afterwards what must hold for all others. */
  run(environment: HostileEnvironment): Promise<void>;
}
