import type { Severity } from '../../src/core/rules/rule';
import type { HolderName } from '../manifests/inside/inside';
import type { LaterValues } from '../manifests/later/later-values';

/** A finding and the place of its field in a file. The JSON report has the same members. */
export interface LocatedFinding {
  readonly file: string;
  /** Line number from 1; absent when the finding is about the whole file. */
  readonly line?: number | undefined;
  readonly severity: Severity;
  readonly rule: string;
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  /** The object that it is in: the field is one of that object. */
  readonly inside?: HolderName | undefined;
  readonly field?: string | undefined;
  readonly message: string;
  readonly why: string;
  readonly fix: string;
}

/** A finding that an annotation of its object suppresses, with the reason given there. */
export interface LocatedSuppression extends LocatedFinding {
  readonly reason: string;
}

/** Number of findings of each severity, printed or not. */
export interface CheckSummary {
  readonly objects: number;
  readonly error: number;
  readonly warning: number;
  readonly info: number;
  readonly suppressed: number;
  /** Values that something fills in later. */
  readonly later?: LaterValues;
  /** With `--recursive`: what is applied by itself. */
  readonly sets?: number;
}
