import { ArmError } from '../../../engine/arm/types';
import { ExternalFailure } from '../../../engine/kinds/external';
import { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import { KubernetesError } from '../../../engine/kubernetes/types';
import { OwnershipLostError } from '../../../engine/not-leading-error';
import type { Outcome, ReadPurpose } from '../core/observed';
import { failureOf, refusalOf } from '../failures';
import type { AzureAction } from './action-context';

/** An action, as its failure reports it. */
export interface GuardedAction {
  readonly during: AzureAction['do'];
  readonly purpose?: ReadPurpose;
  /** Whether an error of Azure is about the resource itself. */
  readonly isOfResource?: boolean;
}

/** Turns errors into failures, except those that end the reconcile: an abort, and Kubernetes' own errors. */
export async function guarded(
  { during, isOfResource = false, ...purpose }: GuardedAction, signal: AbortSignal, act: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    rethrowAbort(error, signal);
    if (isOutdated(error)) throw error;
    if (error instanceof ExternalFailure) {
      return { of: 'failure', during, failure: failureOf(error.cause), annotations: error.annotations, ...purpose };
    }
    const failure = isOfResource && error instanceof ArmError ? refusalOf(error) : failureOf(error);
    return { of: 'failure', during, failure, ...purpose };
  }
}

/** An abort, an UnknownStateError, and the loss of the right to write end the reconcile without an outcome. */
export function rethrowAbort(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || error instanceof UnknownStateError || error instanceof OwnershipLostError) throw error;
  return error;
}

/** NotFound or Conflict of Kubernetes: the cached object is out of date. No condition is set; the next reconcile sees the new state. */
function isOutdated(error: unknown): boolean {
  return error instanceof KubernetesError && (error.status === 404 || error.status === 409);
}
