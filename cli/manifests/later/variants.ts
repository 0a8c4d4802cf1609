import { replaceVariables, variablesIn } from './variables';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { HELM_RESOURCE_POLICY, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { isRecord } from '../../../src/util/records';

/** A text that most names may be. */
const WORD = 'v4r1';
const MAX_NAMESPACES = 2;

type Fill = (text: string) => string | undefined;

/**
 * The objects as they may be once all of their variables have values: without the values that come later, with a word in their place, and
 * with each of the first namespaces that are known. A finding that is not in all of them depends on what is not known.
 */
export function variantsOf(objects: readonly KubernetesObject[]): KubernetesObject[][] {
  const namespaces = objects
    .map((object) => (isNamespace(object) ? object.metadata.name : object.metadata.namespace ?? 'default'))
    .filter((one) => variablesIn(one).length === 0);
  const known = [...new Set(namespaces)].slice(0, MAX_NAMESPACES);
  const filled: Fill = (text) => replaceVariables(text, () => WORD);
  const erased: Fill = () => undefined;
  const variant = (namespace: string, fill: Fill) => objects.map((object) => variantOf(object, namespace, fill));
  return [WORD, ...known].flatMap((namespace) => [variant(namespace, filled), variant(namespace, erased)]);
}

function variantOf(object: KubernetesObject, namespace: string, fill: Fill): KubernetesObject {
  const { metadata, apiVersion, kind, ...rest } = object;
  const { name, namespace: own, annotations, ...other } = metadata;
  const word = (text: string) => replaceVariables(text, () => WORD);
  return {
    ...(withValues(rest, fill) as Omit<KubernetesObject, 'metadata'>),
    apiVersion: word(apiVersion),
    kind: word(kind),
    metadata: {
      ...(withValues(other, fill) as object),
      name: isNamespace(object) && variablesIn(name).length > 0 ? namespace : word(name),
      ...(own === undefined ? {} : { namespace: variablesIn(own).length > 0 ? namespace : own }),
      ...(annotations && {
        annotations: {
          ...(withValues(annotations, fill) as Record<string, string>),
          ...policiesOf(annotations, fill('') === undefined),
        },
      }),
    },
  };
}

/** Policies that come later may be those that keep most. */
function policiesOf(annotations: Readonly<Record<string, string>>, skips: boolean): Record<string, string> {
  const policies = { [RECONCILE_POLICY]: skips ? 'skip' : 'detach-on-delete', [HELM_RESOURCE_POLICY]: 'keep' };
  return Object.fromEntries(Object.entries(policies).filter(([key]) => variablesIn(annotations[key] ?? '').length > 0));
}

function isNamespace({ apiVersion, kind }: KubernetesObject): boolean {
  return apiVersion === 'v1' && kind === 'Namespace';
}

/** The value with what comes later filled in, or left out. */
function withValues(value: unknown, fill: Fill): unknown {
  if (typeof value === 'string') return variablesIn(value).length > 0 ? fill(value) : value;
  if (Array.isArray(value)) return value.flatMap((item: unknown) => withValues(item, fill) ?? []);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, item]) => {
    const filled = withValues(item, fill);
    return filled === undefined || variablesIn(key).length > 0 ? [] : [[key, filled]];
  }));
}
