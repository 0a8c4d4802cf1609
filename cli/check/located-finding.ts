import type { Severity } from '../../src/core/rules/rule';

/** A finding and the place of its field in a file. This is also what the JSON says. */
export interface LocatedFinding {
  readonly file: string;
  /** Counted from 1; absent where the whole file is meant. */
  readonly line?: number;
  readonly severity: Severity;
  readonly rule: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly field?: string;
  readonly message: string;
  readonly why: string;
  readonly fix: string;
}

/** A finding that its object gives a reason for. */
export interface LocatedSuppression extends LocatedFinding {
  readonly reason: string;
}

/** How many there are of each severity, whether printed or not. */
export interface CheckSummary {
  readonly objects: number;
  readonly error: number;
  readonly warning: number;
  readonly info: number;
  readonly suppressed: number;
}
