import { patchedBase } from './crossplane-patches';
import type { FoundInside, Holder } from './holder';
import { kroTemplate } from './kro-expressions';
import { generatedObject } from './kyverno-rule';
import { valueAt } from './value-at';

/** Values of charts that take whole objects, by the names that charts have for them. */
const CHART_VALUES: readonly string[] = [
  'extraObjects*', 'extraObjects*|', 'extraManifests*', 'extraManifests*|', 'extraDeploy*', 'extraDeploy*|', 'extraResources*',
  'extraResources*|', 'rawResources*', 'rawResources*.manifest', 'resources[]', 'manifests*', 'manifests*|', 'templates[]|',
];

function chartValues(...places: readonly string[]): string[] {
  return places.flatMap((place) => CHART_VALUES.map((value) => `${place}.${value}`));
}

const CAPZ = 'Cluster API Provider Azure';
/** CAPZ sets the reconcile policy itself, and cannot pause a cluster, or move it, whose objects have another one. */
const SETS_POLICY: readonly string[] = ['data-unprotected', 'owner-unprotected', 'no-delete'];
const CROSSPLANE = 'Crossplane';
const CAPZ_DOCUMENT = 'https://capz.sigs.k8s.io/managed/asomanagedcluster';

/** All holders. To add one, add a row: no other file knows a holder. */
export const HOLDERS: readonly Holder[] = [
  {
    by: CAPZ,
    group: 'infrastructure.cluster.x-k8s.io',
    kinds: ['AzureASOManagedCluster', 'AzureASOManagedControlPlane', 'AzureASOManagedMachinePool', 'AROCluster', 'AROMachinePool'],
    places: ['spec.resources[]'],
    namespace: 'of-holder',
    changes: {
      ManagedCluster: 'the version, the networks, the agent pools and the kubeconfig of its Cluster are added',
      ManagedClustersAgentPool: 'version and count of its MachinePool are added',
    },
    withoutRules: SETS_POLICY,
    evidence: CAPZ_DOCUMENT,
  },
  {
    by: CAPZ,
    group: 'controlplane.cluster.x-k8s.io',
    kinds: ['AROControlPlane'],
    places: ['spec.resources[]'],
    namespace: 'of-holder',
    withoutRules: SETS_POLICY,
    evidence: 'https://github.com/stolostron/cluster-api-provider-azure',
  },
  {
    by: CAPZ,
    group: 'infrastructure.cluster.x-k8s.io',
    kinds: ['AzureASOManagedClusterTemplate', 'AzureASOManagedControlPlaneTemplate', 'AzureASOManagedMachinePoolTemplate'],
    places: ['spec.template.spec.resources[]'],
    namespace: 'of-holder',
    isTemplate: true,
    isPatched: true,
    withoutRules: SETS_POLICY,
    evidence: CAPZ_DOCUMENT,
  },
  {
    by: 'Cluster API',
    group: 'cluster.x-k8s.io',
    kinds: ['ClusterClass'],
    places: ['template|', 'template|.resources[]', 'template|[]'].map((text) => `spec.patches[].definitions[].jsonPatches[].valueFrom.${text}`)
      .concat(['value', 'value.resources[]', 'value[]'].map((value) => `spec.patches[].definitions[].jsonPatches[].${value}`)),
    namespace: 'of-holder',
    isTemplate: true,
    isPatched: true,
    withoutRules: SETS_POLICY,
    evidence: 'https://cluster-api.sigs.k8s.io/tasks/experimental-features/cluster-class/write-clusterclass',
  },
  {
    by: 'kro',
    group: 'kro.run',
    kinds: ['ResourceGraphDefinition'],
    places: ['spec.resources[].template'],
    namespace: 'own',
    isTemplate: true,
    read: kroTemplate,
    evidence: 'https://kro.run/docs/concepts/rgd/resource-definitions/resource-basics',
  },
  ...['kubernetes.crossplane.io', 'kubernetes.m.crossplane.io'].map((group): Holder => ({
    by: CROSSPLANE,
    group,
    kinds: ['Object'],
    places: ['spec.forProvider.manifest'],
    namespace: 'own',
    isNamedByHolder: true,
    read: (found) => (isOnlyObserved(found) ? undefined : { value: found.value }),
    evidence: 'https://github.com/crossplane-contrib/provider-kubernetes',
  })),
  {
    by: CROSSPLANE,
    group: 'apiextensions.crossplane.io',
    kinds: ['Composition'],
    places: ['spec.resources[].base', 'spec.pipeline[].input.resources[].base'],
    namespace: 'own',
    isTemplate: true,
    isPatched: true,
    read: patchedBase,
    evidence: 'https://docs.crossplane.io/latest/composition/compositions/',
  },
  {
    by: CROSSPLANE,
    group: 'apiextensions.crossplane.io',
    kinds: ['Composition'],
    places: ['spec.pipeline[].input.inline.template|'],
    namespace: 'own',
    isTemplate: true,
    isPatched: true,
    evidence: 'https://github.com/crossplane-contrib/function-go-templating',
  },
  {
    by: 'Argo Workflows',
    group: 'argoproj.io',
    kinds: ['Workflow', 'WorkflowTemplate', 'ClusterWorkflowTemplate', 'CronWorkflow'],
    places: ['spec.templates[].resource.manifest|', 'spec.workflowSpec.templates[].resource.manifest|'],
    namespace: 'holder-by-default',
    isTemplate: true,
    read: (found) => (isApplied(found) ? { value: found.value } : undefined),
    evidence: 'https://argo-workflows.readthedocs.io/en/latest/walk-through/kubernetes-resources/',
  },
  {
    by: 'Argo Events',
    group: 'argoproj.io',
    kinds: ['Sensor'],
    places: ['spec.triggers[].template.k8s.source.resource'],
    namespace: 'holder-by-default',
    isTemplate: true,
    isPatched: true,
    evidence: 'https://argoproj.github.io/argo-events/sensors/triggers/k8s-object-trigger/',
  },
  {
    by: 'Argo CD',
    group: 'argoproj.io',
    kinds: ['Application'],
    places: chartValues('spec.source.helm.valuesObject', 'spec.source.helm.values|', 'spec.sources[].helm.valuesObject', 'spec.sources[].helm.values|'),
    namespace: 'holder-by-default',
    targetNamespace: 'destination.namespace',
    evidence: 'https://argo-cd.readthedocs.io/en/stable/user-guide/helm/',
  },
  {
    by: 'Argo CD',
    group: 'argoproj.io',
    kinds: ['ApplicationSet'],
    places: chartValues(
      'spec.template.spec.source.helm.valuesObject', 'spec.template.spec.source.helm.values|',
      'spec.template.spec.sources[].helm.valuesObject', 'spec.template.spec.sources[].helm.values|',
    ),
    namespace: 'holder-by-default',
    targetNamespace: 'template.spec.destination.namespace',
    isTemplate: true,
    evidence: 'https://argo-cd.readthedocs.io/en/stable/operator-manual/applicationset/',
  },
  {
    by: 'Flux',
    group: 'helm.toolkit.fluxcd.io',
    kinds: ['HelmRelease'],
    places: chartValues('spec.values'),
    namespace: 'holder-by-default',
    targetNamespace: 'targetNamespace',
    evidence: 'https://fluxcd.io/flux/components/helm/helmreleases/#inline-values',
  },
  {
    by: 'Flux Operator',
    group: 'fluxcd.controlplane.io',
    kinds: ['ResourceSet'],
    places: ['spec.resources[]', 'spec.resourcesTemplate|'],
    namespace: 'holder-by-default',
    isTemplate: true,
    evidence: 'https://fluxoperator.dev/docs/crd/resourceset/',
  },
  {
    by: 'the Helm controller of K3s',
    group: 'helm.cattle.io',
    kinds: ['HelmChart', 'HelmChartConfig'],
    places: chartValues('spec.valuesContent|'),
    namespace: 'holder-by-default',
    targetNamespace: 'targetNamespace',
    evidence: 'https://docs.k3s.io/helm',
  },
  {
    by: 'Open Cluster Management',
    group: 'work.open-cluster-management.io',
    kinds: ['ManifestWork', 'ManifestWorkReplicaSet'],
    places: ['spec.workload.manifests[]', 'spec.manifestWorkTemplate.workload.manifests[]'],
    namespace: 'own',
    evidence: 'https://open-cluster-management.io/docs/concepts/work-distribution/manifestwork/',
  },
  {
    by: 'Open Cluster Management',
    group: 'policy.open-cluster-management.io',
    kinds: ['Policy', 'ConfigurationPolicy'],
    places: ['spec.policy-templates[].objectDefinition', 'spec.object-templates[].objectDefinition'],
    namespace: 'own',
    isTemplate: true,
    isPatched: true,
    read: (found) => (isForbidden(found) ? undefined : { value: found.value }),
    evidence: 'https://open-cluster-management.io/docs/getting-started/integration/policy-controllers/configuration-policy/',
  },
  {
    by: 'Karmada',
    group: 'work.karmada.io',
    kinds: ['Work'],
    places: ['spec.workload.manifests[]'],
    namespace: 'own',
    evidence: 'https://karmada.io/docs/core-concepts/concepts',
  },
  {
    by: 'Hive',
    group: 'hive.openshift.io',
    kinds: ['SyncSet', 'SelectorSyncSet'],
    places: ['spec.resources[]'],
    namespace: 'own',
    evidence: 'https://pkg.go.dev/github.com/openshift/hive/apis/hive/v1#SyncSet',
  },
  ...['template.openshift.io', ''].map((group): Holder => ({
    by: 'OpenShift',
    group,
    kinds: ['Template'],
    places: ['objects[]'],
    namespace: 'holder-by-default',
    isTemplate: true,
    evidence: 'https://docs.openshift.com/container-platform/latest/openshift_images/using-templates.html',
  })),
  {
    by: 'Kyverno',
    group: 'kyverno.io',
    kinds: ['ClusterPolicy', 'Policy'],
    places: ['spec.rules[].generate', 'spec.rules[].generate.foreach[]'],
    namespace: 'own',
    isTemplate: true,
    read: generatedObject,
    evidence: 'https://kyverno.io/docs/policy-types/cluster-policy/generate/',
  },
  {
    by: 'KubeVela',
    group: 'core.oam.dev',
    kinds: ['Application'],
    places: ['spec.components[].properties.objects[]', 'spec.components[].properties'],
    namespace: 'holder-by-default',
    evidence: 'https://kubevela.io/docs/end-user/components/references/#k8s-objects',
  },
  {
    by: 'Tekton',
    group: 'triggers.tekton.dev',
    kinds: ['TriggerTemplate'],
    places: ['spec.resourcetemplates[]'],
    namespace: 'holder-by-default',
    isTemplate: true,
    evidence: 'https://tekton.dev/docs/triggers/triggertemplates/',
  },
];

/** Holders that are read by choice: most of their kind hold something else. */
export const HOLDERS_BY_CHOICE: readonly Holder[] = [
  {
    by: 'the reader of the ConfigMap',
    group: '',
    kinds: ['ConfigMap'],
    places: ['data{}|'],
    namespace: 'own',
    evidence: 'https://cluster-api.sigs.k8s.io/tasks/experimental-features/cluster-resource-set',
  },
];

const APPLYING: ReadonlySet<unknown> = new Set(['create', 'apply', 'replace']);

/** Steps of workflows get, patch and delete objects as well, by manifests that have no more than their names. */
function isApplied({ path, holder }: FoundInside): boolean {
  return APPLYING.has(valueAt(holder, [...path.slice(0, path.indexOf('resource') + 1), 'action']));
}

/** `Object`s that only read have no more than the name of their object. */
function isOnlyObserved({ holder }: FoundInside): boolean {
  const policies = valueAt(holder, ['spec', 'managementPolicies']);
  const isObserve = Array.isArray(policies) && policies.length > 0 && policies.every((policy) => policy === 'Observe');
  return isObserve || valueAt(holder, ['spec', 'managementPolicy']) === 'Observe';
}

function isForbidden({ path, holder }: FoundInside): boolean {
  return valueAt(holder, [...path.slice(0, -1), 'complianceType']) === 'mustnothave';
}
