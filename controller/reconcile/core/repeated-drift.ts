import { createHash } from 'node:crypto';
import { SUCCEEDED, wholeSeconds, type ReadyState } from './conditions';
import type { Observed } from './observed';
import { isMarkOf, type Drift } from '../../../engine/compare';
import type { Correction } from '../../../engine/objects/last-applied';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import type { EventText } from '../../../runtime/events/event-text';
import { SEND_SECRETS } from '../../../src/azure/annotations';
import { firstOf } from '../../../src/util/words';

const MINUTE = 60_000;
/** Corrections of one property without a delay; each further one is delayed. */
const PROMPT_CORRECTIONS = 3;
const FIRST_DELAY = 5 * MINUTE;
const LONGEST_DELAY = 60 * MINUTE;
/** A property without drift for this time is corrected promptly again. Milliseconds. */
const PEACE = 24 * 60 * MINUTE;
/** Properties with their own count; all others of the object share one. */
const MOST_COUNTED = 20;
const OTHERS = '(others)';
/** The count of the PUTs that were to repair a failed resource (`failed-resource.ts`). */
export const REPAIR = '(repair)';
/** Keys of maps are chosen by the user, and the annotation must stay small. Characters. */
const LONGEST_PATH = 200;
/** Paths that a message names; the rest is counted. */
const MOST_PATHS = 5;

const UNSENT = 'The values of Secrets were not sent when the resource was taken over, since Azure does not show which ones it has. They are sent when '
  + `a Secret or the spec changes, or at once with the annotation ${SEND_SECRETS}`;

type Corrections = Readonly<Record<string, Correction>>;

export interface CorrectionPlan {
  /** Number of corrections of each property, including this one. */
  readonly corrected: Corrections;
  /** Time from which the drift may be corrected. Milliseconds since the epoch. */
  readonly dueAt: number;
}

/**
 * Drift is always corrected. A property that is changed back each time is corrected at once three times, then after 5, 10, 20, 40 and at
 * most 60 minutes, until it has no drift for a day. One PUT corrects all properties, so the first property that is due decides.
 */
export function planCorrection({ object, now, traits: { timeScale } }: Observed, drift: readonly Drift[]): CorrectionPlan {
  const before = withoutPeaceful(lastAppliedOf(object)?.corrected ?? {}, now);
  const corrected: Record<string, Correction> = { ...before };
  for (const { path, mark, alsoIn } of drift) {
    const key = countedAs(corrected, path);
    corrected[key] = {
      mark: key === OTHERS ? '' : mark, times: (before[key]?.times ?? 0) + 1, at: now, ...(alsoIn === undefined ? {} : { alsoIn }),
    };
  }
  const due = drift.map(({ path }) => dueOf(before[countedAs(before, path)], timeScale));
  return { corrected, dueAt: Math.min(...due) };
}

/** The corrections that still count. */
export function withoutPeaceful(corrected: Corrections, now: number): Corrections {
  const kept = Object.entries(corrected).filter(([, { at }]) => now - at < PEACE);
  return kept.length === Object.keys(corrected).length ? corrected : Object.fromEntries(kept);
}

/** Whether a difference was corrected before. */
export function isBeingCorrected(one: Drift, corrected: Corrections = {}): boolean {
  const found = corrected[countedAs(corrected, one.path)];
  return found !== undefined && (isMarkOf(found.mark, one) || found.mark === '');
}

/** Whether it was corrected so often that the answer to a PUT cannot show the state before the PUT. */
export function isCorrectedInVain(one: Drift, corrected: Corrections = {}): boolean {
  const found = corrected[countedAs(corrected, one.path)];
  return found !== undefined && isMarkOf(found.mark, one) && found.times >= PROMPT_CORRECTIONS;
}

/** Removes the corrections of some differences; undefined: none is left. */
export function withoutPaths(corrected: Corrections | undefined, drift: readonly Drift[]): Corrections | undefined {
  const gone = new Set(drift.map(({ path }) => shortened(path)));
  const kept = Object.entries(corrected ?? {}).filter(([path]) => !gone.has(path));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The Ready condition of an object in sync; it names the properties that another party changes back each time, and Azure's warnings. */
export function succeededState({ object, now, traits, azureState }: Observed): ReadyState {
  const repeated = repeatedIn(lastAppliedOf(object)?.corrected ?? {}, now);
  const warnings = azureState?.warnings ?? [];
  const record = lastAppliedOf(object);
  const texts = [
    ...(repeated.length === 0 ? [] : [textOf(repeated, traits.timeScale)]),
    ...(warnings.length === 0 ? [] : [`Azure warns: ${warnings.join('; ')}`]),
    ...(record?.unsent ? [UNSENT] : []),
  ];
  return texts.length === 0 ? SUCCEEDED : { ...SUCCEEDED, message: texts.join('. ') };
}

/** The event about properties that are changed back each time; undefined if there are none. */
export function repeatedDriftEvent(corrected: Corrections, { now, traits }: Observed): EventText | undefined {
  const repeated = repeatedIn(corrected, now);
  return repeated.length === 0 ? undefined : { type: 'Warning', reason: 'RepeatedDrift', message: textOf(repeated, traits.timeScale) };
}

/** The places of differences for messages: never the values, which may be secret. */
export function placesOf(drift: readonly Drift[]): string {
  return pathsOf(drift.map(({ path, named = path }) => named));
}

function pathsOf(paths: readonly string[]): string {
  return firstOf(paths.map(shortened), MOST_PATHS);
}

type Repeated = readonly (readonly [string, Correction])[];

function repeatedIn(corrected: Corrections, now: number): Repeated {
  return Object.entries(withoutPeaceful(corrected, now)).filter(([path, { times }]) => path !== REPAIR && times >= PROMPT_CORRECTIONS);
}

function textOf(repeated: Repeated, timeScale?: number): string {
  const paths = pathsOf(repeated.map(([path]) => path));
  const times = Math.max(...repeated.map(([, correction]) => correction.times));
  const last = Math.max(...repeated.map(([, { at }]) => at));
  const next = Math.min(...repeated.map(([, correction]) => dueOf(correction, timeScale)));
  const own = [...new Set(repeated.flatMap(([, { alsoIn }]) => (alsoIn === undefined ? [] : [alsoIn])))];
  const isAllOwn = repeated.every(([, { alsoIn }]) => alsoIn !== undefined);
  const cause = isAllOwn
    ? `${firstOf(own, MOST_PATHS)} describes ${paths} as well, with other values`
    : `Something in Azure changes ${paths} back each time`;
  const remedy = isAllOwn
    ? 'Describe this part of the resource in one of the objects, or give both the same values'
    : 'Stop the other writer, list the property in the annotation aso.cdk8s.io/ignore-changes, or change the spec';
  return `${cause}: corrected ${times} times, last at ${wholeSeconds(last)}, and again not before ${wholeSeconds(next)}. ${remedy}`;
}

/** When a property may be corrected again. */
function dueOf(correction: Correction | undefined, timeScale = 1): number {
  if (!correction || correction.times < PROMPT_CORRECTIONS) return 0;
  return correction.at + Math.min(FIRST_DELAY * 2 ** Math.min(correction.times - PROMPT_CORRECTIONS, 20), LONGEST_DELAY) / timeScale;
}

function countedAs(corrected: Corrections, path: string): string {
  const key = shortened(path);
  return Object.hasOwn(corrected, key) || Object.keys(corrected).length < MOST_COUNTED ? key : OTHERS;
}

function shortened(path: string): string {
  if (path.length <= LONGEST_PATH) return path;
  return `${path.slice(0, LONGEST_PATH - 12)}…${createHash('sha256').update(path).digest('base64url').slice(0, 10)}`;
}
