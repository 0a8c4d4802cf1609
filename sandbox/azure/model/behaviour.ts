import recorded from '../behaviour.json';

export type OperationStyle = 'azure-asyncoperation' | 'location' | 'provisioningState';

/** How Azure answers one method on one resource type: the median of recorded traffic, in Azure's own seconds. */
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

type Recorded = Record<string, { readonly PUT?: CallBehaviour; readonly DELETE?: CallBehaviour }>;

/** A type without recorded traffic answers at once. */
const UNRECORDED = { PUT: { status: 201, request: 1 }, DELETE: { status: 200, request: 1 } } as const;

const byType = new Map(Object.entries(recorded as Recorded).map(([type, behaviour]) => [type.toLowerCase(), behaviour]));

export function behaviourOf(type: string, method: 'PUT' | 'DELETE'): CallBehaviour {
  return byType.get(type.toLowerCase())?.[method] ?? UNRECORDED[method];
}

/** Whether traffic of the type was recorded. */
export function isRecorded(type: string): boolean {
  return byType.has(type.toLowerCase());
}
