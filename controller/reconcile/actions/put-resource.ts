import { writtenResource } from '../../../engine/arm/arm-reader';
import { beginOperation } from '../../../engine/arm/operation';
import { ArmError, type ArmRequest, type RawAnswer } from '../../../engine/arm/types';
import { showsExports } from '../../../engine/export';
import { bodyToSend, putShowsResource, type ChangedBody } from '../../../engine/kinds';
import type { Failure } from '../core/failure';
import type { Observed, Outcome } from '../core/observed';
import { failureOf, refusalOf } from '../failures';
import { armClientOf, kindContextOf, kindHooksOf, type ActionContext } from './action-context';
import { rethrowAbort } from './action-errors';
import { isFromGateway, operationOutcome } from './operation-outcome';
import { resourceIn } from './poll-put';
import { comparisonOf, type RequestBody } from './read-resource';

/** Sends the PUT with the body that the spec was resolved to, after the kind's own changes. */
export async function putResource(context: ActionContext, observed: Observed, resolved: RequestBody): Promise<Outcome> {
  const { version, signal, now, onInDoubt, onAnswered } = context;
  const { adjust } = kindHooksOf(context);
  const kind = kindContextOf(context, observed);
  const changed = await bodyToSend(resolved, kind).catch((error: unknown) => failureOf(rethrowAbort(error, signal)));
  if (isFailure(changed)) return { of: 'failure', during: 'put', failure: changed };
  const { body, etag } = changed;
  const headers = etag ? { headers: { 'if-match': etag } } : {};
  const request = { method: 'PUT', url: kind.armId, apiVersion: version.facts.arm!.apiVersion, body, ...headers } as const;
  onInDoubt();
  try {
    const response = await armClientOf(context).send(request, signal);
    const outcome = operationOutcome('put', beginOperation(request, response, now()), adjust);
    if (isFromGateway(response) && 'failed' in outcome) return { ...outcome, inDoubt: true };
    onAnswered();
    return 'step' in outcome ? await withDifferences(context, outcome, { request, response }, observed, resolved) : outcome;
  } catch (error) {
    if (!(rethrowAbort(error, signal) instanceof ArmError)) throw error;
    return { of: 'put', failed: refusalOf(error as ArmError, adjust), inDoubt: true };
  }
}

/** Adds the differences that the answer shows, unless the answer may show the state before the PUT. */
async function withDifferences(
  context: ActionContext,
  outcome: Outcome,
  { request, response }: { readonly request: ArmRequest; readonly response: RawAnswer },
  observed: Observed,
  resolved: RequestBody,
): Promise<Outcome> {
  const hasEnded = 'step' in outcome && outcome.step.kind === 'succeeded';
  const answer = writtenResource(request, response);
  const comparison = (response.status === 201 || hasEnded) && answer ? await comparisonOf(context, answer, observed, resolved) : undefined;
  const { version } = context;
  const { spec } = observed.object;
  const isResult = hasEnded && comparison?.drift.length === 0 && putShowsResource(version, spec);
  const existing = isResult ? await resourceIn(context, answer, observed, resolved) : undefined;
  const shown = comparison ? { shown: comparison.drift } : {};
  const seen = existing && showsExports(version, spec, existing.status) ? { existing: { ...existing, isAnswerToPut: true } } : {};
  return { ...outcome, status: response.status, ...shown, ...seen } as Outcome;
}

function isFailure(value: ChangedBody | Failure): value is Failure {
  return 'severity' in value && 'retry' in value && 'reason' in value;
}
