import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { MANAGED_BY_NAME, MANAGED_BY_NAMESPACE } from '../../src/azure/annotations';

/** The identity that has written an object, by the object's labels. Owner references cannot cross namespaces. */
export interface ManagedBy {
  readonly namespace: string;
  /** The identity's name; if it is too long for a label, its beginning and a digest. */
  readonly name: string;
}

const LONGEST_LABEL = 63;

export function managedByOf({ metadata: { namespace = '', name } }: Pick<KubernetesObject, 'metadata'>): ManagedBy {
  if (name.length <= LONGEST_LABEL) return { namespace, name };
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return { namespace, name: `${name.slice(0, LONGEST_LABEL - 11)}-${digest}` };
}

/** The owner in the labels of an object. */
export function managedByLabelsOf(object: KubernetesObject | undefined): ManagedBy | undefined {
  const { [MANAGED_BY_NAMESPACE]: namespace, [MANAGED_BY_NAME]: name } = object?.metadata.labels ?? {};
  return namespace && name ? { namespace, name } : undefined;
}

export function labelsOf({ namespace, name }: ManagedBy): Record<string, string> {
  return { [MANAGED_BY_NAMESPACE]: namespace, [MANAGED_BY_NAME]: name };
}

export function managedByText({ namespace, name }: ManagedBy): string {
  return `${namespace}/${name}`;
}
