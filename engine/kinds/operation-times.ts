import recorded from './operation-times.json';
import usual from './usual-operation-times.json';

/**
 * Recorded durations by ARM type: the longest operation after a PUT and after a DELETE, in seconds. From recorded traffic with Azure
 * Resource Manager (one to 426 operations per type and method).
 *
 * `usual-operation-times.json`, from the same recordings, has the time of the first poll. PUT: the median of the creations. UPDATE (a PUT
 * with a changed body on a resource that was there) and DELETE: the shortest, halfway between the last poll that saw it run and the first
 * that saw its end, because their length depends on what changes and on what is inside. A type is left out where the recorded polls were
 * too far apart to tell (more than threefold and six seconds), and where Azure has ended the request with its answer.
 */
type Recorded<Key extends string> = Readonly<Record<string, Readonly<Partial<Record<Key, number>>>>>;

export type OperationMethod = 'PUT' | 'DELETE';
/** An operation by its usual time: `PUT` creates the resource, `UPDATE` is a PUT that changes it. */
export type UsualOperation = OperationMethod | 'UPDATE';

/** Factor for overdue operations: a sample does not contain the longest possible operation. */
const TIMES_AS_LONG = 3;
/** Milliseconds before which no operation is overdue: most types were recorded a few times only, and many not at all. */
const SHORTEST_TIMEOUT_MS = 60 * 60_000;

const longest = byType<OperationMethod>(recorded);
const first = byType<UsualOperation>(usual);

/** The longest recorded operation of an ARM type, in milliseconds; undefined: none was recorded. */
export function longestOperationMs(armType: string, method: OperationMethod): number | undefined {
  return milliseconds(longest.get(armType.toLowerCase())?.[method]);
}

/** The usual time of an operation of an ARM type, in milliseconds; undefined: not known. */
export function usualOperationMs(armType: string, operation: UsualOperation): number | undefined {
  return milliseconds(first.get(armType.toLowerCase())?.[operation]);
}

/** Milliseconds after which an operation of an ARM type is overdue. */
export function operationTimeoutMs(armType: string, method: OperationMethod): number {
  return Math.max((longestOperationMs(armType, method) ?? 0) * TIMES_AS_LONG, SHORTEST_TIMEOUT_MS);
}

function byType<Key extends string>(times: Recorded<Key>) {
  return new Map(Object.entries(times).map(([type, methods]) => [type.toLowerCase(), methods]));
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
