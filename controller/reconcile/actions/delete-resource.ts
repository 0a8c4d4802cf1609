import { isSigned } from '../../../engine/arm/arm-error';
import { isAbsent } from '../../../engine/arm/arm-reader';
import { beginOperation } from '../../../engine/arm/operation';
import { ArmError, type RawAnswer } from '../../../engine/arm/types';
import type { Observed, Outcome } from '../core/observed';
import { refusalOf } from '../failures';
import { armClientOf, kindContextOf, kindHooksOf, type ActionContext } from './action-context';
import { isFromGateway, watchedDeletion } from './operation-outcome';
import { readExisting, type RequestBody } from './read-resource';

/** Sends the DELETE. The deletion has succeeded when Azure proves that the resource is gone. */
export async function deleteResource(
  context: ActionContext, armId: string, observed: Observed, resolved: RequestBody | undefined,
): Promise<Outcome> {
  const { version, signal, now, onInDoubt, onAnswered } = context;
  const { beforeDelete, adjust } = kindHooksOf(context);
  await beforeDelete?.(kindContextOf(context, observed));
  const request = { method: 'DELETE', url: armId, apiVersion: version.facts.arm!.apiVersion } as const;
  onInDoubt();
  const response = await armClientOf(context).send(request, signal);
  if (!isFromGateway(response)) onAnswered();
  if (isAbsent(request, response)) return { of: 'delete', step: { kind: 'succeeded' } };
  const step = beginOperation(request, response, now());
  if (step.kind === 'failed') return { of: 'failure', during: 'delete', failure: refusalOf(step.error, adjust) };
  if (step.kind === 'running' || saysAbsent(context, response)) return { of: 'delete', step };
  const isOver = await isGone(context, armId, observed, resolved);
  onAnswered();
  return { of: 'delete', step: isOver ? step : { kind: 'running', state: watchedDeletion(request) } };
}

/** 204 is Azure's word for a resource that is not there. After 200, resources have stayed; and a proxy may answer anything. */
function saysAbsent({ version }: ActionContext, response: RawAnswer): boolean {
  return isSigned(response) && (response.status === 204 || !version.supports('GET'));
}

function isOfAzure({ extra: { unstructured, requestId } }: ArmError): boolean {
  return !unstructured && requestId !== undefined;
}

async function isGone(context: ActionContext, armId: string, observed: Observed, resolved: RequestBody | undefined): Promise<boolean> {
  try {
    return await readExisting(context, { armId, purpose: 'delete' }, observed, resolved) === undefined;
  } catch (error) {
    // With the permission to delete but not to read, Azure's answer to the DELETE is the only evidence. A proxy may refuse the read, too.
    if (error instanceof ArmError && error.status === 403 && isOfAzure(error)) return true;
    throw error;
  }
}
