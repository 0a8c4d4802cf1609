import recorded from './operation-times.json';
import usual from './usual-operation-times.json';

/**
 * Recorded durations by ARM type: the longest operation after a PUT and after a DELETE, in seconds. From recorded traffic with Azure
 * Resource Manager (one to 426 operations per type and method); `usual-operation-times.json` has the medians of the same recordings, and
 * `sandbox/azure/behaviour.json` too.
 */
type Recorded = Readonly<Record<string, Readonly<Partial<Record<OperationMethod, number>>>>>;

export type OperationMethod = 'PUT' | 'DELETE';

/** Factor for overdue operations: a sample does not contain the longest possible operation. */
const TIMES_AS_LONG = 3;
/** Milliseconds before which no operation is overdue: most types were recorded a few times only, and many not at all. */
const SHORTEST_TIMEOUT_MS = 60 * 60_000;

const longest = byType(recorded);
const median = byType(usual);

/** The longest recorded operation of an ARM type, in milliseconds; undefined: none was recorded. */
export function longestOperationMs(armType: string, method: OperationMethod): number | undefined {
  return milliseconds(longest.get(armType.toLowerCase())?.[method]);
}

/** The median of the recorded operations of an ARM type, in milliseconds; undefined: none was recorded. */
export function usualOperationMs(armType: string, method: OperationMethod): number | undefined {
  return milliseconds(median.get(armType.toLowerCase())?.[method]);
}

/** Milliseconds after which an operation of an ARM type is overdue. */
export function operationTimeoutMs(armType: string, method: OperationMethod): number {
  return Math.max((longestOperationMs(armType, method) ?? 0) * TIMES_AS_LONG, SHORTEST_TIMEOUT_MS);
}

function byType(times: Recorded) {
  return new Map(Object.entries(times).map(([type, methods]) => [type.toLowerCase(), methods]));
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
