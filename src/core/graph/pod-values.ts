import type { Value } from './graph-object';

/** Kinds with a pod template (or that are pods). */
const WORKLOADS: ReadonlySet<string> = new Set(['Pod', 'Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob']);
/** Their API groups. Azure has a `Deployment` and a `Job`, too. */
const GROUPS: ReadonlySet<string> = new Set(['', 'core', 'apps', 'batch', 'extensions']);

/** Properties of the Kubernetes API that name ConfigMaps and Secrets: the property, the type of store, and the property of the name. */
const SOURCES: Readonly<Record<string, readonly [store: Value['store'], name: string]>> = {
  configMapKeyRef: ['ConfigMap', 'name'],
  secretKeyRef: ['Secret', 'name'],
  configMapRef: ['ConfigMap', 'name'],
  secretRef: ['Secret', 'name'],
  configMap: ['ConfigMap', 'name'],
};

const MAX_DEPTH = 32;

/** @param group the API group; that of pods is empty, or `core` as cdk8s calls it */
export function isWorkload(group: string, kind: string): boolean {
  return WORKLOADS.has(kind) && GROUPS.has(group);
}

/** The ConfigMaps and Secrets that the pods of a workload read: environment and volumes, without image pull secrets. */
export function readsOfPods(group: string, kind: string, spec: unknown): Value[] {
  const found: Value[] = [];
  if (isWorkload(group, kind)) walk(spec, 'spec', 0);
  return found;

  function walk(value: unknown, path: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      value.forEach((item, index) => walk(item, `${path}[${index}]`, depth + 1));
      return;
    }
    for (const [property, member] of Object.entries(value)) {
      const at = `${path}.${property}`;
      // The property of a Secret's name is `secretName` in its own volume, but `name` in a projected volume.
      const source =
        property === 'secret' ? (['Secret', 'secretName'] as const) : Object.hasOwn(SOURCES, property) ? SOURCES[property] : undefined;
      const read = source && valueAt(member, source[0], source[1], at);
      if (read) found.push(read);
      else walk(member, at, depth + 1);
    }
  }
}

function valueAt(value: unknown, store: Value['store'], nameProperty: string, path: string): Value | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { [nameProperty]: given, name: projected, key, optional } = value as Record<string, unknown>;
  const name = given ?? (store === 'Secret' ? projected : undefined);
  if (typeof name !== 'string' || name === '') return undefined;
  return { path, store, name, key: typeof key === 'string' && key !== '' ? key : undefined, ...(optional === true && { optional }) };
}
