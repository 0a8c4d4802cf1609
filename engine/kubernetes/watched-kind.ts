import type { KubernetesObject, ResourceType } from './types';
import type { Kind } from '../../src/catalog';

/** A kind to watch while the cluster serves it. */
export interface WatchedKind {
  readonly group: string;
  readonly kind: string;
  /** Versions to watch, in order of preference. Other versions are not watched. Absent: the version that the server prefers. */
  readonly versions?: readonly string[];
  readonly metadataOnly?: boolean;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Changes an object before it is stored, e.g. drops what is not needed. */
  readonly transform?: (object: KubernetesObject) => KubernetesObject;
}

/** Kinds of the catalog: in their storage version (the server need not convert), otherwise in the newest served version. */
export function catalogKinds(kinds: readonly Kind[]): WatchedKind[] {
  return kinds.map(({ group, kind, facts, versionNames }) => ({
    group,
    kind,
    versions: [facts.storageVersion, ...versionNames.filter((name) => name !== facts.storageVersion)],
  }));
}

/**
 * Kinds that the controller reads besides the catalog's. Of Secrets and ConfigMaps only the metadata is watched: most of them are never
 * used, and the contents of the others are read by name (`controller/contents`). Secrets of Helm releases are never an input.
 */
export const CORE_KINDS: readonly WatchedKind[] = [
  { group: '', kind: 'Secret', versions: ['v1'], fieldSelector: 'type!=helm.sh/release.v1', metadataOnly: true },
  { group: '', kind: 'ConfigMap', versions: ['v1'], metadataOnly: true },
  { group: '', kind: 'Namespace', versions: ['v1'], metadataOnly: true },
];

/** The controller watches CRDs to notice when the cluster starts or stops serving a kind. */
export const CRD_KIND: ResourceType = {
  group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', kind: 'CustomResourceDefinition', namespaced: false,
};

/** The resource type to watch for each served kind. */
export function servedTypes(kinds: readonly WatchedKind[], served: readonly ResourceType[]): Map<WatchedKind, ResourceType> {
  const byKind = new Map<string, ResourceType[]>();
  for (const type of served) {
    const key = `${type.group}/${type.kind}`;
    const known = byKind.get(key);
    if (known) known.push(type);
    else byKind.set(key, [type]);
  }
  const found = new Map<WatchedKind, ResourceType>();
  for (const kind of kinds) {
    const types = byKind.get(`${kind.group}/${kind.kind}`) ?? [];
    const [preferred] = types;
    const isServed = (name: string) => types.some(({ version }) => version === name);
    const wanted = kind.versions === undefined ? preferred?.version : kind.versions.find(isServed);
    const type = types.find(({ version }) => version === wanted);
    if (type) found.set(kind, type);
  }
  return found;
}
