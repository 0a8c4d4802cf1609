import { REPAIRS, STATE_FACTS, type Repair, type StateFact } from './resource-states';
import { isRecord } from '../../src/util/records';
import { member, textMember } from '../arm/json';
import { isDisabled, provisioningStateOf, resourceOutcomeOf, type Outcome } from '../arm/operation-status';
import { oneLine, TEXT_LIMITS } from '../text-limits';

/** The state of a resource as a whole, as Azure tells it: whether it works, and why not. */
export interface ResourceState {
  readonly outcome: Outcome;
  /** Azure's word for it; undefined: the resource shows none, so it is as it was wanted. */
  readonly word?: string;
  /** Of a failed resource: what the word means, unless it is plain. */
  readonly meaning?: string;
  /** The error that the resource shows, where it shows one. */
  readonly error?: { readonly code?: string; readonly message?: string };
  /** Of a failed resource: what brings it back. */
  readonly repair?: Repair;
  /** Of a resource that works: what is worth knowing all the same. */
  readonly warnings: readonly string[];
}

/** Words of a resource that does what it was told. */
const RESTING: Readonly<Record<string, string>> = { stopped: 'it is stopped', paused: 'it is paused' };

/**
 * Members of `properties`, and of `status` in it, with the error of a resource: an object with `code` and `message`, a text, or a list of
 * them. The names are those of all types in https://github.com/Azure/bicep-types-az that have one.
 */
const ERRORS = [
  'provisioningError', 'error', 'errors', 'provisioningErrors', 'deploymentErrors', 'deploymentError', 'errorInfo', 'errorDetails',
  'lastOperationError', 'resourceOperationError', 'errorInformation', 'errorMessage', 'provisioningStatusMessage', 'failureReason',
  'failedReason', 'detailedStatusMessage', 'statusMessage', 'statusDetails', 'stateReason',
];
/** Members of these names explain any state; only with a failure do they tell of an error. */
const ONLY_WITH_FAILURE: ReadonlySet<string> = new Set([
  'statusDetails', 'statusMessage', 'detailedStatusMessage', 'provisioningStatusMessage', 'stateReason',
]);
/** Of a list of errors. */
const MAX_ERRORS = 3;
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
  if (outcome === 'failed') return { outcome, ...shown, ...meaningOf(word!), repair: repairOf(word!, repair), ...errorIn(body, true), warnings: [] };
  const failed = facts.map((fact) => failureIn(body, fact)).find((one) => one !== undefined);
  if (failed) return { outcome: 'failed', ...failed, ...errorIn(body, true), warnings: [] };
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
  const { error } = errorIn(body, false);
  const contradiction = error === undefined
    ? []
    : [`it shows the state ${word ?? 'of a working resource'} and an error at once: ${describeError(error)}`];
  return [...new Set([...(resting === undefined ? [] : [resting]), ...found, ...contradiction])];
}

/** The text of an error for messages. */
export function describeError({ code, message }: NonNullable<ResourceState['error']>): string {
  return [code, message].filter((text) => text !== undefined).join(': ');
}

function wordIn(words: Readonly<Record<string, string>>, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const lower = value.trim().toLowerCase();
  return Object.keys(words).find((word) => word.toLowerCase() === lower);
}

function valuesAt(value: unknown, [first, ...rest]: readonly string[]): unknown[] {
  if (first === undefined) return [value];
  if (first !== '*') return isRecord(value) ? valuesAt(member(value, first), rest) : [];
  return Array.isArray(value) ? value.slice(0, MAX_ELEMENTS).flatMap((element) => valuesAt(element, rest)) : [];
}

function errorIn(body: unknown, hasFailed: boolean): Pick<ResourceState, 'error'> {
  const properties = member(body, 'properties');
  for (const place of [properties, member(properties, 'status')]) {
    if (!isRecord(place)) continue;
    for (const name of ERRORS) {
      if (!hasFailed && ONLY_WITH_FAILURE.has(name)) continue;
      const error = errorFrom(member(place, name));
      if (error) return { error };
    }
  }
  return {};
}

function errorFrom(value: unknown): ResourceState['error'] {
  if (typeof value === 'string') return value.trim() === '' ? undefined : { message: oneLine(value, TEXT_LIMITS.message) };
  if (Array.isArray(value)) {
    const errors = value.slice(0, MAX_ERRORS).map(errorFrom).filter((one) => one !== undefined);
    if (errors.length < 2) return errors[0];
    return { ...(errors[0]!.code === undefined ? {} : { code: errors[0]!.code }), message: errors.map(describeError).join('; ') };
  }
  if (!isRecord(value)) return undefined;
  const inner = member(value, 'error');
  if (isRecord(inner)) return errorFrom(inner);
  const [code, message] = [textMember(value, 'code'), textMember(value, 'message')];
  if (code === undefined && message === undefined) return undefined;
  return {
    ...(code === undefined ? {} : { code: oneLine(code, TEXT_LIMITS.reason) }),
    ...(message === undefined ? {} : { message: oneLine(message, TEXT_LIMITS.message) }),
  };
}
