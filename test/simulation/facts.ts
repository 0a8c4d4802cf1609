import type { Stored } from './truth/policy';

/** ASO's names, and ours, as the documents have them. */
export const FINALIZER = 'serviceoperator.azure.com/finalizer';
export const RECORD = 'aso.cdk8s.io/last-put';
export const TOKEN = 'serviceoperator.azure.com/poller-resume-token';
export const ID = 'serviceoperator.azure.com/resource-id';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

export const objectName = ({ kind, metadata: { namespace, name } }: Pick<Stored, 'kind' | 'metadata'>): string =>
  `${kind} ${namespace}/${name}`;

export function readyOf(object: Stored | undefined): Condition | undefined {
  const conditions = object?.status?.conditions as readonly Condition[] | undefined;
  return conditions?.find(({ type }) => type === 'Ready');
}

export function isReady(object: Stored | undefined): boolean {
  return readyOf(object)?.status === 'True';
}
