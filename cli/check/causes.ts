import type { LocatedFinding } from './located-finding';

/** Findings that the same change of each place puts right: a version that was dropped, an owner that is not there. */
export interface Cause {
  readonly first: LocatedFinding;
  readonly others: readonly LocatedFinding[];
}

/** The findings by their cause, in the order of the first ones. */
export function causesOf(findings: readonly LocatedFinding[]): Cause[] {
  const causes = new Map<string, { first: LocatedFinding; others: LocatedFinding[] }>();
  for (const finding of findings) {
    const { severity, rule, message, why, fix } = finding;
    const key = JSON.stringify([severity, rule, message, why, fix]);
    const known = causes.get(key);
    if (known) known.others.push(finding);
    else causes.set(key, { first: finding, others: [] });
  }
  return [...causes.values()];
}
