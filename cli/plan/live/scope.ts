import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { AZURE_NAME_FROM_CONFIG, PUT_RECORD, RESOURCE_ID } from '../../../src/azure/annotations';
import { appliedKeyOf, namespaceOf, type Manifest } from '../../manifests/manifests';
import { isAzure } from '../requests';

/** The objects, and which of them a plan reports. */
export interface Scope {
  /** All: also those that others only refer to. */
  readonly manifests: readonly Manifest[];
  /** Whether the plan reports an object. */
  readonly isReported: (object: KubernetesObject) => boolean;
  /** Whether an object is no more, or will be: its resource goes if the policy says so. */
  readonly isRemoved: (object: KubernetesObject) => boolean;
}

export interface ScopeOptions {
  /** Objects of the cluster, in namespaces of the files, that the files no longer have count as removed. */
  readonly prune?: boolean | undefined;
  /** Files were given, so that the cluster's other objects are only referred to. */
  readonly filesGiven: boolean;
}

/** Members that the controller has written into an object, and that files do not have. */
const STATE = [RESOURCE_ID, AZURE_NAME_FROM_CONFIG, PUT_RECORD];

/** Files, over what a cluster has: what the cluster knows of an object stays, what files say goes first. */
export function scopeOf(files: readonly Manifest[], cluster: readonly Manifest[], { prune = false, filesGiven }: ScopeOptions): Scope {
  const inCluster = new Map(cluster.map((manifest) => [appliedKeyOf(manifest.object), manifest.object]));
  const inFiles = new Set(files.map(({ object }) => appliedKeyOf(object)));
  const namespaces = new Set(files.filter(({ object }) => isAzure(object)).map(({ object }) => namespaceOf(object)));
  const merged = files.map((manifest): Manifest => {
    const known = inCluster.get(appliedKeyOf(manifest.object));
    return known ? { ...manifest, object: onto(known, manifest.object) } : manifest;
  });
  const others = cluster.filter(({ object }) => !inFiles.has(appliedKeyOf(object)));
  const isPruned = (object: KubernetesObject) => {
    const key = appliedKeyOf(object);
    return prune && !inFiles.has(key) && namespaces.has(namespaceOf(object)) && inCluster.has(key);
  };
  return {
    manifests: [...merged, ...others],
    isReported: (object) => !filesGiven || inFiles.has(appliedKeyOf(object)) || isPruned(object),
    isRemoved: (object) => object.metadata.deletionTimestamp !== undefined || isPruned(object),
  };
}

/** As `kubectl apply` would leave it, as far as a plan looks at it. */
function onto(known: KubernetesObject, written: KubernetesObject): KubernetesObject {
  if (!isAzure(written)) return written;
  const { uid, deletionTimestamp, annotations = {} } = known.metadata;
  const state = Object.fromEntries(STATE.flatMap((name) => {
    const value = annotations[name];
    return value === undefined ? [] : [[name, value] as const];
  }));
  const azureName = known.spec?.azureName;
  return {
    ...written,
    metadata: {
      ...written.metadata,
      ...(uid === undefined ? {} : { uid }),
      ...(deletionTimestamp ? { deletionTimestamp } : {}),
      annotations: { ...state, ...written.metadata.annotations },
    },
    ...(written.spec ? { spec: { ...(azureName === undefined ? {} : { azureName }), ...written.spec } } : {}),
  };
}
