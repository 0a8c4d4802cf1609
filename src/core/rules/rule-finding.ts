/** How bad a finding is. */
export enum RuleSeverity {
  /** It will be refused or go wrong. */
  ERROR = 'error',
  /** It may go wrong, or hurts. */
  WARNING = 'warning',
  /** Worth knowing. */
  INFO = 'info',
}

/** What a rule has to say about an object. */
export interface RuleFinding {
  /** Id of the rule, e.g. `role-scope`. */
  readonly rule: string;
  /** How bad it is. */
  readonly severity: RuleSeverity;
  /** Path of the construct. */
  readonly constructPath: string;
  /** Kind, namespace and name of the object, e.g. `StorageAccount shop/data`. */
  readonly object: string;
  /**
   * The field that is meant, e.g. `spec.owner`.
   * @default - the whole object
   */
  readonly field?: string;
  /** What is wrong. */
  readonly message: string;
  /** What happens otherwise. */
  readonly why: string;
  /** What to write instead. */
  readonly fix: string;
}
