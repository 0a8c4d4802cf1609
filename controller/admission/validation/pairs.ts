import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { isArray, isConstrained, isMap, isRef, type KindVersion, type TypeExpression } from '../../../src/catalog';
import { isRecord, type JsonObject, ownMember } from '../../../src/util/records';

/** Real specs nest some fifteen levels deep. */
const MAX_DEPTH = 64;

/** A value and the reference to a ConfigMap or Secret that stands for it, both given (docs/spec/webhooks.md#value-and-reference). */
export function pairErrors(version: KindVersion, { spec }: KubernetesObject): string[] {
  return version.facts.spec === undefined ? [] : inType(version, { ref: version.facts.spec }, spec, 0);
}

function inType(version: KindVersion, type: TypeExpression, value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  if (isConstrained(type)) return inType(version, type.type, value, depth);
  if (isArray(type)) return Array.isArray(value) ? value.flatMap((element) => inType(version, type.array, element, depth + 1)) : [];
  if (!isRecord(value)) return [];
  if (isMap(type)) return Object.values(value).flatMap((element) => inType(version, type.map, element, depth + 1));
  return isRef(type) ? inObject(version, type.ref, value, depth) : [];
}

function inObject(version: KindVersion, name: string, value: JsonObject, depth: number): string[] {
  const { props } = version.type(name);
  return Object.entries(value).flatMap(([key, item]) => {
    const facts = Object.hasOwn(props, key) ? props[key] : undefined;
    if (!facts) return [];
    const plain = facts.alternativeTo;
    const reads = facts.role === 'configMap' || facts.role === 'secret';
    // The Azure name may have both: then it wins (docs/spec/webhooks.md#name-from-configmap).
    const both = reads && plain !== undefined && plain !== 'azureName' && isGiven(item) && isGiven(ownMember(value, plain));
    return [...(both ? [`cannot specify both ${plain} and ${key}`] : []), ...inType(version, facts.type, item, depth + 1)];
  });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
