import { causesOf } from './causes';
import type { CheckSummary, LocatedFinding, LocatedSuppression } from './located-finding';
import type { Problem } from '../output/problem';

/** The findings as JSON; docs/checks.md describes the members. */
export function jsonReport(
  findings: readonly LocatedFinding[], suppressed: readonly LocatedSuppression[], summary: CheckSummary, notes: readonly Problem[] = [],
): string {
  const indexes = new Map(findings.map((finding, index) => [finding, index]));
  const causes = causesOf(findings).map(({ first, others }) => {
    const { rule, severity, message, fix } = first;
    return { rule, severity, message, fix, findings: [first, ...others].map((finding) => indexes.get(finding)) };
  });
  return JSON.stringify({ summary, findings, suppressed, causes, ...(notes.length > 0 && { notes }) }, undefined, 2);
}
