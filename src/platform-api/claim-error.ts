const CLAIM_ERROR = Symbol.for('cdk8s-aso.claim-error');

/** A problem of a value in a claim. */
export interface ClaimIssue {
  /** Path in the object, e.g. `spec.queues[0].name`. */
  readonly path: string;
  /** The problem in words, and what to write instead. */
  readonly message: string;
}

/**
 * An error for `compose` to throw when the claim is wrong in a way that no schema says: the claim's condition has the reason `InvalidSpec`,
 * and lists the places.
 */
export class ClaimError extends Error {
  /** The problems. */
  public readonly issues: readonly ClaimIssue[];

  /** @param issues the problems */
  public constructor(issues: readonly ClaimIssue[]) {
    super(issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    this.issues = [...issues];
    Object.defineProperty(this, CLAIM_ERROR, { value: true });
  }
}

/**
 * Whether a value is a `ClaimError`, of this or another copy of the library.
 * @internal
 */
export function isClaimError(value: unknown): value is ClaimError {
  return typeof value === 'object' && value !== null && CLAIM_ERROR in value;
}
