import { unlessThere, type Tries } from './tries';
import type { RestClient } from '../../../engine/kubernetes';
import { KubernetesError, type KubernetesObject } from '../../../engine/kubernetes/types';
import { discoveredTypes } from '../../cluster/discovered-types';
import { isCrd } from '../migrated-kinds';

const ROLES = 'rbac.authorization.k8s.io/';

interface Installation {
  readonly namespace: string;
  readonly install: readonly KubernetesObject[];
}

/**
 * Tries to apply the manifests of the controller that takes over.
 * @param removed objects of the old controller that are gone by then, by kind and name: those of the new one are created, not changed
 */
export async function rehearseInstallation(
  tries: Tries, client: RestClient, { namespace, install }: Installation, removed: ReadonlySet<string>,
): Promise<void> {
  const types = await discoveredTypes(client);
  const namespaces = new Set(install.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name));
  for (const object of install) {
    // CRDs are tried with the step that replaces them, and roles with the rights of this user.
    if (isCrd(object) || object.apiVersion.startsWith(ROLES)) continue;
    const { kind, metadata: { name, namespace: at } } = object;
    const isCreated = (at === undefined || at === namespace) && removed.has(`${kind} ${name}`);
    await tries.write('install', `the ${kind} ${at === undefined ? '' : `${at}/`}${name}`, async () => {
      try {
        if (isCreated) await unlessThere(() => client.create(types(object), object));
        else await client.patch(types(object), name, at, object, 'application/apply-patch+yaml');
      } catch (error) {
        // Its namespace is created before it.
        if (!(error instanceof KubernetesError) || error.status !== 404 || !namespaces.has(at ?? '')) throw error;
      }
    });
  }
}
