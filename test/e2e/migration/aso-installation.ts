import { hubOf } from './aso-conversion';
import type { AsoWebhooks } from './aso-webhooks';
import type { Kind } from '../../../src/catalog';
import { crdManifest, type CustomResourceDefinition } from '../../../src/catalog/crd';

export const NAMESPACE = 'azureserviceoperator-system';
export const ASO_RELEASE = 'v2.20.0';
const DEPLOYMENT = 'azureserviceoperator-controller-manager';
const WEBHOOK_SERVICE = 'azureserviceoperator-webhook-service';
const LABELS = { 'app.kubernetes.io/name': 'azure-service-operator', 'control-plane': 'controller-manager' };
const HELM = { 'meta.helm.sh/release-name': 'aso2', 'meta.helm.sh/release-namespace': NAMESPACE };

export const storageVersionOf = (kind: Kind): string => `${hubOf(kind)}storage`;

/** A CRD as ASO installs it: all API versions and a storage version for each, the hub's stored, conversion by webhook. */
export function asoCrd(kind: Kind, { port, caBundle }: Pick<AsoWebhooks, 'port' | 'caBundle'>): CustomResourceDefinition {
  const { metadata, spec, ...rest } = crdManifest(kind);
  const anything = { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;
  const versions = spec.versions.flatMap((version) => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } } as const;
    return [{ ...version, storage: false }, { ...version, name: `${version.name}storage`, storage: version.name === hubOf(kind), schema }];
  });
  const service = { namespace: NAMESPACE, name: WEBHOOK_SERVICE, path: '/convert', port };
  const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { service, caBundle } } } as const;
  return {
    ...rest,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, 'app.kubernetes.io/version': ASO_RELEASE },
      annotations: { 'cert-manager.io/inject-ca-from': `${NAMESPACE}/azureserviceoperator-serving-cert` },
    },
    spec: { ...spec, versions, conversion },
  };
}

/** The objects of ASO's chart that matter, as Helm has left them. */
export function asoInstallation({ port, caBundle }: Pick<AsoWebhooks, 'port' | 'caBundle'>, settings: Readonly<Record<string, string>>): object[] {
  const metadata = (name: string, inNamespace = true) => (
    { name, labels: LABELS, annotations: HELM, ...(inNamespace && { namespace: NAMESPACE }) });
  const pod = {
    serviceAccountName: 'azureserviceoperator-default',
    containers: [{
      name: 'manager',
      image: `mcr.microsoft.com/k8s/azureserviceoperator:${ASO_RELEASE}`,
      args: ['--enable-leader-election', '--webhook-port=9443'],
      env: [
        { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
        ...['AZURE_OPERATOR_MODE', 'AZURE_TARGET_NAMESPACES'].map((name) => (
          { name, valueFrom: { secretKeyRef: { name: 'aso-controller-settings', key: name, optional: true } } })),
      ],
    }],
  };
  const clientConfig = (path: string) => ({ service: { namespace: NAMESPACE, name: WEBHOOK_SERVICE, path, port }, caBundle });
  const rules = [{ apiGroups: ['*.azure.com', 'storage.azure.com', 'resources.azure.com'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] }];
  const webhook = (path: string) => [{ name: 'aso.azure.com', clientConfig: clientConfig(path), rules, failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'] }];
  const role = { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'azureserviceoperator-manager-role' };
  const subjects = [{ kind: 'ServiceAccount', name: 'azureserviceoperator-default', namespace: NAMESPACE }];
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata: metadata('aso-controller-settings'), stringData: settings },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'sh.helm.release.v1.aso2.v1', namespace: NAMESPACE, labels: { owner: 'helm', name: 'aso2' } }, type: 'helm.sh/release.v1', stringData: { release: 'H4sI' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'webhook-server-cert', namespace: NAMESPACE }, stringData: { 'tls.crt': 'of cert-manager', 'tls.key': 'of cert-manager' } },
    { apiVersion: 'v1', kind: 'Service', metadata: metadata(WEBHOOK_SERVICE), spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ name: 'webhooks', port }] } },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: metadata('azureserviceoperator-manager-role', false), ...role },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: metadata('azureserviceoperator-manager-rolebinding', false), roleRef, subjects },
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: metadata('azureserviceoperator-pdb'), spec: { minAvailable: '50%', selector: { matchLabels: LABELS } } },
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: metadata('azureserviceoperator-mutating-webhook-configuration', false), webhooks: webhook('/mutate') },
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: metadata('azureserviceoperator-validating-webhook-configuration', false), webhooks: webhook('/validate') },
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata(DEPLOYMENT), spec: { replicas: 2, strategy: { type: 'Recreate' }, selector: { matchLabels: { 'control-plane': 'controller-manager' } }, template: { metadata: { labels: LABELS }, spec: pod } } },
  ];
}
