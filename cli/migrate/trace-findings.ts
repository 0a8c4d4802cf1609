import { stop, type Finding } from './finding';
import { MIGRATION } from './journal';
import { isMoved, type SortedCrds } from './migrated-kinds';
import { KubernetesError, type KubernetesClient } from '../../engine/kubernetes/types';
import { ADMISSION_POLICIES } from '../cluster/resource-types';

/** The admission policy of a migration whose journal is gone: ASO must not be installed over what it has done. */
export async function traceFindings(client: KubernetesClient, { migrated }: Pick<SortedCrds, 'migrated'>): Promise<Finding[]> {
  try {
    if (!await client.get(ADMISSION_POLICIES, MIGRATION)) return [];
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 403) return [];
    throw error;
  }
  const message = `the ValidatingAdmissionPolicy ${MIGRATION} is of a migration whose journal is gone, and ASO is removed`;
  return [stop('journal', message, !migrated.some(isMoved)
    ? `all objects are rewritten: apply --install with kubectl apply --server-side --force-conflicts, and delete the policy and its binding ${MIGRATION} when the webhooks answer`
    : `restore the journal (ConfigMap ${MIGRATION}) from a backup, and go on; ASO would send objects without some of their members`)];
}
