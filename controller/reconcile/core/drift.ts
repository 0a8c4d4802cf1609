import type { EventText, Existing, Observed } from './observed';
import { hasArrived } from './put-record';
import { isBeingCorrected, isCorrectedInVain, pathsOf, withoutPaths, withoutPeaceful } from './repeated-drift';
import { isMarkOf, type Drift } from '../../../engine/compare';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { lastAppliedOf, withLastApplied, type LastApplied } from '../../../engine/objects/last-applied';
import { allowsModification } from '../../../engine/objects/reconcile-policy';
import { LATEST_GENERATION } from '../../../src/azure/annotations';

/**
 * Whether a look at Azure can tell that no PUT is needed: it has accepted a PUT of this generation, and all that was hidden in it is as it was.
 * A fresh edit is sent without a look.
 */
export function mayCompare(observed: Observed): boolean {
  const { object, traits, compared } = observed;
  const record = lastAppliedOf(object);
  if (!traits.canCompare || compared || !record?.answered || record.digest === '') return false;
  return record.generation === generationOf(object) && hidesTheSame(observed, record);
}

/** What Azure never shows can only be known from what was sent. */
function hidesTheSame({ desired }: Observed, record: LastApplied): boolean {
  return record.hidden === undefined ? record.digest === desired?.digest : record.hidden === desired?.hidden;
}

/**
 * Whether what was read after a restart, or found before a first PUT, is what is wanted, so that there is nothing to send: no proof is needed of
 * where it comes from.
 */
export function isAsWanted(observed: Observed, existing: Existing): boolean {
  const { object, desired, policy } = observed;
  if (!allowsModification(policy) || !existing.comparison || existing.comparison.digest !== desired?.digest) return false;
  const record = lastAppliedOf(object);
  if (record && (record.digest === '' || record.generation !== generationOf(object))) return false;
  if (!record && Number(annotation(object, LATEST_GENERATION) ?? generationOf(object)) !== generationOf(object)) return false;
  const nothingHidden = record && (record.answered || hasArrived(existing, record)) ? hidesTheSame(observed, record) : desired?.hidden === '';
  return nothingHidden && unexplained(existing, record).length === 0;
}

/** Differences that Azure's own ways do not explain. */
export function unexplained({ comparison }: Existing, record: LastApplied | undefined): readonly Drift[] {
  return (comparison?.drift ?? []).filter((one) => !isMarkOf(record?.known?.[one.path], one));
}

/**
 * The object, remembering how Azure shows what it was sent. Only of the very PUT that the record tells of, and only what Azure's answer to
 * that PUT showed in the same way: nobody else can have come in between. What is known already stays known as long as Azure shows it.
 */
export function withLearnt(observed: Observed, existing: Existing): { readonly object: KubernetesObject; readonly events: readonly EventText[] } {
  const { object, policy, inSync } = observed;
  const record = lastAppliedOf(object);
  if (inSync || !allowsModification(policy) || !record?.answered || existing.comparison?.digest !== record.digest) return { object, events: [] };
  const { shown: _, corrected, ...kept } = record;
  const learnt = existing.comparison.drift.filter((difference) => isAzuresWay(difference, record));
  const inVain = learnt.filter((difference) => !isMarkOf(record.known?.[difference.path], difference) && isBeingCorrected(difference, corrected));
  const left = withoutPaths(corrected, inVain);
  const next = { ...kept, ...(left ? { corrected: left } : {}), known: marksOf(learnt) };
  return { object: withLastApplied(object, next), events: inVain.length > 0 ? [knownDifferenceEvent(inVain)] : [] };
}

/**
 * The answer may still show what was there before the PUT, so a difference that is just being corrected is none of Azure's ways, until a few
 * PUTs in a row were answered with it: nobody else writes into the answer to a PUT.
 */
function isAzuresWay(difference: Drift, { shown, known, corrected }: LastApplied): boolean {
  const { path } = difference;
  if (isMarkOf(known?.[path], difference)) return true;
  return isMarkOf(shown?.[path], difference) && (!isBeingCorrected(difference, corrected) || isCorrectedInVain(difference, corrected));
}

/** The object, remembering that Azure has what is wanted, but for what is corrected later; what Azure shows in its own way only as far as it still does. */
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
  return { type: 'Normal', reason: 'Drift', message: `Azure differs from what is wanted at ${pathsOf(drift.map(({ path }) => path))}; sending the resource again` };
}

function knownDifferenceEvent(drift: readonly Drift[]): EventText {
  const paths = pathsOf(drift.map(({ path }) => path));
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
