import { causesOf } from './causes';
import type { CheckSummary, LocatedFinding, LocatedSuppression } from './located-finding';

/** The findings as JSON; docs/checks.md describes the members. */
export function jsonReport(findings: readonly LocatedFinding[], suppressed: readonly LocatedSuppression[], summary: CheckSummary): string {
  const indexes = new Map(findings.map((finding, index) => [finding, index]));
  const causes = causesOf(findings).map(({ first, others }) => {
    const { rule, severity, message, fix } = first;
    return { rule, severity, message, fix, findings: [first, ...others].map((finding) => indexes.get(finding)) };
  });
  return JSON.stringify({ summary, findings, suppressed, causes }, undefined, 2);
}
