/** A kind of Kubernetes itself. */
export interface KubernetesKind {
  readonly plural: string;
  readonly namespaced: boolean;
}

const NAMESPACED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    ConfigMap: 'configmaps',
    Endpoints: 'endpoints',
    LimitRange: 'limitranges',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    Pod: 'pods',
    PodTemplate: 'podtemplates',
    ReplicationController: 'replicationcontrollers',
    ResourceQuota: 'resourcequotas',
    Secret: 'secrets',
    Service: 'services',
    ServiceAccount: 'serviceaccounts',
  },
  'apps': { DaemonSet: 'daemonsets', Deployment: 'deployments', ReplicaSet: 'replicasets', StatefulSet: 'statefulsets' },
  'autoscaling': { HorizontalPodAutoscaler: 'horizontalpodautoscalers' },
  'batch': { CronJob: 'cronjobs', Job: 'jobs' },
  'coordination.k8s.io': { Lease: 'leases' },
  'discovery.k8s.io': { EndpointSlice: 'endpointslices' },
  'networking.k8s.io': { Ingress: 'ingresses', NetworkPolicy: 'networkpolicies' },
  'policy': { PodDisruptionBudget: 'poddisruptionbudgets' },
  'rbac.authorization.k8s.io': { Role: 'roles', RoleBinding: 'rolebindings' },
  'storage.k8s.io': { CSIStorageCapacity: 'csistoragecapacities' },
};

const CLUSTER_SCOPED: typeof NAMESPACED = {
  '': { Namespace: 'namespaces', PersistentVolume: 'persistentvolumes' },
  'admissionregistration.k8s.io': {
    MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
    ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
    ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
    ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  },
  'apiextensions.k8s.io': { CustomResourceDefinition: 'customresourcedefinitions' },
  'apiregistration.k8s.io': { APIService: 'apiservices' },
  'certificates.k8s.io': { CertificateSigningRequest: 'certificatesigningrequests' },
  'flowcontrol.apiserver.k8s.io': { FlowSchema: 'flowschemas', PriorityLevelConfiguration: 'prioritylevelconfigurations' },
  'networking.k8s.io': { IngressClass: 'ingressclasses' },
  'node.k8s.io': { RuntimeClass: 'runtimeclasses' },
  'rbac.authorization.k8s.io': { ClusterRole: 'clusterroles', ClusterRoleBinding: 'clusterrolebindings' },
  'scheduling.k8s.io': { PriorityClass: 'priorityclasses' },
  'storage.k8s.io': { CSIDriver: 'csidrivers', StorageClass: 'storageclasses', VolumeAttachment: 'volumeattachments' },
};

/** Kinds of Kubernetes itself that objects are created of, by `group/Kind`. */
export const KUBERNETES_KINDS: ReadonlyMap<string, KubernetesKind> =
  new Map([...rowsOf(NAMESPACED, true), ...rowsOf(CLUSTER_SCOPED, false)]);

function rowsOf(table: typeof NAMESPACED, namespaced: boolean): [string, KubernetesKind][] {
  return Object.entries(table).flatMap(([group, kinds]) =>
    Object.entries(kinds).map(([kind, plural]): [string, KubernetesKind] => [`${group}/${kind}`, { plural, namespaced }]));
}
