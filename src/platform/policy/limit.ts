import { Condition, Environment, FALSE, implies, Text, TRUE } from './condition';

/** What is refused: the table that both the checks at synth and the admission policy are made from. */
export interface Limit {
  /** Lower case with dashes, e.g. `self-service-location`. Never changes: it stands in what the cluster answers. */
  readonly id: string;
  /** Which objects it concerns. */
  readonly concerns: Condition;
  /** What has to hold for them. */
  readonly holds: Condition;
  /** The field that is meant, e.g. `spec.location`. */
  readonly field: string;
  /** The value that is found there, for whoever is told at synth. */
  readonly found?: Pick<Text, 'read'>;
  /** What is asked for and why, in one line. */
  readonly rule: string;
  /** The option of the policy by which it may be changed. */
  readonly option: string;
}

/** Who may change a limit, and where: the same words wherever the limit is told of. */
export interface LimitOrigin {
  /** E.g. `the platform team`. */
  readonly changedBy: string;
  /** E.g. `team 'fin' in 'dev'`. */
  readonly of: string;
}

/** What whoever is refused reads, at synth and from the API server. */
export function messageOf(limit: Limit, origin: LimitOrigin): string {
  const { changedBy, of } = origin;
  return `[${limit.id}] ${limit.field}: ${limit.rule} Only ${changedBy} may change this: '${limit.option}' of the SelfServicePolicy of ${of}.`;
}

/** The limits that an object breaks. */
export function brokenBy(limits: readonly Limit[], object: unknown, oldObject?: unknown): Limit[] {
  const environment: Environment = { object, oldObject };
  return limits.filter(({ concerns, holds }) => concerns.holds(environment) && !holds.holds(environment));
}

/** As one expression of CEL: true where the object may pass. */
export function celOf({ concerns, holds }: Limit): string {
  return implies(concerns, holds).cel;
}

/** Limits that hold for nothing or always are left out. */
export function meaningful(limits: readonly Limit[]): Limit[] {
  return limits.filter(({ concerns, holds }) => concerns !== FALSE && holds !== TRUE);
}
