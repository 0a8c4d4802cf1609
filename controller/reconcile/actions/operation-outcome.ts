import { isEmpty, isSigned, isUnreadable } from '../../../engine/arm/arm-error';
import type { ClassificationAdjustment } from '../../../engine/arm/classify';
import type { OperationState, OperationStep, RawAnswer } from '../../../engine/arm/types';
import type { OperationStepOn, Outcome } from '../core/observed';
import { refusalOf } from '../failures';

/** @param adjust changes of the kind to the classification of Azure's errors */
export function operationOutcome(of: 'put' | 'poll', step: OperationStep, adjust: ClassificationAdjustment | undefined): Outcome {
  if (step.kind === 'failed') {
    const { status = 0 } = step.error;
    return { of, failed: refusalOf(step.error, adjust), ...(of === 'poll' || status < 300 ? { accepted: true } : {}) };
  }
  return { of, step: step satisfies OperationStepOn };
}

/** An answer of a gateway or proxy, or one that may be: the resource provider may still have taken the request. */
export function isFromGateway(response: RawAnswer): boolean {
  return response.status === 408 || response.status >= 500 || isUnreadable(response)
    || (response.status !== 202 && isEmpty(response) && !isSigned(response));
}

/** A deletion without an operation URL: it ends when the resource is gone. */
export function watchedDeletion({ url, apiVersion }: { readonly url: string; readonly apiVersion: string }): OperationState {
  const pollUrl = `${url}?api-version=${apiVersion}`;
  return { style: 'body', method: 'DELETE', originalUrl: pollUrl, pollUrl, state: 'InProgress' };
}
