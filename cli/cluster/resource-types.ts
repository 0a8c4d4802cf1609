import type { ResourceType } from '../../engine/kubernetes/types';

function namespaced(group: string, kind: string, plural = `${kind.toLowerCase()}s`, version = 'v1'): ResourceType {
  return { group, version, plural, kind, namespaced: true };
}

function clusterWide(group: string, kind: string, plural = `${kind.toLowerCase()}s`, version = 'v1'): ResourceType {
  return { ...namespaced(group, kind, plural, version), namespaced: false };
}

/** Types of Kubernetes that commands read or write besides the Azure kinds. */
export const CONFIG_MAPS = namespaced('', 'ConfigMap');
export const SECRETS = namespaced('', 'Secret');
export const NAMESPACES = clusterWide('', 'Namespace');
export const EVENTS = namespaced('', 'Event');
export const PODS = namespaced('', 'Pod');
export const SERVICES = namespaced('', 'Service');
export const SERVICE_ACCOUNTS = namespaced('', 'ServiceAccount');
export const DEPLOYMENTS = namespaced('apps', 'Deployment');
export const LEASES = namespaced('coordination.k8s.io', 'Lease');
export const DISRUPTION_BUDGETS = namespaced('policy', 'PodDisruptionBudget');
export const NETWORK_POLICIES = namespaced('networking.k8s.io', 'NetworkPolicy', 'networkpolicies');
export const ROLES = namespaced('rbac.authorization.k8s.io', 'Role');
export const ROLE_BINDINGS = namespaced('rbac.authorization.k8s.io', 'RoleBinding');
export const CLUSTER_ROLES = clusterWide('rbac.authorization.k8s.io', 'ClusterRole');
export const CLUSTER_ROLE_BINDINGS = clusterWide('rbac.authorization.k8s.io', 'ClusterRoleBinding');
export const MUTATING_WEBHOOKS = clusterWide('admissionregistration.k8s.io', 'MutatingWebhookConfiguration');
export const VALIDATING_WEBHOOKS = clusterWide('admissionregistration.k8s.io', 'ValidatingWebhookConfiguration');
export const ADMISSION_POLICIES = clusterWide('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy', 'validatingadmissionpolicies');
export const ADMISSION_POLICY_BINDINGS = clusterWide('admissionregistration.k8s.io', 'ValidatingAdmissionPolicyBinding');
export const SELF_ACCESS_REVIEWS = clusterWide('authorization.k8s.io', 'SelfSubjectAccessReview');
export const ACCESS_REVIEWS = clusterWide('authorization.k8s.io', 'SubjectAccessReview');
export const ENDPOINT_SLICES = namespaced('discovery.k8s.io', 'EndpointSlice');
export const PRIORITY_CLASSES = clusterWide('scheduling.k8s.io', 'PriorityClass', 'priorityclasses');
/** Of cert-manager. */
export const CERTIFICATES = namespaced('cert-manager.io', 'Certificate');
export const ISSUERS = namespaced('cert-manager.io', 'Issuer');
/** Of the Prometheus Operator. */
export const SERVICE_MONITORS = namespaced('monitoring.coreos.com', 'ServiceMonitor');
export const PROMETHEUS_RULES = namespaced('monitoring.coreos.com', 'PrometheusRule');
/** Of Argo CD and Flux. */
export const ARGO_APPLICATIONS = namespaced('argoproj.io', 'Application', 'applications', 'v1alpha1');
export const FLUX_KUSTOMIZATIONS = namespaced('kustomize.toolkit.fluxcd.io', 'Kustomization');
export const FLUX_RELEASES = namespaced('helm.toolkit.fluxcd.io', 'HelmRelease', 'helmreleases', 'v2');
