import { managedByLabelsOf, managedByOf, managedByText, type ManagedBy } from './managed-by';
import { MISSING_RIGHTS, type PropagationCache } from './propagation-cache';
import type { PropagationReports } from './propagation-reports';
import { KubernetesError, type KubernetesClient, type KubernetesObject } from '../../engine/kubernetes/types';
import { propagationTargetText, type PropagationTarget } from '../../src/azure/credential-propagation';

/** Dependencies of the functions that write propagation targets. */
export interface PropagationContext {
  readonly client: KubernetesClient;
  readonly cache: PropagationCache;
  readonly reports: PropagationReports;
}

/** Whether the labels of the object name the identity. */
export function isManagedBy(object: KubernetesObject | undefined, owner: ManagedBy): boolean {
  const found = managedByLabelsOf(object);
  return found !== undefined && managedByText(found) === managedByText(owner);
}

/** Reports a refusal by the API server on the identity; returns the error. */
export function reportRefusal(reports: PropagationReports, identity: KubernetesObject, target: PropagationTarget, error: unknown): unknown {
  if (error instanceof KubernetesError && (error.status === 403 || error.status === 422)) {
    const cure = error.status === 403 ? MISSING_RIGHTS : '';
    const message = `${propagationTargetText(target)} is not written: ${error.message}${cure}`;
    reports.report(managedByOf(identity), identity, target, 'refused', message);
  }
  return error;
}
