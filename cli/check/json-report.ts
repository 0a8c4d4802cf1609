import type { CheckSummary, LocatedFinding, LocatedSuppression } from './located-finding';

/** The findings as JSON; docs/checks.md describes the members. */
export function jsonReport(findings: readonly LocatedFinding[], suppressed: readonly LocatedSuppression[], summary: CheckSummary): string {
  return JSON.stringify({ summary, findings, suppressed }, undefined, 2);
}
