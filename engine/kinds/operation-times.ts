import recorded from './operation-times.json';

/**
 * How long Azure was seen to take, by ARM type: the longest operation after a PUT and after a DELETE, in seconds. From recorded traffic with Azure
 * Resource Manager (one to 426 operations a type and method); `sandbox/azure/behaviour.json` has the medians of the same recordings.
 */
type Recorded = Readonly<Record<string, Readonly<Partial<Record<OperationMethod, number>>>>>;

export type OperationMethod = 'PUT' | 'DELETE';

/** Milliseconds. A sample does not have the longest operation that there is, so an operation is overdue after several times as long. */
const TIMES_AS_LONG = 3;
/** No operation is overdue before this: most types were recorded a few times only, and many not at all. */
const SHORTEST_PATIENCE = 60 * 60_000;

const longest = new Map(Object.entries(recorded as Recorded).map(([type, methods]) => [type.toLowerCase(), methods]));

/** Milliseconds after which an operation of an ARM type has taken longer than can be expected. */
export function patienceFor(armType: string, method: OperationMethod): number {
  const seconds = longest.get(armType.toLowerCase())?.[method] ?? 0;
  return Math.max(seconds * 1000 * TIMES_AS_LONG, SHORTEST_PATIENCE);
}
