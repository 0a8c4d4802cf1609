/** The severity of a finding. */
export enum RuleSeverity {
  /** The object will be refused, or will fail. */
  ERROR = 'error',
  /** The object may fail, or has a harmful effect. */
  WARNING = 'warning',
  /** Worth knowing. */
  INFO = 'info',
}

/** A finding of a rule in an object. */
export interface RuleFinding {
  /** Id of the rule, e.g. `role-scope`. */
  readonly rule: string;
  /** The severity. */
  readonly severity: RuleSeverity;
  /** Path of the construct. */
  readonly constructPath: string;
  /** Kind, namespace and name of the object, e.g. `StorageAccount shop/data`. */
  readonly object: string;
  /**
   * The affected field, e.g. `spec.owner`.
   * @default - the whole object
   */
  readonly field?: string;
  /** The problem. */
  readonly message: string;
  /** The consequence. */
  readonly why: string;
  /** The fix. */
  readonly fix: string;
}
