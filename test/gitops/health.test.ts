import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Catalog } from '../../src/catalog/catalog';
import { ArgoCdConfig, ArgoHealth, CrdPattern, FluxHealth, Kustomization } from '../../src/gitops';
import { WAITING_REASONS } from '../../src/gitops/waiting-reasons';
import { ResourceGroup } from '../../src/services/resources/resource-group';
import { StorageAccount, StorageAccountKind } from '../../src/services/storage/storage-account';

function shop(): { app: App; chart: Chart } {
  const app = new App();
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  new StorageAccount(chart, 'data', { owner, azureName: 'shopdata', kind: StorageAccountKind.STORAGE_V2, location: 'uksouth', sku: { name: 'Standard_LRS' as never } });
  new ApiObject(chart, 'map', { apiVersion: 'v1', kind: 'ConfigMap' });
  new ApiObject(chart, 'nodes', { apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass' });
  return { app, chart };
}
const synthesized = (make: (chart: Chart) => unknown): any => {
  const chart = Testing.chart();
  make(chart);
  return Testing.synth(chart).at(-1);
};

describe('ArgoCdConfig', () => {
  test('is a part of argocd-cm, with the label that Argo CD looks for', () => {
    expect(synthesized((chart) => new ArgoCdConfig(chart, 'c'))).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'argocd-cm', namespace: 'argocd', labels: { 'app.kubernetes.io/part-of': 'argocd' } },
      data: { 'resource.customizations': expect.stringContaining('health.lua') },
    });
  });

  test('metadata of its own, beside the labels', () => {
    const { metadata } = synthesized((chart) => new ArgoCdConfig(chart, 'c', { metadata: { namespace: 'gitops', labels: { team: 'a' } } }));
    expect(metadata).toMatchObject({ name: 'argocd-cm', namespace: 'gitops', labels: { 'team': 'a', 'app.kubernetes.io/part-of': 'argocd' } });
  });

  test('kinds that are added to the app later are there too', () => {
    const { app, chart } = shop();
    const argo = new Chart(app, 'argo');
    new ArgoCdConfig(argo, 'c', { kinds: CrdPattern.kindsIn(chart) });
    new ResourceGroup(chart, 'later', { location: 'uksouth' });
    expect(Object.keys((Testing.synth(argo)[0] as any).data)).toEqual([
      'resource.customizations.health.resources.azure.com_ResourceGroup',
      'resource.customizations.health.storage.azure.com_StorageAccount',
      'resource.customizations.ignoreResourceUpdates.resources.azure.com_ResourceGroup',
      'resource.customizations.ignoreResourceUpdates.storage.azure.com_StorageAccount',
    ]);
  });

  test('all groups take a hundredth of what a ConfigMap may have, and the keys of all kinds fit too', () => {
    expect(JSON.stringify(ArgoHealth.settings()).length).toBeLessThan(10_000);
    const kinds = CrdPattern.of(Catalog.default().allKinds.map(({ group, kind }) => `${group}/${kind}`));
    expect(JSON.stringify(ArgoHealth.settings(kinds)).length).toBeLessThan(1_000_000);
  });

  test('keys of a ConfigMap have no asterisk, and a kind of a group that is there needs none', () => {
    const settings = ArgoHealth.settings(CrdPattern.of(['storage.azure.com/*', 'storage.azure.com/StorageAccount', 'sql.azure.com/Server']));
    expect(Object.keys(settings)).toEqual([
      'resource.customizations',
      'resource.customizations.health.sql.azure.com_Server',
      'resource.customizations.ignoreResourceUpdates.sql.azure.com_Server',
    ]);
    expect(settings['resource.customizations.ignoreResourceUpdates.sql.azure.com_Server'])
      .toContain('- /metadata/annotations/serviceoperator.azure.com~1poller-resume-token\n');
  });
});

test('each reason that waits is a name in Lua', () => expect(WAITING_REASONS.filter((reason) => !/^[A-Za-z]+$/.test(reason))).toEqual([]));

describe('FluxHealth', () => {
  test('has the kinds of Azure Service Operator in a scope, each once', () => {
    const { chart } = shop();
    new ResourceGroup(chart, 'second', { location: 'uksouth' });
    expect(FluxHealth.expressionsIn(chart).map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      expect.stringMatching(/^resources\.azure\.com\/v\w+ ResourceGroup$/), expect.stringMatching(/^storage\.azure\.com\/v\w+ StorageAccount$/),
    ]);
  });

  test('stands in the Kustomization', () => {
    const { chart } = shop();
    const healthCheckExprs = FluxHealth.expressionsIn(chart);
    const props = { interval: '5m', sourceRef: { kind: 'GitRepository', name: 'repo' } };
    expect(synthesized((flux) => new Kustomization(flux, 'k', { ...props, healthCheckExprs })).spec.healthCheckExprs).toEqual(healthCheckExprs);
    expect(synthesized((flux) => new Kustomization(flux, 'k', { ...props, healthCheckExprs: [] })).spec).not.toHaveProperty('healthCheckExprs');
    expect(() => new Kustomization(Testing.chart(), 'k', { ...props, healthCheckExprs: [{ ...healthCheckExprs[0]!, current: '' }] }))
      .toThrow(/k\] healthCheckExprs\[0\]\.current: required\. FluxHealth\.expressionsFor/);
  });
});
