import recorded from '../behaviour.json';

export type OperationStyle = 'azure-asyncoperation' | 'location' | 'provisioningState';

/** A request by what it does: `PUT` creates the resource, `UPDATE` is a PUT that changes one that was made before. */
export type RecordedCall = 'PUT' | 'UPDATE' | 'DELETE';

/** How Azure answers one call on one resource type: the median of recorded traffic, in Azure's own seconds. */
export interface CallBehaviour {
  readonly status: number;
  /** Kind of the long-running operation; absent: the answer is the end of it. */
  readonly operation?: OperationStyle;
  /** Seconds until the answer. */
  readonly request: number;
  /** Seconds from the answer to the end of the operation. */
  readonly seconds?: number;
  /** The `Retry-After` of the answers. */
  readonly retryAfter?: number;
  /** `provisioningState` in the first answer, where it has a body with one. */
  readonly firstState?: string;
}

type Recorded = Record<string, Readonly<Partial<Record<RecordedCall, CallBehaviour>>>>;

/** A type without recorded traffic answers at once. */
const UNRECORDED = { PUT: { status: 201, request: 1 }, DELETE: { status: 200, request: 1 } } as const;

const byType = new Map(Object.entries(recorded as Recorded).map(([type, behaviour]) => [type.toLowerCase(), behaviour]));

/** An update of a type without recorded updates is answered as its creation, but for the 201. */
export function behaviourOf(type: string, call: RecordedCall): CallBehaviour {
  const known = byType.get(type.toLowerCase())?.[call];
  if (known) return known;
  return call === 'UPDATE' ? notCreated(behaviourOf(type, 'PUT')) : UNRECORDED[call];
}

/** The answer to a PUT that has created nothing. */
export function notCreated(behaviour: CallBehaviour): CallBehaviour {
  return behaviour.status === 201 ? { ...behaviour, status: 200 } : behaviour;
}

/** Whether traffic of the type was recorded. */
export function isRecorded(type: string): boolean {
  return byType.has(type.toLowerCase());
}
