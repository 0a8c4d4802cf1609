import type { Severity } from '../../src/core/rules/rule';

/** Something about a cluster that stands in the way of its operator, or will. */
export interface Finding {
  /** Such as `credential-keys`; docs/doctor.md has a row for each. */
  readonly id: string;
  readonly severity: Severity;
  /** The object that the finding is about: `Secret shop/aso-credential`; `cluster` where it is none. */
  readonly object: string;
  readonly message: string;
  /** The remedy: a command, a setting, or a document. */
  readonly cure: string;
}

/** Findings by area, in the order in which they are printed. */
export const AREAS = ['controllers', 'CRDs', 'webhooks', 'leases and clocks', 'rights', 'credentials', 'objects', 'GitOps'] as const;
export type Area = (typeof AREAS)[number];

/** The findings of one area, and what of it could not be looked at. */
export interface AreaReport {
  readonly area: Area;
  /** Sentence about what was looked at: `2 controllers, 31 CRDs`. */
  readonly seen: string;
  readonly findings: readonly Finding[];
  readonly unread: readonly string[];
}
