import { beginOperation } from '../arm/operation';
import { pollOperation } from '../arm/poll-operation';
import type { ArmClient, ArmRequest, OperationState, OperationStep, RawAnswer } from '../arm/types';
import { ArmError } from '../arm/types';

/** Maximum polls of an operation; after that the next reconcile starts a new call. */
const MOST_LOOKS = 100;

interface Pending {
  readonly state: OperationState;
  readonly looks: number;
}

/**
 * Long-running calls for secret values (e.g. new credentials of a cluster). One reconcile starts the call and each of the next ones polls
 * it once, so that no worker waits. Kept in memory only, because the URLs are signed; after a restart a new call is started.
 */
export class PendingCalls {
  readonly #running = new Map<string, Pending>();

  public has(request: ArmRequest): boolean {
    return this.#running.has(keyOf(request));
  }

  /** Stores an operation that Azure has accepted. @throws ArmError when it cannot be polled. */
  public begin(request: ArmRequest, response: RawAnswer): void {
    this.settle(request, beginOperation(request, response), 0);
  }

  /** Polls once. Returns the result of the call, or undefined while it is running. @throws ArmError when the operation has failed. */
  public async look(client: ArmClient, request: ArmRequest, signal?: AbortSignal): Promise<{ readonly result: unknown } | undefined> {
    const { state, looks } = this.#running.get(keyOf(request))!;
    return this.settle(request, await pollOperation(client, state, signal), looks + 1);
  }

  private settle(request: ArmRequest, step: OperationStep, looks: number): { readonly result: unknown } | undefined {
    const key = keyOf(request);
    this.#running.delete(key);
    switch (step.kind) {
      case 'running':
        if (looks >= MOST_LOOKS) {
          throw new ArmError('UnknownError', `the operation has not ended after ${MOST_LOOKS} looks; it is begun anew`);
        }
        this.#running.set(key, { state: step.state, looks });
        return undefined;
      case 'succeeded':
        return { result: step.result };
      case 'failed':
        throw step.error;
    }
  }
}

function keyOf({ url, apiVersion }: ArmRequest): string {
  return `${url.toLowerCase()}?${apiVersion ?? ''}`;
}
