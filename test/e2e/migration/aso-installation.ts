import { ASO_RELEASE } from './aso-crd';
import { DEPLOYMENT, NAMESPACE, SERVING_CERTIFICATE, WEBHOOK_SERVICE } from './aso-names';
import type { AsoWebhooks } from './aso-webhooks';
import type { Kind } from '../../../src/catalog';
import { webhookConfigurations } from '../../../src/catalog/webhook-configurations';

/**
 * The objects of ASO's chart with its default values, as Helm leaves them. Seen in `azure-service-operator-2.20.0.tgz` of ASO's chart
 * repository; `scripts/aso-stand-in.ts --chart` compares them with such a chart. What differs is the way to the webhooks: no network leads
 * from the API server of tests to a Service, so ports, the authority and the Service are those of this machine.
 */

const NAME = { 'app.kubernetes.io/name': 'azure-service-operator' };
const VERSION = { 'app.kubernetes.io/version': ASO_RELEASE };
const SELECTOR = { 'control-plane': 'controller-manager' };
const HELM = { 'meta.helm.sh/release-name': 'aso2', 'meta.helm.sh/release-namespace': NAMESPACE };
const MANAGED = { 'app.kubernetes.io/managed-by': 'Helm' };
export const SETTINGS_SECRET = 'aso-controller-settings';
export const SERVICE_ACCOUNT = 'azureserviceoperator-default';
const ISSUER = 'azureserviceoperator-selfsigned-issuer';
/** Environment variables of the container that are read from the Secret; the pod does not start without these. */
export const REQUIRED_SETTINGS = ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_SUBSCRIPTION_ID'];
const OPTIONAL_SETTINGS = [
  'AZURE_CLIENT_SECRET',
  'AZURE_ADDITIONAL_TENANTS',
  'AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'AZURE_AUTHORITY_HOST',
  'AZURE_RESOURCE_MANAGER_ENDPOINT',
  'AZURE_RESOURCE_MANAGER_AUDIENCE',
  'AZURE_TARGET_NAMESPACES',
  'AZURE_OPERATOR_MODE',
  'AZURE_SYNC_PERIOD',
  'USE_WORKLOAD_IDENTITY_AUTH',
  'AZURE_USER_AGENT_SUFFIX',
  'MAX_CONCURRENT_RECONCILES',
  'RATE_LIMIT_MODE',
  'RATE_LIMIT_QPS',
  'RATE_LIMIT_BUCKET_SIZE',
  'DEFAULT_RECONCILE_POLICY',
  'ALLOW_MULTI_ENV_MANAGEMENT',
];

export interface AsoInstallationOptions {
  /** Where the API server of a test finds the webhooks. */
  readonly webhooks: Pick<AsoWebhooks, 'port' | 'caBundle'>;
  /** Data of the Secret `aso-controller-settings`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The kinds of `crdPattern`: the chart has webhook configurations for all groups, and those of groups without CRDs are never called. */
  readonly kinds: readonly Kind[];
  /** Whether the chart has the objects of cert-manager; default true. */
  readonly certificates?: boolean;
}

/** The manifests of the chart, with the Secrets that cert-manager and Helm write beside them. */
export function asoInstallation({ webhooks, settings, kinds, certificates = true }: AsoInstallationOptions): object[] {
  return [
    ...asoChart({ webhooks, settings, kinds, certificates }),
    secret('webhook-server-cert', 'kubernetes.io/tls', { 'tls.crt': 'of cert-manager', 'tls.key': 'of cert-manager' }),
    secret('metrics-server-cert', 'kubernetes.io/tls', { 'tls.crt': 'of cert-manager', 'tls.key': 'of cert-manager' }),
    {
      ...secret('sh.helm.release.v1.aso2.v1', 'helm.sh/release.v1', { release: 'H4sI' }),
      metadata: { name: 'sh.helm.release.v1.aso2.v1', namespace: NAMESPACE, labels: { owner: 'helm', name: 'aso2', status: 'deployed', version: '1' } },
    },
  ];
}

function asoChart({ webhooks, settings, kinds, certificates = true }: AsoInstallationOptions): object[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(SERVICE_ACCOUNT, NAME) },
    { ...secret(SETTINGS_SECRET, 'Opaque', { ...Object.fromEntries(REQUIRED_SETTINGS.map((name) => [name, ''])), ...settings }), metadata: metadata(SETTINGS_SECRET) },
    ...roles(),
    { apiVersion: 'v1', kind: 'Service', metadata: metadata('azureserviceoperator-controller-manager-metrics-service', { ...NAME, ...VERSION, ...SELECTOR }), spec: { ports: [{ name: 'metrics', port: 8443 }], selector: SELECTOR } },
    { apiVersion: 'v1', kind: 'Service', metadata: metadata(WEBHOOK_SERVICE, { ...NAME, ...VERSION }), spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ name: 'webhooks', port: webhooks.port }] } },
    ...(certificates ? certificateObjects() : []),
    networkPolicy('azure-service-operator-allow-ingress', { ingress: [{}], policyTypes: ['Ingress'] }),
    networkPolicy('azure-service-operator-allow-egress', { egress: egress(), policyTypes: ['Egress'] }),
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: metadata('azureserviceoperator-pdb', { ...NAME, ...SELECTOR }), spec: { minAvailable: '50%', selector: { matchLabels: SELECTOR } } },
    deployment(),
    ...configurations(kinds, webhooks),
  ];
}

function metadata(name: string, labels: object = {}, inNamespace = true): object {
  return { name, labels: { ...labels, ...MANAGED }, annotations: HELM, ...(inNamespace && { namespace: NAMESPACE }) };
}

function secret(name: string, type: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: NAMESPACE }, type, stringData };
}

function roles(): object[] {
  const rbac = 'rbac.authorization.k8s.io';
  const subjects = [{ kind: 'ServiceAccount', name: SERVICE_ACCOUNT, namespace: NAMESPACE }];
  const all = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
  const crds = { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions', 'customresourcedefinitions/status'], verbs: all.filter((verb) => verb !== 'delete') };
  const reviews = [['authentication.k8s.io', 'tokenreviews'], ['authorization.k8s.io', 'subjectaccessreviews']].map(([group, plural]) => (
    { apiGroups: [group], resources: [plural], verbs: ['create'] }));
  const reader = { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['get', 'list', 'watch'] };
  const leader = ['configmaps', 'leases', 'events'].map((plural) => ({ apiGroups: [plural === 'leases' ? 'coordination.k8s.io' : ''], resources: [plural], verbs: plural === 'events' ? ['create'] : all }));
  const role = (name: string, rules: object[]) => ({ apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: metadata(`azureserviceoperator-${name}-role`, {}, false), rules });
  const binding = (name: string) => ({
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: metadata(`azureserviceoperator-${name}-rolebinding`, {}, false),
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: `azureserviceoperator-${name}-role` },
    subjects,
  });
  return [
    role('crd-manager', [crds, ...reviews]),
    role('crd-reader', [reader]),
    role('manager', [{ apiGroups: ['*'], resources: ['*'], verbs: all }]),
    binding('crd-manager'),
    binding('crd-reader'),
    binding('manager'),
    { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: metadata('azureserviceoperator-leader-election-role'), rules: leader },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: metadata('azureserviceoperator-leader-election-rolebinding'),
      roleRef: { apiGroup: rbac, kind: 'Role', name: 'azureserviceoperator-leader-election-role' },
      subjects,
    },
  ];
}

function certificateObjects(): object[] {
  const api = 'cert-manager.io/v1';
  const certificate = (name: string, secretName: string, service: string) => ({
    apiVersion: api,
    kind: 'Certificate',
    metadata: metadata(name),
    spec: {
      dnsNames: [`${service}.${NAMESPACE}.svc`, `${service}.${NAMESPACE}.svc.cluster.local`],
      issuerRef: { kind: 'Issuer', name: ISSUER },
      secretName,
      subject: { organizations: ['azure'] },
    },
  });
  return [
    certificate(SERVING_CERTIFICATE, 'webhook-server-cert', WEBHOOK_SERVICE),
    certificate('azureserviceoperator-metrics-server-cert', 'metrics-server-cert', 'azureserviceoperator-controller-manager-metrics-service'),
    { apiVersion: api, kind: 'Issuer', metadata: metadata(ISSUER), spec: { selfSigned: {} } },
  ];
}

function networkPolicy(name: string, spec: object): object {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: metadata(name), spec: { podSelector: { matchLabels: SELECTOR }, ...spec } };
}

function egress(): object[] {
  const anywhere = [{ ipBlock: { cidr: '0.0.0.0/0' } }];
  const tcp = (port: number) => ({ port, protocol: 'TCP' });
  return [{ ports: [{ port: 53, protocol: 'UDP' }, tcp(53)] }, { ports: [tcp(443)] }, ...[6443, 3306, 5432, 1433].map((port) => ({ ports: [tcp(port)], to: anywhere }))];
}

function deployment(): object {
  const probe = (path: string) => ({ httpGet: { path, port: 8081 } });
  const setting = (key: string, optional: boolean) => (
    { name: key, valueFrom: { secretKeyRef: { name: SETTINGS_SECRET, key, ...(optional && { optional }) } } });
  const container = {
    name: 'manager',
    image: `mcr.microsoft.com/k8s/azureserviceoperator:${ASO_RELEASE}`,
    imagePullPolicy: 'Always',
    args: [
      '--metrics-addr=0.0.0.0:8443', '--secure-metrics=true', '--profiling-metrics=false', '--metrics-cert-dir=/tmp/k8s-metrics-server/serving-certs',
      '--health-addr=:8081', '--enable-leader-election', '--v=2', '--crd-pattern=', '--webhook-port=9443', '--webhook-cert-dir=/tmp/k8s-webhook-server/serving-certs',
    ],
    env: [
      { name: 'GOMEMLIMIT', value: '400MiB' },
      ...REQUIRED_SETTINGS.map((name) => setting(name, false)),
      ...OPTIONAL_SETTINGS.map((name) => setting(name, true)),
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    startupProbe: { ...probe('/healthz'), periodSeconds: 10, failureThreshold: 12 },
    ports: [[9443, 'webhook-server'], [8081, 'health-port'], [8443, 'metrics-port']].map(([containerPort, name]) => ({ containerPort, name, protocol: 'TCP' })),
    resources: { limits: { cpu: '500m', memory: '512Mi' }, requests: { cpu: '200m', memory: '256Mi' } },
    securityContext: { runAsUser: 65532, runAsGroup: 65532, runAsNonRoot: true, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    volumeMounts: [
      { mountPath: '/var/run/secrets/tokens', name: 'azure-identity', readOnly: true },
      { mountPath: '/tmp/k8s-webhook-server/serving-certs', name: 'cert', readOnly: true },
      { mountPath: '/tmp/k8s-metrics-server/serving-certs', name: 'metrics-cert', readOnly: true },
    ],
  };
  const certificate = (name: string, secretName: string) => ({ name, secret: { defaultMode: 420, secretName } });
  const serviceAccountToken = { audience: 'api://AzureADTokenExchange', expirationSeconds: 3600, path: 'azure-identity' };
  const volumes = [
    certificate('cert', 'webhook-server-cert'),
    certificate('metrics-cert', 'metrics-server-cert'),
    { name: 'azure-identity', projected: { defaultMode: 420, sources: [{ serviceAccountToken }] } },
  ];
  const labels = { ...NAME, ...VERSION, ...SELECTOR };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata(DEPLOYMENT, labels),
    spec: {
      replicas: 2,
      revisionHistoryLimit: 10,
      selector: { matchLabels: SELECTOR },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels, annotations: { 'kubectl.kubernetes.io/default-container': 'manager' } },
        spec: {
          containers: [container],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          serviceAccountName: SERVICE_ACCOUNT,
          terminationGracePeriodSeconds: 10,
          volumes,
        },
      },
    },
  };
}

/** A configuration of each purpose for each group, with an entry for each version that is no storage version. */
function configurations(kinds: readonly Kind[], { port, caBundle }: AsoInstallationOptions['webhooks']): object[] {
  return webhookConfigurations(kinds, { namespace: NAMESPACE, caBundle, certManager: true }).map(({ webhooks, ...configuration }) => ({
    ...configuration,
    metadata: { ...configuration.metadata, labels: MANAGED, annotations: { ...configuration.metadata.annotations, ...HELM } },
    webhooks: webhooks.map(({ clientConfig, ...webhook }) => (
      { ...webhook, clientConfig: { ...clientConfig, service: { ...clientConfig.service, port } } })),
  }));
}
