/** An object of each kind that holds others, with what is found in it. The line of the field is the one that has the word HERE. */
export interface Example {
  readonly kind: string;
  readonly text: string;
  /** The inner object of Azure: `Kind namespace/name`. */
  readonly object: string;
  /** Its `spec.location`, from the holder. */
  readonly field: string;
  readonly isTemplate: boolean;
}

const indented = (text: string, spaces: number) => text.trimEnd().replace(/^(?=.)/gm, ' '.repeat(spaces));

const group = (name = 'rg', namespace = '') => [
  'apiVersion: resources.azure.com/v1api20200601',
  'kind: ResourceGroup',
  'metadata:',
  `  name: ${name}`,
  ...(namespace === '' ? [] : [`  namespace: ${namespace}`]),
  'spec:',
  '  location: HERE',
  '',
].join('\n');

const holder = (apiVersion: string, kind: string, rest: string, namespace = 'shop') => [
  `apiVersion: ${apiVersion}`, `kind: ${kind}`, 'metadata:', '  name: it', ...(namespace === '' ? [] : [`  namespace: ${namespace}`]), rest, '',
].join('\n');

const applied = (kind: string, apiVersion: string, field: string, rest: string, object = 'ResourceGroup shop/rg', namespace = 'shop'): Example =>
  ({ kind, text: holder(apiVersion, kind, rest, namespace), object, field: `${field}.spec.location`, isTemplate: false });

const template = (...columns: Parameters<typeof applied>): Example => ({ ...applied(...columns), isTemplate: true });

const list = (path: readonly string[], item: string) => `${path.map((key, index) => `${'  '.repeat(index)}${key}:`).join('\n')}\n${
  indented(item, 2).replace(/^ {2}/, '- ').replace(/^/gm, '  '.repeat(path.length - 1))}`;
const map = (path: readonly string[], value: string) => `${path.map((key, index) => `${'  '.repeat(index)}${key}:`).join('\n')}\n${indented(value, 2 * path.length)}`;
const block = (path: readonly string[], value: string) => `${path.map((key, index) => `${'  '.repeat(index)}${key}:`).join('\n')} |\n${
  indented(value, 2 * path.length)}`;

const CAPZ = 'infrastructure.cluster.x-k8s.io/v1beta1';
const ARGO = 'argoproj.io/v1alpha1';
const workflow = (path: readonly string[]) => `${list([...path, 'templates'], `name: group\nresource:\n  action: apply\n  manifest: |\n${indented(group(), 4)}`)}`;

export const EXAMPLES: readonly Example[] = [
  ...['AzureASOManagedCluster', 'AzureASOManagedControlPlane', 'AzureASOManagedMachinePool', 'AROCluster', 'AROMachinePool'].map((kind) => (
    // The namespace of the inner object does not count.
    applied(kind, CAPZ, 'spec.resources[0]', list(['spec', 'resources'], group('rg', 'other')))
  )),
  applied('AROControlPlane', 'controlplane.cluster.x-k8s.io/v1beta2', 'spec.resources[0]', list(['spec', 'resources'], group())),
  ...['AzureASOManagedClusterTemplate', 'AzureASOManagedControlPlaneTemplate', 'AzureASOManagedMachinePoolTemplate'].map((kind) => (
    template(kind, CAPZ, 'spec.template.spec.resources[0]', list(['spec', 'template', 'spec', 'resources'], group()))
  )),
  template(
    'ClusterClass', 'cluster.x-k8s.io/v1beta1', 'spec.patches[0].definitions[0].jsonPatches[0].valueFrom.template.resources[0]',
    list(['spec', 'patches'], list(['definitions'], list(['jsonPatches'], `op: replace\npath: /spec/template/spec\nvalueFrom:\n  template: |\n    version: v1.31.0\n${
      indented(list(['resources'], group('"{{ .builtin.cluster.name }}"')), 4)}`))), 'ResourceGroup shop/{{ .builtin.cluster.name }}',
  ),
  template(
    'ResourceGraphDefinition', 'kro.run/v1alpha1', 'spec.resources[1].template',
    list(['spec', 'resources'], 'id: old\nexternalRef: { apiVersion: resources.azure.com/v1api20200601, kind: ResourceGroup, metadata: { name: old } }')
    + `\n  - id: group\n    includeWhen: ["\${schema.spec.isNew}"]\n    template:\n${indented(group('${schema.spec.name}-rg'), 6)}`,
    'ResourceGroup ${schema.metadata.namespace}/${schema.spec.name}-rg', '',
  ),
  applied('Object', 'kubernetes.crossplane.io/v1alpha2', 'spec.forProvider.manifest', map(['spec', 'forProvider', 'manifest'], group().replace(/metadata:\n {2}name: rg\n/, '')), 'ResourceGroup it', ''),
  applied('Object', 'kubernetes.m.crossplane.io/v1alpha1', 'spec.forProvider.manifest', map(['spec', 'forProvider', 'manifest'], group('rg', 'other')), 'ResourceGroup other/rg'),
  template(
    'Composition', 'apiextensions.crossplane.io/v1', 'spec.pipeline[0].input.resources[0].base',
    list(['spec', 'pipeline'], `step: resources\nfunctionRef: { name: function-patch-and-transform }\ninput:\n  kind: Resources\n${
      indented(list(['resources'], `name: group\n${map(['base'], group())}`), 2)}`), 'ResourceGroup rg', '',
  ),
  template(
    'Composition', 'apiextensions.crossplane.io/v1', 'spec.resources[0].base.spec.forProvider.manifest',
    list(['spec', 'resources'], `name: group\nbase:\n  apiVersion: kubernetes.crossplane.io/v1alpha2\n  kind: Object\n${
      indented(map(['spec', 'forProvider', 'manifest'], group('rg', 'other')), 2)}`), 'ResourceGroup other/rg', '',
  ),
  template(
    'Composition', 'apiextensions.crossplane.io/v1', 'spec.pipeline[0].input.inline.template',
    list(['spec', 'pipeline'], `step: render\ninput:\n  inline:\n    template: |\n${indented(group('{{ .observed.composite.resource.metadata.name }}'), 6)}`),
    'ResourceGroup {{ .observed.composite.resource.metadata.name }}', '',
  ),
  ...['Workflow', 'WorkflowTemplate', 'ClusterWorkflowTemplate'].map((kind) => (
    template(kind, ARGO, 'spec.templates[0].resource.manifest', workflow(['spec']))
  )),
  template('CronWorkflow', ARGO, 'spec.workflowSpec.templates[0].resource.manifest', workflow(['spec', 'workflowSpec'])),
  template(
    'Sensor', ARGO, 'spec.triggers[0].template.k8s.source.resource',
    list(['spec', 'triggers'], map(['template', 'k8s', 'source', 'resource'], group())),
  ),
  applied(
    'Application', ARGO, 'spec.source.helm.valuesObject.extraObjects[0]',
    `${list(['spec', 'source', 'helm', 'valuesObject', 'extraObjects'], group())}\n  destination: { namespace: apps }`, 'ResourceGroup apps/rg',
  ),
  applied(
    'Application', ARGO, 'spec.sources[0].helm.values.extraManifests[0]',
    list(['spec', 'sources'], `helm:\n  values: |\n    replicas: 2\n${indented(list(['extraManifests'], group()), 4)}`),
  ),
  template(
    'ApplicationSet', ARGO, 'spec.template.spec.source.helm.valuesObject.extraDeploy[0]',
    list(['spec', 'template', 'spec', 'source', 'helm', 'valuesObject', 'extraDeploy'], `|\n${group()}`.replace(/\n/g, '\n    ').trimEnd()),
  ),
  applied('HelmRelease', 'helm.toolkit.fluxcd.io/v2', 'spec.values.extraObjects[0]', list(['spec', 'values', 'extraObjects'], group())),
  template('ResourceSet', 'fluxcd.controlplane.io/v1', 'spec.resources[0]', list(['spec', 'resources'], group('<< inputs.team >>-rg')), 'ResourceGroup shop/<< inputs.team >>-rg'),
  template('ResourceSet', 'fluxcd.controlplane.io/v1', 'spec.resourcesTemplate', block(['spec', 'resourcesTemplate'], `---\n${group('<< inputs.team >>-rg')}`), 'ResourceGroup shop/<< inputs.team >>-rg'),
  applied('HelmChart', 'helm.cattle.io/v1', 'spec.valuesContent.extraObjects[0]', block(['spec', 'valuesContent'], list(['extraObjects'], group()))),
  applied('HelmChartConfig', 'helm.cattle.io/v1', 'spec.valuesContent.extraObjects[0]', block(['spec', 'valuesContent'], list(['extraObjects'], group()))),
  applied('ManifestWork', 'work.open-cluster-management.io/v1', 'spec.workload.manifests[0]', list(['spec', 'workload', 'manifests'], group()), 'ResourceGroup rg'),
  applied(
    'ManifestWorkReplicaSet', 'work.open-cluster-management.io/v1alpha1', 'spec.manifestWorkTemplate.workload.manifests[0]',
    list(['spec', 'manifestWorkTemplate', 'workload', 'manifests'], group()), 'ResourceGroup rg',
  ),
  template(
    'Policy', 'policy.open-cluster-management.io/v1', 'spec.policy-templates[0].objectDefinition.spec.object-templates[0].objectDefinition',
    list(['spec', 'policy-templates'], `objectDefinition:\n${indented(holder('policy.open-cluster-management.io/v1', 'ConfigurationPolicy',
      list(['spec', 'object-templates'], `complianceType: musthave\n${map(['objectDefinition'], group())}`), ''), 2)}`), 'ResourceGroup rg',
  ),
  template(
    'ConfigurationPolicy', 'policy.open-cluster-management.io/v1', 'spec.object-templates[0].objectDefinition',
    list(['spec', 'object-templates'], `complianceType: musthave\n${map(['objectDefinition'], group())}`), 'ResourceGroup rg',
  ),
  applied('Work', 'work.karmada.io/v1alpha1', 'spec.workload.manifests[0]', list(['spec', 'workload', 'manifests'], group()), 'ResourceGroup rg'),
  ...['SyncSet', 'SelectorSyncSet'].map((kind) => (
    applied(kind, 'hive.openshift.io/v1', 'spec.resources[0]', list(['spec', 'resources'], group()), 'ResourceGroup rg')
  )),
  ...['template.openshift.io/v1', 'v1'].map((apiVersion) => (
    template('Template', apiVersion, 'objects[0]', list(['objects'], group('${NAME}')), 'ResourceGroup shop/${NAME}')
  )),
  ...['ClusterPolicy', 'Policy'].map((kind): Example => template(
    kind, 'kyverno.io/v1', 'spec.rules[0].generate.data',
    list(['spec', 'rules'], 'name: group\ngenerate:\n  apiVersion: resources.azure.com/v1api20200601\n  kind: ResourceGroup\n  name: rg\n'
      + '  namespace: "{{request.object.metadata.name}}"\n  data:\n    spec:\n      location: HERE'),
    'ResourceGroup {{request.object.metadata.name}}/rg',
  )),
  applied(
    'Application', 'core.oam.dev/v1beta1', 'spec.components[0].properties.objects[0]',
    list(['spec', 'components'], `name: group\ntype: k8s-objects\n${list(['properties', 'objects'], group())}`),
  ),
  template('TriggerTemplate', 'triggers.tekton.dev/v1beta1', 'spec.resourcetemplates[0]', list(['spec', 'resourcetemplates'], group('$(tt.params.team)-rg')), 'ResourceGroup shop/$(tt.params.team)-rg'),
];
