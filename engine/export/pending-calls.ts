import { beginOperation } from '../arm/operation';
import { pollOperation } from '../arm/poll-operation';
import type { ArmClient, ArmRequest, OperationState, OperationStep, RawAnswer } from '../arm/types';
import { ArmError } from '../arm/types';

/** Operations are given up after so many looks; the next reconcile begins anew. */
const MOST_LOOKS = 100;

interface Pending {
  readonly state: OperationState;
  readonly looks: number;
}

/**
 * Calls for secret values that take a while (a new credential of a cluster): begun by one reconcile, looked at once by each of the next ones, so
 * that no worker waits. Kept in memory only, for their URLs are signed; after a restart a call is begun anew.
 */
export class PendingCalls {
  readonly #running = new Map<string, Pending>();

  public has(request: ArmRequest): boolean {
    return this.#running.has(keyOf(request));
  }

  /** Remembers what Azure has accepted. @throws ArmError when that cannot be followed. */
  public begin(request: ArmRequest, response: RawAnswer): void {
    this.settle(request, beginOperation(request, response), 0);
  }

  /** One look. The answer of the call, or undefined: not yet. @throws ArmError when the operation has failed. */
  public async look(client: ArmClient, request: ArmRequest, signal?: AbortSignal): Promise<{ readonly result: unknown } | undefined> {
    const { state, looks } = this.#running.get(keyOf(request))!;
    return this.settle(request, await pollOperation(client, state, signal), looks + 1);
  }

  private settle(request: ArmRequest, step: OperationStep, looks: number): { readonly result: unknown } | undefined {
    const key = keyOf(request);
    this.#running.delete(key);
    switch (step.kind) {
      case 'running':
        if (looks >= MOST_LOOKS) throw new ArmError('UnknownError', `the operation has not ended after ${MOST_LOOKS} looks; it is begun anew`);
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
