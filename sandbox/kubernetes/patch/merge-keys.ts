import { ownValue } from '../../../src/util/elements';
/**
 * The lists of Kubernetes' own types that merge element by element instead of being replaced, by the name of the field:
 * the `patchMergeKey` of their Go types. A name means the same list wherever it appears, but for `ports`.
 */
const MERGE_KEYS: Record<string, readonly string[]> = {
  conditions: ['type'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'port'],
  secrets: ['name'],
  topologySpreadConstraints: ['topologyKey'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
};

/** Lists of scalars that merge as sets. */
const SETS = new Set(['finalizers']);

/** The field by which the elements of a list are told apart, or undefined for a list that is one value. */
export function mergeKey(field: string, elements: readonly unknown[]): string | undefined {
  const keys = ownValue(MERGE_KEYS, field) ?? [];
  return keys.find(
    (key) =>
      elements.length > 0 && elements.every((element) => typeof element === 'object' && element !== null && Object.hasOwn(element, key)),
  );
}

/** Whether lists in this field merge by element, whatever is in them. */
export const isKeyed = (field: string): boolean => Object.hasOwn(MERGE_KEYS, field);

export const isSet = (field: string): boolean => SETS.has(field);
