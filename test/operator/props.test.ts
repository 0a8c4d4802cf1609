import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, Size } from 'cdk8s';
import { Cpu, k8s } from 'cdk8s-plus-27';
import { container, IDS, install, one, type Manifest } from './app';
import { ReconcilePolicy } from '../../src/core';
import { SecretValue } from '../../src/core/secret-value';
import {
  ControllerKinds,
  CrdInstallation,
  DriftDetection,
  GlobalCredential,
  OperatorMode,
  SyncPeriod,
  SystemNodePool,
  Webhooks,
  WorkloadIdentityMode,
  type BundledControllerProps,
  type ControllerSettings,
} from '../../src/operator';

type Look = (manifests: Manifest[]) => unknown;
type Row = [field: string, props: Partial<BundledControllerProps>, look: Look, expected: unknown];

const pod: Look = (manifests) => one(manifests, 'Deployment').spec.template.spec;
const spec = (manifests: Manifest[]): any => one(manifests, 'Deployment').spec;
const names =
  (kind: string): Look =>
    (manifests) =>
      manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);
const args = (manifests: Manifest[]): string[] => container(manifests).args;
const hasArg =
  (arg: string): Look =>
    (manifests) =>
      args(manifests).includes(arg);
const environment =
  (name: string): Look =>
    (manifests) =>
      container(manifests).env.find((variable: { name: string }) => variable.name === name);
const setting =
  (name: string): Look =>
    (manifests) =>
      one(manifests, 'Secret').stringData[name];
const ingress = (manifests: Manifest[]): unknown => one(manifests, 'NetworkPolicy', 'azure-service-operator-allow-ingress').spec.ingress;
const egress = (manifests: Manifest[]): any => one(manifests, 'NetworkPolicy', 'azure-service-operator-allow-egress').spec.egress;
const managerRules = (manifests: Manifest[]): any[] => one(manifests, 'ClusterRole', 'azureserviceoperator-manager-role').rules;
const policiesOf = (mode: SystemNodePool): any => (pod(install({ systemNodePool: mode }).synth()) as any);

const rows: Row[] = [
  ['image', { image: 'r.example/c@sha256:' + 'a'.repeat(64) }, (m) => container(m).image, 'r.example/c@sha256:' + 'a'.repeat(64)],
  ['kinds', { kinds: ControllerKinds.of('ResourceGroup') }, names('CustomResourceDefinition'), ['resourcegroups.resources.azure.com']],
  ['namespace', { namespace: 'azure' }, (m) => one(m, 'Deployment').metadata.namespace, 'azure'],
  ['createNamespace', { createNamespace: false }, names('Namespace'), []],
  ['mode', { mode: OperatorMode.WATCHERS }, names('ValidatingWebhookConfiguration'), []],
  ['settings', { settings: { maxConcurrentReconciles: 2 } }, setting('MAX_CONCURRENT_RECONCILES'), '2'],
  [
    'credentialPropagation',
    { credentialPropagation: true },
    (m) =>
      managerRules(m)
        .filter(({ verbs }) => verbs.includes('delete'))
        .flatMap(({ resources }) => resources),
    ['configmaps', 'secrets'],
  ],
  ['webhooks', { webhooks: Webhooks.none() }, hasArg('--webhook-port=0'), true],
  ['crds', { crds: CrdInstallation.CONTROLLER }, hasArg('--crd-pattern=resources.azure.com/*;storage.azure.com/StorageAccount'), true],
  [
    'crdLabels',
    { crdLabels: { team: 'platform' } },
    (m) => m.find(({ kind }) => kind === 'CustomResourceDefinition')!.metadata.labels!.team,
    'platform',
  ],
  ['userRoles', { userRoles: false }, (m) => (names('ClusterRole')(m) as string[]).filter((name) => /-(view|edit|admin)$/.test(name)), []],
  [
    'ownerReferencesPermissionEnforcement',
    { ownerReferencesPermissionEnforcement: true },
    (m) =>
      managerRules(m)
        .filter(({ verbs }) => verbs.includes('delete'))
        .flatMap(({ resources }) => resources),
    ['resourcegroups', 'storageaccounts', 'configmaps', 'secrets'],
  ],
  ['replicas', { replicas: 3 }, (m) => spec(m).replicas, 3],
  ['shards', { shards: true }, (m) => container(m).args.includes('--shards=auto'), true],
  [
    'serviceAccountName',
    { serviceAccountName: 'me' },
    (m) => [(pod(m) as any).serviceAccountName, one(m, 'ServiceAccount').metadata.name, one(m, 'RoleBinding').subjects[0].name],
    ['me', 'me', 'me'],
  ],
  [
    'serviceAccountAnnotations',
    { serviceAccountAnnotations: { a: 'b' } },
    (m) => one(m, 'ServiceAccount').metadata.annotations,
    { a: 'b' },
  ],
  ['imagePullPolicy', { imagePullPolicy: 'Always' }, (m) => container(m).imagePullPolicy, 'Always'],
  ['imagePullSecrets', { imagePullSecrets: ['s'] }, (m) => (pod(m) as any).imagePullSecrets, [{ name: 's' }]],
  [
    'resources',
    { resources: { memoryLimit: Size.gibibytes(1) } },
    environment('NODE_OPTIONS'),
    { name: 'NODE_OPTIONS', value: '--max-old-space-size=768 --max-semi-space-size=4' },
  ],
  ['metrics', { metrics: { enabled: false } }, hasArg('--metrics-addr=0'), true],
  ['network', { network: { policies: false } }, names('NetworkPolicy'), []],
  ['verbosity', { verbosity: 0 }, hasArg('--verbose=0'), true],
  ['jsonLogging', { jsonLogging: true }, hasArg('--json-logging'), true],
  ['disruptionBudget', { disruptionBudget: false }, names('PodDisruptionBudget'), []],
  [
    'systemNodePool',
    { systemNodePool: SystemNodePool.REQUIRED },
    (m) => (pod(m) as any).nodeSelector['kubernetes.azure.com/mode'],
    'system',
  ],
  ['nodeSelector', { nodeSelector: { disk: 'ssd' } }, (m) => (pod(m) as any).nodeSelector, { 'kubernetes.io/os': 'linux', 'disk': 'ssd' }],
  [
    'tolerations',
    { tolerations: [{ key: 'a', operator: 'Exists' }] },
    (m) => (pod(m) as any).tolerations,
    [{ key: 'a', operator: 'Exists' }],
  ],
  ['affinity', { affinity: { podAffinity: {} } as k8s.Affinity }, (m) => (pod(m) as any).affinity !== undefined, true],
  [
    'priorityClassName',
    { priorityClassName: 'system-cluster-critical' },
    (m) => (pod(m) as any).priorityClassName,
    'system-cluster-critical',
  ],
  ['environment', { environment: { HTTPS_PROXY: 'http://p' } }, environment('HTTPS_PROXY'), { name: 'HTTPS_PROXY', value: 'http://p' }],
  ['labels', { labels: { cost: 'it' } }, (m) => spec(m).template.metadata.labels.cost, 'it'],
  ['podAnnotations', { podAnnotations: { a: 'b' } }, (m) => spec(m).template.metadata.annotations.a, 'b'],
  ['revisionHistoryLimit', { revisionHistoryLimit: 2 }, (m) => spec(m).revisionHistoryLimit, 2],

  ['resources.cpuRequest', { resources: { cpuRequest: Cpu.millis(50) } }, (m) => container(m).resources.requests.cpu, '50m'],
  ['resources.cpuLimit', { resources: { cpuLimit: Cpu.units(2) } }, (m) => container(m).resources.limits.cpu, '2'],
  [
    'resources.memoryRequest',
    { resources: { memoryRequest: Size.mebibytes(100) } },
    (m) => container(m).resources.requests.memory,
    '100Mi',
  ],
  ['resources.memoryLimit', { resources: { memoryLimit: Size.mebibytes(400) } }, (m) => container(m).resources.limits.memory, '400Mi'],
  ['metrics.enabled', { metrics: { enabled: false } }, names('Service'), ['azureserviceoperator-webhook-service']],
  [
    'metrics.secure',
    { metrics: { secure: false } },
    (m) => [hasArg('--secure-metrics=false')(m), managerRules(m).some(({ resources }) => resources.includes('tokenreviews'))],
    [true, false],
  ],
  ['metrics.profiling', { metrics: { profiling: true } }, hasArg('--profiling-metrics'), true],
  [
    'metrics.ui',
    { metrics: { ui: true } },
    (m) => [hasArg('--ui')(m), m.find(({ metadata }) => metadata.name === 'azureserviceoperator-ui-reader')?.rules],
    [true, [{ nonResourceURLs: ['/ui'], verbs: ['get'] }]],
  ],
  [
    'metrics.serviceMonitor',
    { metrics: { serviceMonitor: true } },
    (m) => m.filter(({ kind }) => kind === 'ServiceMonitor').map((monitor) => monitor.spec.endpoints[0].scheme),
    ['https'],
  ],
  ['network.policies', { network: { policies: false } }, names('NetworkPolicy'), []],
  ['network.apiServerPort', { network: { apiServerPort: 16443 } }, (m) => egress(m)[2].ports[0].port, 16443],
  ['network.apiServerCidr', { network: { apiServerCidr: '10.0.0.1/32' } }, (m) => egress(m)[2].to, [{ ipBlock: { cidr: '10.0.0.1/32' } }]],
  ['network.webhookClientCidrs', { network: { webhookClientCidrs: ['10.1.0.0/24'] } }, ingress, [
    { ports: [8081, 8443].map((port) => ({ protocol: 'TCP', port })) },
    { from: [{ ipBlock: { cidr: '10.1.0.0/24' } }], ports: [{ protocol: 'TCP', port: 9443 }] },
  ]],
];

const endpoints = {
  authorityHost: 'https://login.microsoftonline.us/',
  resourceManagerEndpoint: 'https://management.usgovcloudapi.net',
  resourceManagerAudience: 'https://management.core.usgovcloudapi.net',
};
const settings: [field: keyof ControllerSettings, settings: ControllerSettings, key: string, value: string][] = [
  ['credential', { credential: GlobalCredential.workloadIdentity(IDS) }, 'USE_WORKLOAD_IDENTITY_AUTH', 'true'],
  ['additionalTenants', { additionalTenants: [IDS.tenantId, IDS.clientId] }, 'AZURE_ADDITIONAL_TENANTS', `${IDS.tenantId},${IDS.clientId}`],
  ['endpoints', { endpoints }, 'AZURE_RESOURCE_MANAGER_ENDPOINT', endpoints.resourceManagerEndpoint],
  ['allowMultipleClouds', { allowMultipleClouds: true }, 'ALLOW_MULTI_ENV_MANAGEMENT', 'true'],
  ['targetNamespaces', { targetNamespaces: ['a', 'b'] }, 'AZURE_TARGET_NAMESPACES', 'a,b'],
  ['syncPeriod', { syncPeriod: SyncPeriod.every(Duration.minutes(90)) }, 'AZURE_SYNC_PERIOD', '5400s'],
  ['syncPeriod', { syncPeriod: SyncPeriod.never() }, 'AZURE_SYNC_PERIOD', 'never'],
  ['driftDetection', { driftDetection: DriftDetection.INDIVIDUAL }, 'DRIFT_DETECTION', 'individual'],
  ['driftDetection', { driftDetection: DriftDetection.BATCH }, 'DRIFT_DETECTION', 'batch'],
  ['fullReadPeriod', { fullReadPeriod: Duration.hours(12) }, 'FULL_READ_PERIOD', '43200s'],
  ['requestBudget', { requestBudget: false }, 'ARM_REQUEST_BUDGET', 'disabled'],
  ['requestBudget', { requestBudget: true }, 'ARM_REQUEST_BUDGET', 'enabled'],
  ['userAgentSuffix', { userAgentSuffix: 'mine' }, 'AZURE_USER_AGENT_SUFFIX', 'mine'],
  ['maxConcurrentReconciles', { maxConcurrentReconciles: 8 }, 'MAX_CONCURRENT_RECONCILES', '8'],
  ['rateLimit', { rateLimit: {} }, 'RATE_LIMIT_MODE', 'bucket'],
  ['rateLimit', { rateLimit: { perSecond: 0.5 } }, 'RATE_LIMIT_QPS', '0.5'],
  ['rateLimit', { rateLimit: { bucketSize: 7 } }, 'RATE_LIMIT_BUCKET_SIZE', '7'],
  ['defaultReconcilePolicy', { defaultReconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE }, 'DEFAULT_RECONCILE_POLICY', 'detach-on-delete'],
  ['workloadIdentityMode', { workloadIdentityMode: WorkloadIdentityMode.STRICT }, 'AZURE_WORKLOAD_IDENTITY_AUTH_MODE', 'strict'],
  ['protectCredentials', { protectCredentials: false }, 'PROTECT_CREDENTIALS', 'false'],
  ['databaseUsers', { databaseUsers: false }, 'DATABASE_USERS', 'disabled'],
];

const byDefault = install().synth();

test.each(rows)('%s has its effect', (_, props, look, expected) => {
  expect(look(install(props).synth())).toEqual(expected);
  if (expected !== undefined) expect(look(byDefault)).not.toEqual(expected);
});

test.each(settings)('settings.%s has its effect, and replaces the pods', (_, given, key, value) => {
  const manifests = install({ settings: given }).synth();
  expect(setting(key)(manifests)).toBe(value);
  expect(setting(key)(byDefault)).not.toBe(value);
  expect(environment(key)(manifests)).toEqual({
    name: key,
    valueFrom: { secretKeyRef: { name: 'aso-controller-settings', key, optional: true } },
  });
  expect(spec(manifests).template.metadata.annotations).not.toEqual(spec(byDefault).template.metadata.annotations);
});

test('there is a row for each field', () => {
  const fieldsOf = (file: string, name: string) => {
    const text = readFileSync(join(__dirname, '..', '..', 'src', 'operator', file), 'utf8');
    const body = new RegExp(`export interface ${name} \\{([\\s\\S]*?)\\n\\}`).exec(text)![1];
    return [...body!.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field]) => field);
  };
  const props = 'bundled-controller-props.ts';
  const all = [
    ...fieldsOf(props, 'BundledControllerProps'),
    ...fieldsOf(props, 'ControllerResources').map((field) => `resources.${field}`),
    ...fieldsOf(props, 'ControllerMetrics').map((field) => `metrics.${field}`),
    ...fieldsOf(props, 'ControllerNetwork').map((field) => `network.${field}`),
  ];
  expect(rows.map(([field]) => field)).toEqual(all);
  expect([...new Set(settings.map(([field]) => field))]).toEqual(fieldsOf('controller-settings.ts', 'ControllerSettings'));
});

test('secrets are named, and stand in no manifest', () => {
  const secret = SecretValue.fromSecret('principal', 'password');
  const manifests = install({ settings: { credential: GlobalCredential.clientSecret(IDS, secret) } }).synth();
  expect(environment('AZURE_CLIENT_SECRET')(manifests)).toEqual({
    name: 'AZURE_CLIENT_SECRET',
    valueFrom: { secretKeyRef: { name: 'principal', key: 'password' } },
  });
  const certificate = GlobalCredential.clientCertificate(IDS, SecretValue.fromSecret('c', 'pem'), SecretValue.fromSecret('c', 'pass'));
  const certified = install({ settings: { credential: certificate } }).synth();
  expect(environment('AZURE_CLIENT_CERTIFICATE')(certified)).toMatchObject({ valueFrom: { secretKeyRef: { name: 'c', key: 'pem' } } });
  expect(environment('AZURE_CLIENT_CERTIFICATE_PASSWORD')(certified)).toMatchObject({
    valueFrom: { secretKeyRef: { name: 'c', key: 'pass' } },
  });
  const given = install({ settings: { credential: GlobalCredential.fromSecret('from-vault') } }).synth();
  expect(environment('AZURE_CLIENT_SECRET')(given)).toMatchObject({
    valueFrom: { secretKeyRef: { name: 'from-vault', key: 'AZURE_CLIENT_SECRET', optional: true } },
  });
  expect(environment('AZURE_SYNC_PERIOD')(given)).toMatchObject({ valueFrom: { secretKeyRef: { name: 'aso-controller-settings' } } });
  const file = install({
    settings: { credential: GlobalCredential.identityFile(IDS, SecretValue.fromSecret('file', 'msi.json')) },
  }).synth();
  expect(setting('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS')(file)).toBe('/var/run/secrets/azure-identity-file/msi.json');
  expect(container(file).volumeMounts).toContainEqual({
    name: 'identity-file',
    mountPath: '/var/run/secrets/azure-identity-file',
    readOnly: true,
  });
});

test('system nodes: preferred, beside an affinity of one\'s own', () => {
  expect(policiesOf(SystemNodePool.PREFERRED).affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution).toHaveLength(1);
  expect(policiesOf(SystemNodePool.PREFERRED).tolerations).toEqual([{ key: 'CriticalAddonsOnly', operator: 'Exists' }]);
  expect(policiesOf(SystemNodePool.IGNORED).affinity).toBeUndefined();
});

test('database ports are open where there are users of databases', () => {
  const rulesOf = (given: Partial<BundledControllerProps>): { ports: { port: number }[] }[] => egress(install(given).synth());
  const ports = (given: Partial<BundledControllerProps>) => rulesOf(given).flatMap((rule) => rule.ports.map(({ port }) => port));
  const kinds = ControllerKinds.of('sql.azure.com/User', 'dbformysql.azure.com/User');
  expect(ports({ kinds })).toEqual([53, 53, 443, 6443, 3306, 1433]);
  expect(ports({ kinds, settings: { databaseUsers: false } })).toEqual([53, 53, 443, 6443]);
  expect(ports({ kinds: kinds.and(ControllerKinds.of('databases.aso.cdk8s.io/DatabaseAccess')) })).toEqual([53, 53, 443, 6443, 1433, 3306, 5432]);
});

describe('the versions that a CRD serves', () => {
  const listed = ControllerKinds.of('storage.azure.com/*');
  const servedBy = (given: Partial<BundledControllerProps>): string[] => {
    const crd = one(install({ crds: CrdInstallation.MANIFESTS, ...given }).synth(), 'CustomResourceDefinition', 'storageaccounts.storage.azure.com');
    return crd.spec.versions.map(({ name }: { name: string }) => name);
  };
  const ofApp = servedBy({ kinds: ControllerKinds.inApp() });
  const all = servedBy({ kinds: listed });

  test('are those of the objects in the app, or all of a kind that is listed', () => {
    expect(ofApp).toHaveLength(1);
    expect(all.length).toBeGreaterThan(3);
  });

  // A team's objects in another version than the app's were not served: the API server answered that it has no such kind.
  test('are all where a kind is listed and in the app, in either order', () => {
    expect(servedBy({ kinds: ControllerKinds.inApp().and(listed) })).toEqual(all);
    expect(servedBy({ kinds: listed.and(ControllerKinds.inApp()) })).toEqual(all);
    expect(servedBy({ kinds: ControllerKinds.inApp().and(ControllerKinds.all()) })).toEqual(all);
  });

  test('without webhooks, which would convert, are those in the app', () => {
    expect(servedBy({ kinds: ControllerKinds.inApp().and(listed), webhooks: Webhooks.none() })).toEqual(ofApp);
  });
});
