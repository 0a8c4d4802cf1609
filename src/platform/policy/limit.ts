import { Condition, Environment, FALSE, implies, Text, TRUE } from './condition';

/** A limit of the policy. The checks at synth and the admission policy are both created from the table of limits. */
export interface Limit {
  /** Id in lower case with hyphens, e.g. `self-service-location`. It never changes, because the API server's answers contain it. */
  readonly id: string;
  /** The objects that the limit concerns. */
  readonly concerns: Condition;
  /** The condition that these objects must meet. */
  readonly holds: Condition;
  /** The field in the message, e.g. `spec.location`. */
  readonly field: string;
  /** The value found in the field, for messages at synth. */
  readonly found?: Pick<Text, 'read'>;
  /** The requirement and its reason, in one line. */
  readonly rule: string;
  /** The option of the policy that changes the limit. */
  readonly option: string;
  /** Whether the option is one of the team, not of its policy. */
  readonly ofTeam?: boolean;
}

/** The owner and the subject of a limit, for all messages. */
export interface LimitOrigin {
  /** The team that may change the limit, e.g. `the platform team`. */
  readonly changedBy: string;
  /** The subject of the limit, e.g. `team 'fin' in 'dev'`. */
  readonly of: string;
}

/** The message of a broken limit, at synth and from the API server. */
export function messageOf(limit: Limit, origin: LimitOrigin): string {
  const { changedBy, of } = origin;
  return `[${limit.id}] ${limit.field}: ${limit.rule} Only ${changedBy} may change this: '${limit.option}' of ${limit.ofTeam ? '' : 'the SelfServicePolicy of '}${of}.`;
}

/** The limits that an object breaks. */
export function brokenBy(limits: readonly Limit[], object: unknown, oldObject?: unknown): Limit[] {
  const environment: Environment = { object, oldObject };
  return limits.filter(({ concerns, holds }) => concerns.holds(environment) && !holds.holds(environment));
}

/** The limit as one CEL expression: true if the object is allowed. */
export function celOf({ concerns, holds }: Limit): string {
  return implies(concerns, holds).cel;
}

/** Leaves out limits that concern no object or always hold. */
export function meaningful(limits: readonly Limit[]): Limit[] {
  return limits.filter(({ concerns, holds }) => concerns !== FALSE && holds !== TRUE);
}
