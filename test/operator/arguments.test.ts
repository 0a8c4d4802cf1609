import { container, install } from './app';
import { matchingKinds } from '../../controller/crds/patterns';
import { readFlags, type Flags } from '../../controller/process/flags';
import { Catalog } from '../../src/catalog';
import { ControllerKinds, CrdInstallation, OperatorMode, Webhooks, type BundledControllerProps } from '../../src/operator';

const flagsOf = (props: Partial<BundledControllerProps>) => readFlags(container(install(props).synth()).args) as Flags;

test('the controller takes the arguments, and means by them the kinds that it has rights on', () => {
  const { kinds, enableLeaderElection, webhookPort, healthAddr, metricsAddr, secureMetrics, crdManagement } = flagsOf({});
  expect({ enableLeaderElection, webhookPort, healthAddr, metricsAddr, secureMetrics, crdManagement }).toEqual({
    enableLeaderElection: true, webhookPort: 9443, healthAddr: ':8081', metricsAddr: ':8443', secureMetrics: true, crdManagement: 'none',
  });
  expect(matchingKinds(kinds, Catalog.default().allKinds).map(({ crdName }) => crdName)).toEqual([
    'resourcegroups.resources.azure.com',
    'storageaccounts.storage.azure.com',
  ]);
  // A group is not written with a star: another release may have more kinds in it.
  expect(flagsOf({ kinds: ControllerKinds.of('storage.azure.com/*') }).kinds).not.toContain('*');
});

test('the pattern of CRDs, their labels, and the certificate directory arrive', () => {
  const flags = flagsOf({
    crds: CrdInstallation.CONTROLLER,
    crdLabels: { team: 'platform', env: 'prod' },
    webhooks: Webhooks.certManager(),
  });
  expect(flags).toMatchObject({
    crdManagement: 'auto',
    crdPattern: 'resources.azure.com/*;storage.azure.com/StorageAccount',
    crdLabels: 'team=platform,env=prod',
    webhookCertDir: '/tmp/k8s-webhook-server/serving-certs',
    metricsCertDir: '/tmp/k8s-metrics-server/serving-certs',
  });
});

test('who serves webhooks only elects nobody', () => {
  expect(flagsOf({ mode: OperatorMode.WEBHOOKS })).toMatchObject({ enableLeaderElection: false, kinds: '' });
});

test('all replicas reconcile with shards, and have the rights on their Leases in the namespace of the controller', () => {
  expect(flagsOf({})).toMatchObject({ shards: 1 });
  expect(flagsOf({ shards: true, replicas: 3 })).toMatchObject({ shards: 'auto', enableLeaderElection: true });
  const leases = (props: Partial<BundledControllerProps>) => install(props).synth()
    .filter(({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'azureserviceoperator-system')
    .flatMap(({ rules }) => rules as { resources: string[]; verbs: string[]; resourceNames?: string[] }[])
    .filter(({ resources }) => resources.includes('leases'))
    .map(({ verbs, resourceNames }) => [verbs.join(' '), resourceNames?.length ?? 0]);
  expect(leases({})).toEqual([['create', 0], ['get update', 1]]);
  expect(leases({ shards: true })).toEqual([['create', 0], ['get list update delete', 0]]);
});

test('a mistake in --kinds names that flag', () => {
  expect(() => matchingKinds('storage.azure.com/StorageAcount', Catalog.default().allKinds, '--kinds')).toThrow(
    '--kinds: 1 of 1 did not match',
  );
});
