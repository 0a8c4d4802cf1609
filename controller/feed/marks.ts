import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { FED_BY_NAME, FED_BY_NAMESPACE } from '../../src/azure/credential-feeds';

/** Who has written an object, as its labels say. Owner references cannot cross namespaces. */
export interface Mark {
  readonly namespace: string;
  /** The identity's name; of one that is too long for a label, its beginning and a digest. */
  readonly name: string;
}

const LONGEST_LABEL = 63;

export function markFor({ metadata: { namespace = '', name } }: Pick<KubernetesObject, 'metadata'>): Mark {
  if (name.length <= LONGEST_LABEL) return { namespace, name };
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 10);
  return { namespace, name: `${name.slice(0, LONGEST_LABEL - 11)}-${digest}` };
}

/** The mark that an object carries. */
export function markOf(object: KubernetesObject | undefined): Mark | undefined {
  const { [FED_BY_NAMESPACE]: namespace, [FED_BY_NAME]: name } = object?.metadata.labels ?? {};
  return namespace && name ? { namespace, name } : undefined;
}

export function labelsOf({ namespace, name }: Mark): Record<string, string> {
  return { [FED_BY_NAMESPACE]: namespace, [FED_BY_NAME]: name };
}

export function markText({ namespace, name }: Mark): string {
  return `${namespace}/${name}`;
}
