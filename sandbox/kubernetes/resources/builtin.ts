import type { ResourceDefinition } from './definition';
import { parseApiVersion } from '../../../src/object-id';

interface Row {
  readonly kind: string;
  readonly plural?: string;
  readonly short?: readonly string[];
  readonly cluster?: true;
  /** Has a status subresource. */
  readonly status?: true;
  readonly counted?: true;
  readonly categories?: readonly string[];
  readonly virtual?: true;
}

/** Kubernetes' own kinds, group and version first. Their objects are stored as they come, but for a few rules. */
const ROWS: Record<string, readonly Row[]> = {
  'v1': [
    { kind: 'ConfigMap', short: ['cm'] },
    { kind: 'Endpoints', plural: 'endpoints', short: ['ep'] },
    { kind: 'Event', short: ['ev'] },
    { kind: 'LimitRange', short: ['limits'] },
    { kind: 'Namespace', short: ['ns'], cluster: true, status: true },
    { kind: 'Node', short: ['no'], cluster: true, status: true },
    { kind: 'PersistentVolumeClaim', short: ['pvc'], status: true },
    { kind: 'PersistentVolume', short: ['pv'], cluster: true, status: true },
    { kind: 'Pod', short: ['po'], status: true, categories: ['all'] },
    { kind: 'ResourceQuota', short: ['quota'], status: true },
    { kind: 'Secret' },
    { kind: 'ServiceAccount', short: ['sa'] },
    { kind: 'Service', short: ['svc'], status: true, categories: ['all'] },
  ],
  'apps/v1': [
    { kind: 'DaemonSet', short: ['ds'], status: true, counted: true, categories: ['all'] },
    { kind: 'Deployment', short: ['deploy'], status: true, counted: true, categories: ['all'] },
    { kind: 'ReplicaSet', short: ['rs'], status: true, counted: true, categories: ['all'] },
    { kind: 'StatefulSet', short: ['sts'], status: true, counted: true, categories: ['all'] },
  ],
  'batch/v1': [
    { kind: 'CronJob', short: ['cj'], status: true, counted: true, categories: ['all'] },
    { kind: 'Job', status: true, counted: true, categories: ['all'] },
  ],
  'autoscaling/v2': [{ kind: 'HorizontalPodAutoscaler', short: ['hpa'], status: true, categories: ['all'] }],
  'policy/v1': [{ kind: 'PodDisruptionBudget', short: ['pdb'], status: true, counted: true }],
  'networking.k8s.io/v1': [
    { kind: 'IngressClass', plural: 'ingressclasses', cluster: true, counted: true },
    { kind: 'Ingress', plural: 'ingresses', short: ['ing'], status: true, counted: true },
    { kind: 'NetworkPolicy', plural: 'networkpolicies', short: ['netpol'], counted: true },
  ],
  'rbac.authorization.k8s.io/v1': [
    { kind: 'ClusterRole', cluster: true },
    { kind: 'ClusterRoleBinding', cluster: true },
    { kind: 'Role' },
    { kind: 'RoleBinding' },
  ],
  'coordination.k8s.io/v1': [{ kind: 'Lease' }],
  'discovery.k8s.io/v1': [{ kind: 'EndpointSlice', counted: true }],
  'scheduling.k8s.io/v1': [{ kind: 'PriorityClass', plural: 'priorityclasses', short: ['pc'], cluster: true }],
  'storage.k8s.io/v1': [{ kind: 'StorageClass', plural: 'storageclasses', short: ['sc'], cluster: true }],
  'admissionregistration.k8s.io/v1': [
    { kind: 'MutatingWebhookConfiguration', cluster: true, counted: true },
    { kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies', cluster: true, status: true, counted: true },
    { kind: 'ValidatingAdmissionPolicyBinding', cluster: true, counted: true },
    { kind: 'ValidatingWebhookConfiguration', cluster: true, counted: true },
  ],
  'apiextensions.k8s.io/v1': [
    {
      kind: 'CustomResourceDefinition',
      short: ['crd', 'crds'],
      cluster: true,
      status: true,
      counted: true,
      categories: ['api-extensions'],
    },
  ],
  'authentication.k8s.io/v1': [
    { kind: 'SelfSubjectReview', cluster: true, virtual: true },
    { kind: 'TokenReview', cluster: true, virtual: true },
  ],
  'authorization.k8s.io/v1': [
    { kind: 'LocalSubjectAccessReview', virtual: true },
    { kind: 'SelfSubjectAccessReview', cluster: true, virtual: true },
    { kind: 'SelfSubjectRulesReview', cluster: true, virtual: true },
    { kind: 'SubjectAccessReview', cluster: true, virtual: true },
  ],
};

export const CRD_RESOURCE = 'customresourcedefinitions.apiextensions.k8s.io';

export const BUILTIN: readonly ResourceDefinition[] = Object.entries(ROWS).flatMap(([apiVersion, rows]) => {
  const { group, version } = parseApiVersion(apiVersion);
  return rows.map((row): ResourceDefinition => ({
    group,
    plural: row.plural ?? `${row.kind.toLowerCase()}s`,
    singular: row.kind.toLowerCase(),
    kind: row.kind,
    listKind: `${row.kind}List`,
    shortNames: row.short ?? [],
    categories: row.categories ?? [],
    namespaced: !row.cluster,
    versions: [{ name: version, status: row.status ?? false }],
    custom: false,
    counted: row.counted ?? false,
    virtual: row.virtual ?? false,
  }));
});
