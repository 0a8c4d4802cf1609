import { isLater, variablesIn } from './later/variables';
import { appliedKeyOf, type Manifest } from './manifests';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import type { ObjectLookup } from '../../engine/resolve';
import { nameFromConfigOf, versionOf } from '../../engine/resolve';
import { AZURE_NAME_FROM_CONFIG } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { groupOf, objectKeyOf } from '../../src/object-id';

/** Stands in an id for the owner of an object that the files do not have. */
const UNKNOWN_OWNER = '<OWNER>';

/** Objects of files, found as if they stood in a cluster that serves every kind of the catalog. */
export class ManifestLookup implements ObjectLookup {
  private readonly objects = new Map<string, KubernetesObject>();

  public constructor(manifests: readonly Manifest[]) {
    for (const { object } of manifests) {
      this.objects.set(appliedKeyOf(object), claimed(object));
    }
  }

  public find(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined {
    return this.objects.get(objectKeyOf({ group, kind, namespace, name })) ?? this.laterObject(group, kind, namespace, name);
  }

  /**
   * An object that the files may have once their variables have values: one with a variable in its name, or of the kind and with the name
   * of one that has. Its owner is not known.
   */
  private laterObject(group: string, kind: string, namespace: string, name: string): KubernetesObject | undefined {
    const facts = Catalog.default().kind(group, kind);
    if (!facts) return undefined;
    const isNamed = isLater(name) || isLater(namespace) || name === UNKNOWN_OWNER;
    const others = isNamed ? [] : this.list(group, kind);
    const isOther = ({ metadata }: KubernetesObject) => (
      mayBecome(metadata.name, name) && mayBecome(metadata.namespace ?? 'default', namespace)
    );
    if (!isNamed && !others.some(isOther)) return undefined;
    const { owner } = facts.latest.facts;
    const spec = typeof owner === 'object' && owner !== null ? { owner: { name: UNKNOWN_OWNER } } : {};
    return claimed({ apiVersion: facts.latest.apiVersion, kind, metadata: { name, namespace }, spec } as KubernetesObject);
  }

  public list(group: string, kind: string): readonly KubernetesObject[] {
    return [...this.objects.values()].filter((object) => object.kind === kind && groupOf(object) === group);
  }

  /** An object that is not in the files is missing, not unknown: the message about a missing object is the better one. */
  public serves(): boolean {
    return true;
  }
}

/** Whether the text is the other one, once its variables have values. */
function mayBecome(text: string, other: string): boolean {
  if (text === other) return true;
  const parts: string[] = [];
  let end = 0;
  for (const { text: variable, from } of variablesIn(text)) {
    parts.push(text.slice(end, from));
    end = from + variable.length;
  }
  if (parts.length === 0) return false;
  const [first = '', ...inner] = parts;
  const last = text.slice(end);
  if (!other.startsWith(first) || !other.endsWith(last) || other.length < first.length + last.length) return false;
  let at = first.length;
  return inner.every((part) => {
    const found = other.indexOf(part, at);
    at = found + part.length;
    return found >= 0 && at <= other.length - last.length;
  });
}

/**
 * The object with what the cluster and the claim would have added, as far as names depend on it: its uid (of which random names are made)
 * and the name that comes from a ConfigMap. Both are known only later.
 */
export function claimed(object: KubernetesObject): KubernetesObject {
  const uid = object.metadata.uid ?? `<random:${object.metadata.name}>`;
  const version = versionOf(object);
  const reference = version && nameFromConfigOf(object, version);
  if (!reference) return { ...object, metadata: { ...object.metadata, uid } };
  const annotations = { [AZURE_NAME_FROM_CONFIG]: `<configmap:${reference.name}/${reference.key}>`, ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, uid, annotations } };
}
