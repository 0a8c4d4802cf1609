import { resolveReference } from './references';
import { ResolutionError, type ObjectLookup, type ResolutionReason } from './types';
import { ownValue } from '../../src/util/elements';
import type { ValueSource } from '../convert/types';
import type { KubernetesObject } from '../kubernetes/types';

/** The values that specs refer to, read from the object's namespace in the cluster. */
export function clusterValues(namespace: string, lookup: ObjectLookup): ValueSource {
  const secretKind: Source = { kind: 'Secret', plural: 'secrets', label: 'secret', reason: 'SecretNotFound' };
  const configMapKind: Source = { kind: 'ConfigMap', plural: 'configmaps', label: 'config map', reason: 'ConfigMapNotFound' };

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
    reference: (reference) => resolveReference(reference, namespace, lookup),
    secret: (name, key) => decoded(valueOf(secretKind, name, key)),
    secretMap: (name) => Object.fromEntries(Object.entries(dataOf(secretKind, name)).map(([key, value]) => [key, decoded(value)])),
    configMap: (name, key) => valueOf(configMapKind, name, key),
  };
}

interface Source {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly plural: string;
  readonly label: string;
  readonly reason: ResolutionReason;
}

function missing(source: Source, where: string, key: string | undefined, cause: string): ResolutionError {
  const what = key === undefined ? where : `${where}.${key}`;
  return new ResolutionError(source.reason, 'Warning', `couldn't resolve ${source.label} reference ${what}: ${cause}`);
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
