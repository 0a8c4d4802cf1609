import { KubernetesError } from '../../engine/kubernetes';
import type { Problem } from '../apply/decide';
import { safeText } from '../apply/failures';

/** Answers of the API server that say something about the claim: another try with the same claim gets the same answer. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422]);

/** The API server refuses a write of the claim itself: of its status, or of its finalizer. No condition can say so. */
export class ClaimRefusedError extends Error {
  public readonly problem: Problem;

  public constructor(part: string, { status, reason, message }: KubernetesError) {
    const text = `the API server refuses the ${part} of the claim: ${status} ${reason}: ${safeText(message)}`;
    super(text);
    this.name = 'ClaimRefusedError';
    this.problem = { reason: 'ClaimRefused', message: text, isTriedAgain: true };
  }
}

/** Runs a write of a part of the claim. @throws ClaimRefusedError; KubernetesError where the reconcile has to be tried again */
export async function claimWrite<T>(part: 'status' | 'metadata' | 'finalizers', write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof KubernetesError && REFUSALS.has(error.status)) throw new ClaimRefusedError(part, error);
    throw error;
  }
}
