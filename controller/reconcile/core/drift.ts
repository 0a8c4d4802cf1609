import { annotation, LATEST_GENERATION, withAnnotations } from './annotations';
import type { Correction, EventText, Existing, Observed } from './observed';
import { allowsModification } from './policy';
import { hasArrived, putRecordOf, withPutRecord, type PutRecord } from './put-record';
import type { Drift } from '../../compare';
import type { KubernetesObject } from '../../kubernetes/types';

/** How often one and the same difference is corrected before it counts as Azure's, or somebody else's, will. */
const MOST_CORRECTIONS = 3;
/** Paths that an event names; the rest is counted. */
const MOST_PATHS = 5;

/**
 * Whether a look at Azure can tell that no PUT is needed: it has accepted a PUT of this generation, and all that was hidden in it is as it was.
 * A fresh edit is sent without a look.
 */
export function mayCompare(observed: Observed): boolean {
  const { object, traits, compared } = observed;
  const record = putRecordOf(object);
  if (!traits.canCompare || compared || !record?.answered || record.digest === '') return false;
  return record.generation === generationOf(object) && hidesTheSame(observed, record);
}

/** What Azure never shows can only be known from what was sent. */
function hidesTheSame({ desired }: Observed, record: PutRecord): boolean {
  return record.hidden === undefined ? record.digest === desired?.digest : record.hidden === desired?.hidden;
}

/**
 * Whether what was read after a restart, or found before a first PUT, is what is wanted, so that there is nothing to send: no proof is needed of
 * where it comes from.
 */
export function isAsWanted(observed: Observed, existing: Existing): boolean {
  const { object, desired, policy } = observed;
  if (!allowsModification(policy) || !existing.comparison || existing.comparison.digest !== desired?.digest) return false;
  const record = putRecordOf(object);
  if (record && (record.digest === '' || record.generation !== generationOf(object))) return false;
  if (!record && Number(annotation(object, LATEST_GENERATION) ?? generationOf(object)) !== generationOf(object)) return false;
  const nothingHidden = record && (record.answered || hasArrived(existing, record)) ? hidesTheSame(observed, record) : desired?.hidden === '';
  return nothingHidden && unexplained(existing, record).length === 0;
}

/** Differences that Azure's own ways do not explain. */
export function unexplained({ comparison }: Existing, record: PutRecord | undefined): readonly Drift[] {
  return (comparison?.drift ?? []).filter(({ path, mark }) => record?.known?.[path] !== mark);
}

/**
 * The object, remembering how Azure shows what it was sent. Only of the very PUT that the record tells of, and only what Azure's answer to
 * that PUT showed in the same way: nobody else can have come in between. What is known already stays known as long as Azure shows it.
 */
export function withLearnt(observed: Observed, existing: Existing): KubernetesObject {
  const { object, policy, inSync } = observed;
  const record = putRecordOf(object);
  if (inSync || !allowsModification(policy) || !record?.answered || existing.comparison?.digest !== record.digest) return object;
  const { shown: _, ...kept } = record;
  return withPutRecord(object, { ...kept, known: marksOf(existing.comparison.drift.filter((difference) => isAzuresWay(difference, record))) });
}

/** A difference that is just being corrected is not: the answer may still show what was there before the PUT. */
function isAzuresWay({ path, mark }: Drift, { shown, known, corrected }: PutRecord): boolean {
  return known?.[path] === mark || (shown?.[path] === mark && corrected?.[path]?.mark !== mark);
}

/** The object, remembering that Azure has what is wanted; what Azure shows in its own way only as far as it still does. */
export function withSettled(observed: Observed, existing: Existing): KubernetesObject {
  const { object, desired, now } = observed;
  const generation = generationOf(object);
  const old = putRecordOf(object);
  const settled: PutRecord = {
    at: old?.at ?? new Date(now).toISOString(),
    ...(old?.found ? { found: old.found } : {}),
    ...(old?.corrected ? { corrected: old.corrected } : {}),
    digest: desired!.digest,
    generation,
    answered: true,
    hidden: desired!.hidden,
    known: marksOf(existing.comparison?.drift ?? []),
  };
  return withAnnotations(withPutRecord(object, settled), { [LATEST_GENERATION]: String(generation) });
}

/** What to do about differences. */
export interface Corrections {
  /** How often each was corrected, with this time. */
  readonly corrected: Readonly<Record<string, Correction>>;
  /** Those that always come back. */
  readonly givenUp: readonly Drift[];
}

/** Differences are corrected, but not for ever. */
export function corrections(observed: Observed, drift: readonly Drift[]): Corrections {
  const before = putRecordOf(observed.object)?.corrected ?? {};
  const counted = drift.map(({ path, mark }) => [path, { mark, times: before[path]?.mark === mark ? before[path].times + 1 : 1 }] as const);
  const givenUp = drift.filter((_, index) => counted[index][1].times > MOST_CORRECTIONS);
  return { corrected: Object.fromEntries(counted), givenUp };
}

export function driftEvent(drift: readonly Drift[]): EventText {
  return { type: 'Normal', reason: 'Drift', message: `Azure differs from what is wanted at ${pathsOf(drift)}; sending the resource again` };
}

export function givenUpEvent(drift: readonly Drift[]): EventText {
  return {
    type: 'Warning',
    reason: 'KnownDifference',
    message: `Something changes ${pathsOf(drift)} back each time; after ${MOST_CORRECTIONS} corrections it is left as it is. List it in the annotation aso.cdk8s.io/ignore-changes, or change the spec`,
  };
}

/** The paths of differences, for people: never the values, which may be secret. */
export function pathsOf(drift: readonly Drift[]): string {
  const named = drift.slice(0, MOST_PATHS).map(({ path }) => path).join(', ');
  return drift.length > MOST_PATHS ? `${named} and ${drift.length - MOST_PATHS} more` : named;
}

function marksOf(drift: readonly Drift[]): Record<string, string> {
  return Object.fromEntries(drift.map(({ path, mark }) => [path, mark]));
}

function generationOf(object: KubernetesObject): number {
  return object.metadata.generation ?? 0;
}
