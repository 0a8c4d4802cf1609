import { ApiObject, App, Chart, Testing } from 'cdk8s';
import {
  AsoHelmInstallation, CrdPattern, CrdsPolicy, DriftDetectionMode, FluxProvider, GitRepository, HelmRelease, HelmRepository, ImagePolicy,
  ImageRepository, Kustomization, KustomizationDeletionPolicy, SubstituteKind, TagOrder,
} from '../../src/gitops';
import { ResourceGroup } from '../../src/services/resources/resource-group';
import { StorageAccount } from '../../src/services/storage/storage-account';

const sourceRef = { kind: 'GitRepository', name: 'repo' };
const chartSource = { chart: 'ledger', sourceRef: { kind: 'HelmRepository', name: 'charts' } };

function specOf(make: (chart: Chart) => unknown): any {
  const chart = Testing.chart();
  make(chart);
  return Testing.synth(chart).at(-1);
}

describe('what is given stands in the object, and nothing else', () => {
  test('Kustomization', () => {
    expect(
      specOf((chart) => new Kustomization(chart, 'k', { metadata: { name: 'k', namespace: 'flux' }, interval: '5m', sourceRef })),
    ).toEqual({
      apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
      kind: 'Kustomization',
      metadata: { name: 'k', namespace: 'flux' },
      spec: { interval: '5m', sourceRef, prune: true },
    });
  });

  test('Kustomization with everything', () => {
    const props = {
      interval: '1h30m',
      retryInterval: '30s',
      timeout: '2m',
      sourceRef: { ...sourceRef, namespace: 'flux' },
      path: './teams',
      prune: false,
      deletionPolicy: KustomizationDeletionPolicy.ORPHAN,
      dependsOn: [{ name: 'infra', namespace: 'flux' }],
      wait: true,
      healthChecks: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'ledger', namespace: 'ledger' }],
      targetNamespace: 'ledger',
      serviceAccountName: 'deployer',
      force: true,
      suspend: true,
    };
    const { spec } = specOf((chart) => new Kustomization(chart, 'k', {
      ...props,
      postBuild: { substitute: { A: '1' }, substituteFrom: [{ name: 'a' }, { name: 'b', kind: SubstituteKind.SECRET, optional: true }] },
    }));
    expect(spec).toEqual({
      ...props,
      postBuild: {
        substitute: { A: '1' },
        substituteFrom: [
          { kind: 'ConfigMap', name: 'a' },
          { kind: 'Secret', name: 'b', optional: true },
        ],
      },
    });
  });

  test('HelmRelease', () => {
    const { spec } = specOf((chart) => new HelmRelease(chart, 'h', {
      interval: '5m',
      chart: chartSource,
      install: { crds: CrdsPolicy.CREATE, retries: 3, createNamespace: true },
      upgrade: { crds: CrdsPolicy.CREATE_REPLACE, retries: -1, cleanupOnFail: true },
      driftDetection: DriftDetectionMode.WARN,
      valuesFrom: [{ name: 'values' }],
      values: { a: { b: false } },
    }));
    expect(spec).toEqual({
      interval: '5m',
      chart: { spec: chartSource },
      install: { createNamespace: true, crds: 'Create', remediation: { retries: 3 } },
      upgrade: { crds: 'CreateReplace', cleanupOnFail: true, remediation: { retries: -1 } },
      driftDetection: { mode: 'warn' },
      valuesFrom: [{ kind: 'ConfigMap', name: 'values' }],
      values: { a: { b: false } },
    });
  });

  test('sources and images', () => {
    expect(
      specOf((chart) => new HelmRepository(chart, 'r', { url: 'oci://registry.azurecr.io/charts', provider: FluxProvider.AZURE })).spec,
    ).toEqual({ url: 'oci://registry.azurecr.io/charts', type: 'oci', provider: 'azure' });
    expect(
      specOf(
        (chart) =>
          new GitRepository(chart, 'r', {
            url: 'https://git.example/platform',
            interval: '1m',
            ref: { branch: 'main' },
            secretName: 'git',
          }),
      ).spec,
    ).toEqual({ url: 'https://git.example/platform', interval: '1m', ref: { branch: 'main' }, secretRef: { name: 'git' } });
    expect(
      specOf((chart) => new ImageRepository(chart, 'r', { image: 'registry.azurecr.io/image/ledger', interval: '1m', version: 'v1' })),
    ).toMatchObject({ apiVersion: 'image.toolkit.fluxcd.io/v1', spec: { image: 'registry.azurecr.io/image/ledger', interval: '1m' } });
    expect(
      specOf(
        (chart) =>
          new ImagePolicy(chart, 'p', {
            imageRepository: { name: 'ledger' },
            numerical: TagOrder.ASCENDING,
            filterTags: { pattern: '^main-(?P<n>.*)', extract: '$n' },
          }),
      ).spec,
    ).toEqual({
      imageRepositoryRef: { name: 'ledger' },
      policy: { numerical: { order: 'asc' } },
      filterTags: { pattern: '^main-(?P<n>.*)', extract: '$n' },
    });
  });

  test('references of constructs', () => {
    const chart = new Chart(new App(), 'c');
    const metadata = { name: 'x', namespace: 'flux' };
    expect(new GitRepository(chart, 'g', { metadata, url: 'https://git.example/x', interval: '1m' }).reference).toEqual({
      kind: 'GitRepository',
      ...metadata,
    });
    expect(new HelmRepository(chart, 'h', { metadata, url: 'https://charts.example' }).reference).toEqual({
      kind: 'HelmRepository',
      ...metadata,
    });
    expect(new Kustomization(chart, 'k', { metadata, interval: '1m', sourceRef }).dependency).toEqual(metadata);
    expect(new HelmRelease(chart, 'r', { metadata: { name: 'x' }, interval: '1m', chart: chartSource }).dependency).toEqual({ name: 'x' });
  });
});

describe('mistakes are named, all of them at once', () => {
  const kustomization = (wrong: object) => (chart: Chart) =>
    new Kustomization(chart, 'k', { metadata: { name: 'k' }, interval: '5m', sourceRef, ...wrong });
  const release = (wrong: object) => (chart: Chart) => new HelmRelease(chart, 'h', { interval: '5m', chart: chartSource, ...wrong });
  const git = (wrong: object) => (chart: Chart) =>
    new GitRepository(chart, 'g', { interval: '5m', url: 'https://git.example/x', ...wrong });
  const image = (wrong: object) => (chart: Chart) =>
    new ImageRepository(chart, 'i', { interval: '5m', image: 'registry/ledger', ...wrong });
  const policy = (wrong: object) => (chart: Chart) => new ImagePolicy(chart, 'p', { imageRepository: { name: 'x' }, ...wrong });
  const install = (wrong: object) => (chart: Chart) =>
    new AsoHelmInstallation(chart, 'a', {
      namespace: 'flux',
      version: '2.13.0',
      crdPattern: CrdPattern.fromGroups(['storage.azure.com']),
      ...wrong,
    });

  test.each<[string, (chart: Chart) => unknown]>([
    ['interval: required', kustomization({ interval: '' })],
    ['interval: \'5 minutes\' is no duration', kustomization({ interval: '5 minutes' })],
    ['timeout: ', kustomization({ timeout: '1d' })],
    ['sourceRef.kind: ', kustomization({ sourceRef: { kind: 'HelmRepository', name: 'x' } })],
    ['sourceRef: required', kustomization({ sourceRef: undefined })],
    ['path: ', kustomization({ path: '../other' })],
    ['dependsOn[0]: ', kustomization({ dependsOn: [{ name: 'k' }] })],
    ['healthChecks[0].kind: ', kustomization({ healthChecks: [{ apiVersion: 'v1', name: 'x', kind: '' }] })],
    ['postBuild.substitute.a-b: ', kustomization({ postBuild: { substitute: { 'a-b': 'x' } } })],
    ['postBuild.substitute.N: 5 is no text', kustomization({ postBuild: { substitute: { N: 5 } } })],
    ['postBuild.substituteFrom[0].name: ', kustomization({ postBuild: { substituteFrom: [{ name: 'A B' }] } })],
    ['targetNamespace: ', kustomization({ targetNamespace: 'A' })],
    ['chart: required', release({ chart: undefined })],
    ['chart: is given together with chartRef', release({ chartRef: { kind: 'OCIRepository', name: 'x' } })],
    ['chart.sourceRef.kind: ', release({ chart: { chart: 'x', sourceRef: { kind: 'HelmChart', name: 'x' } } })],
    ['chart.version: is empty', release({ chart: { ...chartSource, version: '' } })],
    ['releaseName: ', release({ releaseName: 'a'.repeat(54) })],
    ['url: ', git({ url: 'git@host:x' })],
    ['ref: says nothing', git({ ref: {} })],
    ['timeout: ', git({ timeout: '1h' })],
    ['image: \'registry/ledger:1\' has a tag', image({ image: 'registry/ledger:1' })],
    ['image: \'https://registry/ledger\' has a scheme', image({ image: 'https://registry/ledger' })],
    ['image: \'registry/Ledger\' has upper-case', image({ image: 'registry/Ledger' })],
    ['semver: nothing says', policy({})],
    ['semver: several things say', policy({ semver: '>=1.0.0', numerical: TagOrder.ASCENDING })],
    ['url: ', (chart) => new HelmRepository(chart, 'r', { url: 'charts' })],
    [
      'provider: counts for oci:// only',
      (chart) => new HelmRepository(chart, 'r', { url: 'https://charts', provider: FluxProvider.AZURE }),
    ],
    ['version: ', install({ version: '*' })],
    [
      'credential.clientId: ',
      install({
        credential: {
          tenantId: '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa',
          subscriptionId: '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa',
          clientId: '',
        },
      }),
    ],
  ])('%s', (message, make) => {
    expect(() => make(Testing.chart())).toThrow(message);
  });

  test('together, with the path of the construct', () => {
    const make = () => kustomization({ interval: 'x', timeout: 'y' })(Testing.chart());
    expect(make).toThrow(/^\[test\/k\] interval: .*\n {2}timeout: /);
  });
});

describe('the CRDs of Azure Service Operator', () => {
  test('follow the kinds in use, also those that come later', () => {
    const chart = Testing.chart();
    new AsoHelmInstallation(chart, 'aso', { namespace: 'flux', version: '2.13.0', crdPattern: CrdPattern.kindsIn(chart) });
    const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
    new StorageAccount(chart, 'account', {
      owner,
      azureName: 'ledgerdata',
      location: 'uksouth',
      kind: 'StorageV2' as never,
      sku: { name: 'Standard_LRS' as never },
    });
    new ApiObject(chart, 'other', { apiVersion: 'karpenter.azure.com/v1', kind: 'AKSNodeClass' });
    const { spec } = Testing.synth(chart).find(({ kind }) => kind === 'HelmRelease');
    expect(spec.values.crdPattern).toBe('resources.azure.com/ResourceGroup;storage.azure.com/StorageAccount');
  });

  test('a scope without resources is refused', () => {
    expect(() => CrdPattern.kindsIn(Testing.chart()).text).toThrow('there is no Azure resource');
  });

  test('without a credential, the chart gets empty ids; with one, those', () => {
    const values = (credential?: { tenantId: string; subscriptionId: string; clientId: string }) =>
      specOf(
        (chart) =>
          new AsoHelmInstallation(chart, 'a', {
            namespace: 'flux',
            version: '2.13.0',
            crdPattern: CrdPattern.of(['storage.azure.com/*']),
            ...(credential && { credential }),
          }),
      ).spec.values;
    const id = '7c1d6b0a-3a0b-4f57-9f38-52a1d6e0b9aa';
    expect(values()).toEqual({ azureTenantID: '', azureSubscriptionID: '', azureClientID: '', crdPattern: 'storage.azure.com/*' });
    expect(values({ tenantId: id, subscriptionId: id, clientId: id })).toMatchObject({ azureClientID: id, useWorkloadIdentityAuth: true });
  });
});
