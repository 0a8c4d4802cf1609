import { ClaimError } from '../../platform-api';
import { claimSchema } from '../schema/claim-schema';
import type { Field } from '../schema/field';

/** The spec of an object that is read, which no schema of a definition has checked. */
export function specOf<Spec>(fields: Field, spec: unknown): Spec {
  const result = claimSchema<Spec>(fields)['~standard'].validate(spec ?? {}) as { value: Spec; issues?: readonly { message: string; path?: readonly unknown[] }[] };
  if (result.issues) throw new ClaimError(result.issues.map(({ message, path = [] }) => ({ path: ['spec', ...path].join('.'), message })));
  return result.value;
}

/**
 * Uses the spec of another object. Its problems are one problem of the claim.
 * @param title the object, e.g. `Team 'ledger'`
 * @param path the place of the claim that names the object
 */
export function ofObject<T>(title: string, path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof ClaimError)) throw error;
    const [first] = error.issues;
    throw new ClaimError([{ path, message: `${title} is not right, and the platform team has to correct it: ${first!.path}: ${first!.message}` }]);
  }
}
