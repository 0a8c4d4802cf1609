import { shown } from './conversion';
import { isDataKey, isKubernetesName, KUBERNETES_NAME_RULE } from '../kubernetes-name';

type Store = 'ConfigMap' | 'Secret';

/** Why there can be no ConfigMap or Secret of a name. Tokens are not looked into. */
export function nameProblem(store: Store, name: unknown): string | undefined {
  if (typeof name === 'object' || isKubernetesName(name)) return undefined;
  return `${shown(name)} cannot be the name of a ${store}. Give the bare name: ${KUBERNETES_NAME_RULE}.`;
}

/** Why a ConfigMap or Secret cannot have a key. Tokens are not looked into. */
export function keyProblem(store: Store, key: unknown): string | undefined {
  if (typeof key === 'object' || isDataKey(key)) return undefined;
  return `${shown(key)} cannot be a key of a ${store}. Give letters, digits, '-', '_' and '.', at most 253.`;
}
