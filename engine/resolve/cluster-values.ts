import { resolveReference } from './references';
import { ResolutionError, type ObjectLookup, type ResolutionReason } from './types';
import { ownValue } from '../../src/util/elements';
import { decodeSecretValue } from '../../src/util/secret-data';
import type { ValueSource } from '../convert/types';
import type { KubernetesObject } from '../kubernetes/types';

/** The values that specs refer to, read from the object's namespace in the cluster. The errors begin as ASO's do. */
export function clusterValues(namespace: string, lookup: ObjectLookup): ValueSource {
  const dataOf = (source: Source, name: string, key?: string): Record<string, string> => {
    const where = `${namespace}/${name}`;
    const found: KubernetesObject | undefined = lookup.find('', source.kind, namespace, name);
    if (!found) throw missing(source, where, key, `${where} does not exist (${source.plural} "${name}" not found)`);
    return found.data ?? {};
  };
  const valueOf = (source: Source, name: string, key: string): string => {
    const value = ownValue(dataOf(source, name, key), key);
    if (value !== undefined) return value;
    const where = `${namespace}/${name}`;
    throw missing(source, where, key, `${source.kind} "${where}" does not contain key "${key}"`);
  };

  return {
    reference: (reference) => within('ARM IDs for references', () => resolveReference(reference, namespace, lookup)),
    secret: (name, key) => within('secret references', () => decodeSecretValue(valueOf(SECRET, name, key))),
    secretMap: (name) => within(
      'secret references',
      () => Object.fromEntries(Object.entries(dataOf(SECRET, name)).map(([key, value]) => [key, decodeSecretValue(value)])),
    ),
    configMap: (name, key) => within('config map references', () => valueOf(CONFIG_MAP, name, key)),
  };
}

function within<T>(what: string, resolve: () => T): T {
  try {
    return resolve();
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    throw new ResolutionError(error.reason, error.severity, `failed resolving ${what}: ${error.message}`);
  }
}

interface Source {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly plural: string;
  readonly label: string;
  readonly reason: ResolutionReason;
}

const SECRET: Source = { kind: 'Secret', plural: 'secrets', label: 'secret', reason: 'SecretNotFound' };
const CONFIG_MAP: Source = { kind: 'ConfigMap', plural: 'configmaps', label: 'config map', reason: 'ConfigMapNotFound' };

function missing(source: Source, where: string, key: string | undefined, cause: string): ResolutionError {
  const what = key === undefined ? where : `${where}.${key}`;
  return new ResolutionError(source.reason, 'Warning', `couldn't resolve ${source.label} reference ${what}: ${cause}`);
}
