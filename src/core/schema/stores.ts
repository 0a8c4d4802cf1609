import { formatValue } from './conversion';
import { isDataKey, isKubernetesName, KUBERNETES_NAME_RULE } from '../kubernetes-name';

type Store = 'ConfigMap' | 'Secret';

/** The problem of a ConfigMap's or Secret's name. Tokens are not checked. */
export function nameProblem(store: Store, name: unknown): string | undefined {
  if (typeof name === 'object' || isKubernetesName(name)) return undefined;
  return `${formatValue(name)} cannot be the name of a ${store}. Give the bare name: ${KUBERNETES_NAME_RULE}.`;
}

/** The problem of a ConfigMap's or Secret's key. Tokens are not checked. */
export function keyProblem(store: Store, key: unknown): string | undefined {
  if (typeof key === 'object' || isDataKey(key)) return undefined;
  return `${formatValue(key)} cannot be a key of a ${store}. Give letters, digits, '-', '_' and '.', at most 253.`;
}
