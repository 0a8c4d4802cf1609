import type { RestClient } from '../../engine/kubernetes';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { isRecord } from '../../src/util/records';

/** The change of an object by server-side apply of a manifest. */
export interface ServerSideChange {
  readonly state: 'created' | 'changed' | 'same';
  /** The object in the cluster, without what servers write. */
  readonly before?: KubernetesObject;
  /** The object as it will be, by the API server's dry run; the manifest where there is none. */
  readonly after: KubernetesObject;
  /** Whether `after` has no answer of the API server in it. */
  readonly isLocal: boolean;
}

/** A client for reads, and one whose patches are dry runs. */
export interface DryRunClients {
  readonly client: Pick<RestClient, 'get'>;
  readonly dryRun: Pick<RestClient, 'patch'>;
}

const SERVER_METADATA: ReadonlySet<string> = new Set(['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp', 'selfLink']);
const NO_NAMESPACE = /^namespaces ".*" not found/;

/**
 * Compares a manifest with the object in the cluster by a dry run of server-side apply. Nothing is stored.
 * @param live the object, where it was read already; null: there is none
 * @throws KubernetesError where the API server refuses the manifest
 */
export async function serverSideChange(
  { client, dryRun }: DryRunClients, type: ResourceType, manifest: KubernetesObject, live?: KubernetesObject | null,
): Promise<ServerSideChange> {
  const { name, namespace } = manifest.metadata;
  const found = live === undefined ? await client.get(type, name, namespace) : live ?? undefined;
  const before = found && withoutServerFields(found);
  try {
    const after = withoutServerFields(await dryRun.patch(type, name, namespace, manifest, 'application/apply-patch+yaml'));
    if (!before) return { state: 'created', after, isLocal: false };
    return { state: sortedJson(before) === sortedJson(after) ? 'same' : 'changed', before, after, isLocal: false };
  } catch (error) {
    // The namespace is created before.
    if (!before && error instanceof KubernetesError && error.status === 404 && NO_NAMESPACE.test(error.message)) {
      return { state: 'created', after: manifest, isLocal: true };
    }
    throw error;
  }
}

/** The object without status, and without the metadata that servers write. */
export function withoutServerFields(object: KubernetesObject): KubernetesObject {
  const { status: _status, ...rest } = object;
  const metadata = Object.fromEntries(Object.entries(object.metadata).filter(([name]) => !SERVER_METADATA.has(name)));
  return { ...rest, metadata: metadata as unknown as KubernetesObject['metadata'] };
}

/** JSON with sorted members: the same for equal values. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => (isRecord(member)
    ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
    : member));
}
