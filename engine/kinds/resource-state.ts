import { REPAIRS, STATE_FACTS, type Repair, type StateFact } from './resource-states';
import { isRecord, memberIgnoringCase } from '../../src/util/records';
import { isDisabled, provisioningStateOf, resourceOutcomeOf, type Outcome } from '../arm/operation-status';
import { describeResourceError, resourceErrorIn, type ResourceError } from '../arm/resource-error';
import { oneLine } from '../text-limits';

/** The state of a resource as a whole, as Azure tells it: whether it works, and why not. */
export interface ResourceState {
  readonly outcome: Outcome;
  /** Azure's word for it; undefined: the resource shows none, so it is as it was wanted. */
  readonly word?: string;
  /** Of a failed resource: what the word means, unless it is plain. */
  readonly meaning?: string;
  /** The error that the resource shows, where it shows one. */
  readonly error?: ResourceError;
  /** Of a failed resource: what brings it back. */
  readonly repair?: Repair;
  /** Of a resource that works: what is worth knowing all the same. */
  readonly warnings: readonly string[];
}

/** Words of a resource that does what it was told. */
const RESTING: Readonly<Record<string, string>> = { stopped: 'it is stopped', paused: 'it is paused' };

/** Of a list in which a state is looked for. */
const MAX_ELEMENTS = 100;
const MAX_WARNINGS = 5;

/**
 * The state of a resource in an answer that has all of it.
 * @param type ARM type; undefined: only `provisioningState` is known
 * @param now milliseconds since the epoch, for what expires
 */
export function resourceState(type: string | undefined, body: unknown, now: number): ResourceState {
  const word = provisioningStateOf(body);
  const facts = STATE_FACTS[type?.toLowerCase() ?? ''] ?? [];
  const repair = REPAIRS[type?.toLowerCase() ?? ''] ?? 'put';
  const outcome = word === undefined ? 'succeeded' : resourceOutcomeOf(word);
  const shown = word === undefined ? {} : { word };
  if (outcome === 'running') return { outcome, ...shown, warnings: [] };
  if (outcome === 'failed') return { outcome, ...shown, ...meaningOf(word!), repair: repairOf(word!, repair), ...errorOf(body, true), warnings: [] };
  const failed = facts.map((fact) => failureIn(body, fact)).find((one) => one !== undefined);
  if (failed) return { outcome: 'failed', ...failed, ...errorOf(body, true), warnings: [] };
  return { outcome, ...shown, warnings: warningsOf(body, facts, word, now).slice(0, MAX_WARNINGS) };
}

function meaningOf(word: string): Pick<ResourceState, 'meaning'> {
  return isDisabled(word) ? { meaning: 'Azure has taken it out of service' } : {};
}

/** No PUT brings back what Azure has taken out of service. */
function repairOf(word: string, repair: Repair): Repair {
  return isDisabled(word) ? 'wait' : repair;
}

function failureIn(body: unknown, { path, failed = {}, repair = 'wait' }: StateFact): Pick<ResourceState, 'word' | 'meaning' | 'repair'> | undefined {
  for (const value of valuesAt(body, path.split('/'))) {
    const word = wordIn(failed, value);
    if (word !== undefined) return { word: String(value), meaning: failed[word]!, repair };
  }
  return undefined;
}

function warningsOf(body: unknown, facts: readonly StateFact[], word: string | undefined, now: number): string[] {
  const resting = RESTING[word?.trim().toLowerCase() ?? ''];
  const found = facts.flatMap(({ path, warned = {}, expired }) => valuesAt(body, path.split('/')).flatMap((value) => {
    const known = wordIn(warned, value);
    if (known !== undefined) return [`${warned[known]!} (${path.split('/').at(-1)!} ${String(value)})`];
    const at = expired !== undefined && typeof value === 'string' ? Date.parse(value) : NaN;
    return at < now ? [`${expired!} (${oneLine(String(value), 40)})`] : [];
  }));
  const error = resourceErrorIn(body, false);
  const contradiction = error === undefined
    ? []
    : [`it shows the state ${word ?? 'of a working resource'} and an error at once: ${describeResourceError(error)}`];
  return [...new Set([...(resting === undefined ? [] : [resting]), ...found, ...contradiction])];
}

function errorOf(body: unknown, hasFailed: boolean): Pick<ResourceState, 'error'> {
  const error = resourceErrorIn(body, hasFailed);
  return error ? { error } : {};
}

function wordIn(words: Readonly<Record<string, string>>, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const lower = value.trim().toLowerCase();
  return Object.keys(words).find((word) => word.toLowerCase() === lower);
}

function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return [value];
  if (first !== '*') return isRecord(value) ? valuesAt(memberIgnoringCase(value, first), rest) : [];
  return Array.isArray(value) ? value.slice(0, MAX_ELEMENTS).flatMap((element) => valuesAt(element, rest)) : [];
}
