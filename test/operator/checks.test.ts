import { ApiObject, Chart, Duration, Testing } from 'cdk8s';
import { IDS, IMAGE, install, one } from './app';
import {
  BundledController, ControllerKinds, CrdInstallation, DriftDetection, GlobalCredential, OperatorMode,
  SyncPeriod, Webhooks, type BundledControllerProps,
} from '../../src/operator';

const SECRET_VALUE = 'do-not-show-me';

const mistakes: [what: string, props: Partial<BundledControllerProps>, said: string][] = [
  ['no tag', { image: 'registry.example.com/c' }, 'image: \'registry.example.com/c\' does not say which build runs'],
  ['latest', { image: 'registry.example.com:5000/c:latest' }, 'Add a tag (not latest) or a digest.'],
  ['no image', { image: '' }, 'image: \'\' is no image. Write it like registry.example.com/cdk8s-aso-controller:1.2.3.'],
  ['a namespace', { namespace: 'Azure' }, 'namespace: \'Azure\' is no name of a namespace.'],
  ['a service account', { serviceAccountName: 'a b' }, 'serviceAccountName: \'a b\' is no name of a service account.'],
  ['no pods', { replicas: 0 }, 'replicas: 0 is no number of pods. Write 1 or more.'],
  ['half a pod', { replicas: 1.5 }, 'replicas: 1.5 is no number of pods.'],
  ['a level', { verbosity: 4 }, 'verbosity: 4 is no level. Write 0, 1, 2 or 3.'],
  ['an open page', { metrics: { ui: true, secure: false } }, 'metrics.ui: the page shows all objects'],
  ['open profiles', { metrics: { profiling: true, secure: false } }, 'metrics.profiling: profiles hold what the process holds'],
  [
    'webhooks without webhooks',
    { mode: OperatorMode.WEBHOOKS, webhooks: Webhooks.none() },
    'webhooks: OperatorMode.WEBHOOKS does nothing but serve them.',
  ],
  [
    'watchers with webhooks',
    { mode: OperatorMode.WATCHERS, webhooks: Webhooks.ownCertificate() },
    'webhooks: OperatorMode.WATCHERS serves none.',
  ],
  [
    'watchers that install',
    { mode: OperatorMode.WATCHERS, crds: CrdInstallation.CONTROLLER },
    'crds: with OperatorMode.WATCHERS the controller installs none.',
  ],
  [
    'target namespaces of webhooks',
    { mode: OperatorMode.WEBHOOKS, settings: { targetNamespaces: ['a'] } },
    'settings.targetNamespaces: OperatorMode.WEBHOOKS watches no namespace.',
  ],
  ['a target namespace', { settings: { targetNamespaces: ['a,b'] } }, "settings.targetNamespaces: 'a,b' is no name of a namespace."],
  [
    'a target namespace twice',
    { settings: { targetNamespaces: ['a', 'a'] } },
    'settings.targetNamespaces: a namespace is named twice: a, a.',
  ],
  ['no reconciles', { settings: { maxConcurrentReconciles: 0 } }, 'settings.maxConcurrentReconciles: 0 is no number of reconciles.'],
  ['no rate', { settings: { rateLimit: { perSecond: 0 } } }, 'settings.rateLimit.perSecond: 0 would allow no reconcile.'],
  ['no bucket', { settings: { rateLimit: { bucketSize: 0 } } }, 'settings.rateLimit.bucketSize: 0 would allow no reconcile.'],
  [
    'no full reads',
    { settings: { fullReadPeriod: Duration.seconds(0) } },
    'settings.fullReadPeriod: 0 seconds is no period. Give whole seconds, at least one.',
  ],
  [
    'full reads each half second',
    { settings: { fullReadPeriod: Duration.millis(1500) } },
    'settings.fullReadPeriod: 1 second 500 millis is no period.',
  ],
  [
    'full reads of reads by themselves',
    { settings: { fullReadPeriod: Duration.hours(1), driftDetection: DriftDetection.INDIVIDUAL } },
    'settings.fullReadPeriod: with DriftDetection.INDIVIDUAL every sync reads each resource by itself.',
  ],
  [
    'a setting in the environment that the construct has a name for',
    { environment: { FULL_READ_PERIOD: '1h' } },
    'environment.FULL_READ_PERIOD: that is a setting. Write it in settings.',
  ],
  [
    'a client id',
    { settings: { credential: GlobalCredential.workloadIdentity({ ...IDS, clientId: 'x' }) } },
    "settings.credential.clientId: 'x' is no UUID.",
  ],
  [
    'the own Secret',
    { settings: { credential: GlobalCredential.fromSecret('aso-controller-settings') } },
    'settings.credential: the Secret aso-controller-settings is written by this construct.',
  ],
  ['a tenant', { settings: { additionalTenants: ['x'] } }, "settings.additionalTenants: 'x' is no UUID."],
  [
    'plain HTTP',
    { settings: { endpoints: { authorityHost: 'http://a', resourceManagerEndpoint: 'https://b', resourceManagerAudience: 'https://c' } } },
    "settings.endpoints.authorityHost: 'http://a' is no URL. Give it with https://.",
  ],
  [
    'a secret in the environment',
    { environment: { AZURE_CLIENT_SECRET: SECRET_VALUE } },
    'environment.AZURE_CLIENT_SECRET: a secret does not belong into a manifest.',
  ],
  [
    'a setting in the environment',
    { environment: { AZURE_SYNC_PERIOD: '1h' } },
    'environment.AZURE_SYNC_PERIOD: that is a setting. Write it in settings.',
  ],
  ['a port', { network: { apiServerPort: 70000 } }, 'network.apiServerPort: 70000 is no port.'],
  [
    'a kind',
    { kinds: ControllerKinds.of('StorageAcount') },
    "kinds: 'StorageAcount': there is no such kind. Did you mean 'StorageAccount'?",
  ],
  [
    'a kind of a group',
    { kinds: ControllerKinds.of('storage.azure.com/StorageAcount') },
    "the group has no such kind. Did you mean 'StorageAccount'?",
  ],
  [
    'a kind of several groups',
    { kinds: ControllerKinds.of('FlexibleServer') },
    'several groups have this kind. Give one of dbformysql.azure.com/FlexibleServer, dbforpostgresql.azure.com/FlexibleServer.',
  ],
  ['a group', { kinds: ControllerKinds.of('storrage.azure.com/*') }, "there is no such group. Did you mean 'storage'?"],
];

test.each(mistakes)('%s: said with its place and its cure', (_, props, said) => {
  let message = '';
  try {
    install(props).synth();
  } catch (error) {
    message = (error as Error).message;
  }
  expect(message).toContain('[controller/controller] ');
  expect(message).toContain(said);
  expect(message).not.toContain(SECRET_VALUE);
});

test('an app without Azure objects, and an empty period', () => {
  const chart = new Chart(Testing.app(), 'c');
  new BundledController(chart, 'controller', { image: IMAGE });
  expect(() => Testing.synth(chart)).toThrow('kinds: the app has no Azure object, so there is nothing to do.');
  expect(() => SyncPeriod.every(Duration.millis(10))).toThrow('SyncPeriod.never() turns it off');
});

test('kinds of the app: later objects, untyped ones, owners by name; groups of others do not count', () => {
  const { app, controller, synth } = install();
  const late = new Chart(app, 'late');
  new ApiObject(late, 'record', {
    apiVersion: 'network.azure.com/v1api20180501',
    kind: 'DnsZonesARecord',
    metadata: { name: 'a' },
    spec: { owner: { name: 'zone' } },
  });
  new ApiObject(late, 'other', { apiVersion: 'karpenter.azure.com/v1', kind: 'AKSNodeClass', metadata: { name: 'a' } });
  const crds = synth()
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ metadata }) => metadata.name);
  expect(controller.kindNames).toEqual([
    'network.azure.com/DnsZone',
    'network.azure.com/DnsZonesARecord',
    'resources.azure.com/ResourceGroup',
    'storage.azure.com/StorageAccount',
  ]);
  expect(crds).toEqual([
    'dnszones.network.azure.com',
    'dnszonesarecords.network.azure.com',
    'resourcegroups.resources.azure.com',
    'storageaccounts.storage.azure.com',
  ]);
  expect(synth().length).toBe(synth().length);
});

test('a version that a kind does not have; two versions without anybody who converts', () => {
  const wrong = install();
  new ApiObject(wrong.chart, 'old', { apiVersion: 'storage.azure.com/v1', kind: 'StorageAccount', metadata: { name: 'old' } });
  expect(() => wrong.synth()).toThrow(
    "kinds: 'controller/old' is written in storage.azure.com/v1, which StorageAccount does not have. Write one of v2025",
  );
  const two = (webhooks: Webhooks) => {
    const made = install({ webhooks });
    new ApiObject(made.chart, 'old', {
      apiVersion: 'storage.azure.com/v20230101',
      kind: 'StorageAccount',
      metadata: { name: 'old' },
      spec: {},
    });
    return made;
  };
  expect(() => two(Webhooks.none()).synth()).toThrow(
    'storage.azure.com/StorageAccount is used in the versions v20250601 and v20230101, and without webhooks nobody converts',
  );
  const crd = one(two(Webhooks.ownCertificate()).synth(), 'CustomResourceDefinition', 'storageaccounts.storage.azure.com');
  expect(crd.spec.versions.map(({ name }: { name: string }) => name)).toEqual(['v20250601', 'v20230101']);
  expect(crd.spec.conversion.strategy).toBe('Webhook');
});

test('two controllers of one chart', () => {
  const tenants = (a: string[], b: string[]) => {
    const { chart, synth } = install({ namespace: 'one', mode: OperatorMode.WATCHERS, settings: { targetNamespaces: a } });
    new BundledController(chart, 'other', {
      image: IMAGE,
      namespace: 'two',
      mode: OperatorMode.WATCHERS,
      settings: { targetNamespaces: b },
    });
    return synth;
  };
  expect(() => tenants(['a'], ['b'])()).not.toThrow();
  expect(() => tenants(['a', 'c'], ['b', 'c'])()).toThrow('watches c, too, and an object has one controller.');
  expect(() => tenants([], ['b'])()).toThrow('watches the same namespaces, too');
  const { chart, synth } = install();
  new BundledController(chart, 'other', { image: IMAGE });
  expect(synth).toThrow('is installed into azureserviceoperator-system, too');
});

test('whoever may edit gets no role assignments', () => {
  const manifests = install({ kinds: ControllerKinds.of('authorization.azure.com/*', 'ResourceGroup') }).synth();
  const groups = (role: string) =>
    one(manifests, 'ClusterRole', `azureserviceoperator-${role}`).rules.flatMap(({ apiGroups }: { apiGroups: string[] }) => apiGroups);
  expect([groups('view'), groups('edit'), groups('admin')]).toEqual([
    ['authorization.azure.com', 'resources.azure.com'],
    ['resources.azure.com'],
    ['authorization.azure.com'],
  ]);
});
