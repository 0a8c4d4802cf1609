import { DNS_LABEL } from '../azure/dns-name';

/** Names from Azure Service Operator's chart, which federated credentials, dashboards and scripts depend on. */
export const DEFAULT_NAMESPACE = 'azureserviceoperator-system';
export const SERVICE_ACCOUNT = 'azureserviceoperator-default';
export const DEPLOYMENT = 'azureserviceoperator-controller-manager';
export const SETTINGS_SECRET = 'aso-controller-settings';
export const METRICS_SERVICE = 'azureserviceoperator-controller-manager-metrics-service';
export const METRICS_CERTIFICATE = 'azureserviceoperator-metrics-server-cert';
export const METRICS_SECRET = 'metrics-server-cert';
export const ISSUER = 'azureserviceoperator-selfsigned-issuer';
export const DISRUPTION_BUDGET = 'azureserviceoperator-pdb';
export const LEASE = 'controllers-leader-election-azinfra-generated';
export const WORKLOAD_SERVICE_ACCOUNT = 'aso-workload';

export const LABELS = { 'app.kubernetes.io/name': 'azure-service-operator', 'control-plane': 'controller-manager' } as const;
export const PORTS = { webhooks: 9443, metrics: 8443, health: 8081 } as const;

/** Name of a cluster-scoped object. Two controllers of a cluster must not share one. */
export function clusterName(name: string, namespace: string): string {
  return namespace === DEFAULT_NAMESPACE ? name : `${name}-${namespace}`;
}

/**
 * Whether a text is a valid name of a namespace.
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names
 */
export function isNamespaceName(text: string): boolean {
  return DNS_LABEL.test(text);
}
