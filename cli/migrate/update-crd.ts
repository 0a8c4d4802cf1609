import { MigrationError } from './migration-context';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';

const TRIES = 10;

/**
 * Changes a CRD, again where another writer was faster. Undefined: there is nothing to change.
 * @throws MigrationError where the CRD is gone
 */
export async function updateCrd(
  client: KubernetesClient, name: string, change: (crd: KubernetesObject) => KubernetesObject | undefined,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const crd = await client.get(CRD_KIND, name);
    if (!crd) throw new MigrationError(`the CRD ${name} was deleted in the meantime`);
    const changed = change(crd);
    if (!changed) return false;
    try {
      await client.replace(CRD_KIND, changed);
      return true;
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status !== 409 || attempt >= TRIES) throw error;
    }
  }
}
