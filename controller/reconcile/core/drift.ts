import type { Existing, Observed } from './observed';
import { hasArrived } from './put-record';
import { isBeingCorrected, isCorrectedInVain, placesOf, withoutPaths, withoutPeaceful } from './repeated-drift';
import { isMarkOf, type Drift } from '../../../engine/compare';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { lastAppliedOf, wasSentByAso, withLastApplied, type LastApplied } from '../../../engine/objects/last-applied';
import { allowsModification } from '../../../engine/objects/reconcile-policy';
import type { EventText } from '../../../runtime/events/event-text';
import { LATEST_GENERATION, SEND_SECRETS } from '../../../src/azure/annotations';

/**
 * Whether a read can show that no PUT is needed: Azure has accepted a PUT of this generation, or of an equal body (the generation moved and
 * came back, or what changed is not sent to Azure), and the hidden values in it are unchanged. An edit that changes the body is sent
 * without a read, and so is what Azure has refused: it may lack members that no read shows.
 */
export function mayCompare(observed: Observed): boolean {
  const { object, traits, compared } = observed;
  const record = lastAppliedOf(object);
  if (!traits.canCompare || compared || !record?.answered || record.digest === '') return false;
  return isOfSpec(observed, record) && hidesTheSame(observed, record);
}

/** Whether the PUT of the record was of the present spec: of its generation, or with the body that the spec means now. */
function isOfSpec({ object, desired }: Observed, { digest, generation }: LastApplied): boolean {
  return generation === generationOf(object) || digest === desired?.digest;
}

/** Values that Azure never returns can only be compared with those that were sent, or were there at the takeover. */
function hidesTheSame(observed: Observed, record: LastApplied): boolean {
  const { desired } = observed;
  if (mustSendSecrets(observed, record)) return false;
  return record.hidden === undefined ? record.digest === desired?.digest : record.hidden === desired?.hidden;
}

/** Whether the user wants values sent that no read can show. */
function mustSendSecrets({ object, desired }: Observed, record: LastApplied | undefined): boolean {
  const wanted = annotation(object, SEND_SECRETS);
  return desired?.hidden !== '' && wanted !== undefined && wanted !== record?.sendSecrets;
}

/**
 * Whether the resource that was read after a restart, or found before a first PUT, is in sync, so that no PUT is needed. It does not
 * matter who has created it.
 */
export function isAsWanted(observed: Observed, existing: Existing): boolean {
  const { object, desired, policy } = observed;
  if (!allowsModification(policy) || !existing.comparison || existing.comparison.digest !== desired?.digest) return false;
  const record = lastAppliedOf(object);
  if (record && (record.digest === '' || !isOfSpec(observed, record))) return false;
  if (wasSentByAso(object) && Number(annotation(object, LATEST_GENERATION)) !== generationOf(object)) return false;
  // Of a resource that is taken over nobody knows whether it has the values of Secrets. To send them could set a changed password back.
  const isTakenOver = record === undefined && !mustSendSecrets(observed, record);
  const nothingHidden = isTakenOver
    || (record && (record.answered || hasArrived(existing, record)) ? hidesTheSame(observed, record) : desired?.hidden === '');
  return nothingHidden && unexplained(existing, record).length === 0;
}

/** The differences that are not Azure's own spelling. */
export function unexplained({ comparison }: Existing, record: LastApplied | undefined): readonly Drift[] {
  return (comparison?.drift ?? []).filter((one) => !isMarkOf(record?.known?.[one.path], one));
}

/**
 * Records how Azure shows the values that it was sent. This uses only the PUT of the record, and only differences that the answer to that
 * PUT showed as well: no other writer can have come in between. A known difference stays known as long as Azure shows it.
 */
export function withLearnt(
  observed: Observed,
  existing: Existing,
): { readonly object: KubernetesObject; readonly events: readonly EventText[] } {
  const { object, policy, inSync } = observed;
  const record = lastAppliedOf(object);
  if (inSync || !allowsModification(policy) || !record?.answered || existing.comparison?.digest !== record.digest) {
    return { object, events: [] };
  }
  const { shown: _, unread: __, corrected, ...kept } = record;
  const learnt = existing.comparison.drift.filter((difference) => isAzuresWay(difference, record));
  const inVain = learnt.filter(
    (difference) => !isMarkOf(record.known?.[difference.path], difference) && isBeingCorrected(difference, corrected),
  );
  const left = withoutPaths(corrected, inVain);
  const next = {
    ...kept, ...(left ? { corrected: left } : {}), known: marksOf(learnt), ...(existing.isAnswerToPut ? { unread: true } : {}),
  };
  return { object: withLastApplied(object, next), events: inVain.length > 0 ? [knownDifferenceEvent(inVain)] : [] };
}

/**
 * The answer may still show the state before the PUT. So a difference that is being corrected is not Azure's own spelling, until a few
 * PUTs in a row were answered with it: no other writer changes the answer to a PUT.
 */
function isAzuresWay(difference: Drift, { shown, known, corrected }: LastApplied): boolean {
  const { path } = difference;
  if (isMarkOf(known?.[path], difference)) return true;
  return isMarkOf(shown?.[path], difference) && (!isBeingCorrected(difference, corrected) || isCorrectedInVain(difference, corrected));
}

/**
 * Records that Azure is in sync, except for corrections that are due later. Known differences are kept only as long as Azure shows them.
 */
export function withSettled(observed: Observed, existing: Existing): KubernetesObject {
  const { object, desired, now, correctionDueAt } = observed;
  const generation = generationOf(object);
  const old = lastAppliedOf(object);
  const corrected = withoutPeaceful(old?.corrected ?? {}, now);
  const drift = existing.comparison?.drift ?? [];
  // A difference that is corrected later is not Azure's own spelling.
  const explained = correctionDueAt === undefined ? drift : drift.filter((one) => isMarkOf(old?.known?.[one.path], one));
  const settled: LastApplied = {
    at: old?.at ?? new Date(now).toISOString(),
    ...(old?.found ? { found: old.found } : {}),
    ...(old?.unread ? { unread: true } : {}),
    ...(old?.unsent || (!old && desired?.hidden !== '') ? { unsent: true } : {}),
    ...(old?.sendSecrets === undefined ? {} : { sendSecrets: old.sendSecrets }),
    ...(Object.keys(corrected).length > 0 ? { corrected } : {}),
    digest: desired!.digest,
    generation,
    answered: true,
    hidden: desired!.hidden,
    known: marksOf(explained),
  };
  return withAnnotations(withLastApplied(object, settled), { [LATEST_GENERATION]: String(generation) });
}

export function driftEvent(drift: readonly Drift[]): EventText {
  return {
    type: 'Normal',
    reason: 'Drift',
    message: `Azure differs from what is wanted at ${placesOf(drift)}; sending the resource again`,
  };
}

function knownDifferenceEvent(drift: readonly Drift[]): EventText {
  const paths = placesOf(drift);
  return {
    type: 'Warning',
    reason: 'KnownDifference',
    message: `Azure answers with another value at ${paths} each time that it is sent; it is left as Azure has it until the spec or Azure's value changes`,
  };
}

function marksOf(drift: readonly Drift[]): Record<string, string> {
  return Object.fromEntries(drift.map(({ path, mark }) => [path, mark]));
}

function generationOf(object: KubernetesObject): number {
  return object.metadata.generation ?? 0;
}
