import type { Right } from './access-rights';
import { discoveredTypes } from './discovered-types';
import { KubernetesError, type Discovery, type KubernetesObject } from '../../engine/kubernetes/types';

export interface ApplyRights {
  readonly rights: readonly Right[];
  /** Kinds that the cluster does not serve, with the sentence of the API server. */
  readonly unserved: readonly { readonly kind: string; readonly message: string }[];
}

/** The rights to apply manifests with server-side apply: to find out in the middle would be too late. */
export async function applyRights(
  client: { discovery(): Promise<Discovery> }, manifests: readonly KubernetesObject[], verbs: readonly string[] = ['create', 'patch'],
): Promise<ApplyRights> {
  const types = await discoveredTypes(client);
  const rights = new Map<string, Right>();
  const unserved = new Map<string, { readonly kind: string; readonly message: string }>();
  for (const object of manifests) {
    const { apiVersion, kind, metadata: { namespace } } = object;
    const key = `${apiVersion} ${kind} ${namespace ?? ''}`;
    try {
      const type = types(object);
      rights.set(key, { type, verbs, ...(type.namespaced && namespace !== undefined && { namespace }) });
    } catch (error) {
      if (!(error instanceof KubernetesError)) throw error;
      unserved.set(key, { kind, message: error.message });
    }
  }
  return { rights: [...rights.values()], unserved: [...unserved.values()] };
}
