import type { ResourceType } from '../../engine/kubernetes/types';

type Names = readonly [group: string, version: string, kind: string, plural: string];

const type = (isNamespaced: boolean) => (...[group, version, kind, plural]: Names): ResourceType =>
  ({ group, version, kind, plural, namespaced: isNamespaced });
const namespaced = type(true);
const clusterWide = type(false);

export const DEPLOYMENTS = namespaced('apps', 'v1', 'Deployment', 'deployments');
export const PODS = namespaced('', 'v1', 'Pod', 'pods');
export const SECRETS = namespaced('', 'v1', 'Secret', 'secrets');
export const CONFIG_MAPS = namespaced('', 'v1', 'ConfigMap', 'configmaps');
export const NAMESPACES = clusterWide('', 'v1', 'Namespace', 'namespaces');
export const LEASES = namespaced('coordination.k8s.io', 'v1', 'Lease', 'leases');
export const ENDPOINT_SLICES = namespaced('discovery.k8s.io', 'v1', 'EndpointSlice', 'endpointslices');
export const MUTATING_WEBHOOKS = clusterWide('admissionregistration.k8s.io', 'v1', 'MutatingWebhookConfiguration', 'mutatingwebhookconfigurations');
export const VALIDATING_WEBHOOKS = clusterWide('admissionregistration.k8s.io', 'v1', 'ValidatingWebhookConfiguration', 'validatingwebhookconfigurations');
export const ACCESS_REVIEWS = clusterWide('authorization.k8s.io', 'v1', 'SubjectAccessReview', 'subjectaccessreviews');
export const ARGO_APPLICATIONS = namespaced('argoproj.io', 'v1alpha1', 'Application', 'applications');
export const FLUX_KUSTOMIZATIONS = namespaced('kustomize.toolkit.fluxcd.io', 'v1', 'Kustomization', 'kustomizations');
export const FLUX_RELEASES = namespaced('helm.toolkit.fluxcd.io', 'v2', 'HelmRelease', 'helmreleases');
