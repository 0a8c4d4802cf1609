import { App, Chart, Testing } from 'cdk8s';
import { codeOf, compiled, describedCrd, imported, loaded, WIDGET } from './importing';
import { fragmentOf } from '../../../cli/import-crds/fragment';
import { Catalog } from '../../../src/catalog';
import { AsoRelease, ImportedKinds, OwnerGraph } from '../../../src/core';
import { runRules } from '../../../src/core/rules/run-rules';
import { ResourceGroup } from '../../../src/services/resources/resource-group';
import { StorageAccount, StorageAccountKind } from '../../../src/services/storage';

const catalog = Catalog.default();
const widgetFiles = codeOf(catalog, false, WIDGET);
const { widgets } = loaded(widgetFiles);

function chart(): Chart {
  return new Chart(new App(), 'chart', { namespace: 'team' });
}

const props = (rg: ResourceGroup) => ({ owner: rg, location: 'uksouth', azureName: 'my-widget' });

describe('a kind that is in no catalog', () => {
  test('synthesizes with owner, references, secrets, outputs', () => {
    const at = chart();
    const rg = new ResourceGroup(at, 'rg', { location: 'uksouth' });
    const storage = new StorageAccount(at, 'storage', {
      owner: rg,
      location: 'uksouth',
      kind: StorageAccountKind.STORAGE_V2,
      sku: { name: 'Standard_LRS' as never },
      azureName: 'account',
    });
    const widget = new widgets.Widget(at, 'widget', {
      ...props(rg),
      storageReference: storage,
      rules: [{ port: 80, scanInterval: 5 }],
      size: widgets.WidgetSize.LARGE,
    });
    expect(widget.outputs.endpoint.configMapName).toBe(`${widget.name}-outputs`);
    const manifest = Testing.synth(at).find(({ kind }) => kind === 'Widget');
    expect(manifest).toEqual({
      apiVersion: 'widgets.azure.com/v1api20240101',
      kind: 'Widget',
      metadata: { name: widget.name, namespace: 'team' },
      spec: {
        azureName: 'my-widget',
        location: 'uksouth',
        owner: { name: rg.name },
        size: 'large',
        storageReference: { group: 'storage.azure.com', kind: 'StorageAccount', name: storage.name },
        rules: [{ 'port': 80, 'scan-interval': 5 }],
        operatorSpec: { configMaps: { endpoint: { name: `${widget.name}-outputs`, key: 'endpoint' } } },
      },
    });
    expect(OwnerGraph.of(at.node.root as App).nodes.map(({ kind }) => kind)).toContain('Widget');
    expect(widgets.Widget.isWidget(widget)).toBe(true);
    expect(widgets.Widget.isWidget(storage)).toBe(false);
    expect(widgets.Widget.armIdFor(widget, '00000000-0000-0000-0000-000000000000')).toContain('/providers/Microsoft.Widgets/widgets/');
  });

  test.each([
    ['a wrong owner', { location: 'x', owner: () => widgets.Widget.fromName('other') }, /owner: a Widget cannot be owned by a Widget/],
    ['a value out of range', { location: 'x', rules: [{ port: 0 }] }, /rules\[0\]\.port/],
    ['a value that is none of the enum', { location: 'x', size: 'huge' }, /size: /],
    ['too many', { location: 'x', rules: [1, 2, 3, 4].map((port) => ({ port })) }, /rules: /],
    ['a missing property', { location: 'x', rules: [{}] }, /rules\[0\]\.port: is required/],
    ['a property that is not there', { location: 'x', sise: 'small' }, /sise: there is no such property/],
    ['a name that is too short', { location: 'x', azureName: 'ab' }, /azureName: .*at least 3/],
  ])('is checked: %s', (_, given: Record<string, any>, message) => {
    const at = chart();
    const rg = new ResourceGroup(at, 'rg', { location: 'uksouth' });
    new widgets.Widget(at, 'widget', { owner: rg, azureName: 'my-widget', ...given, ...(given.owner && { owner: given.owner() }) });
    expect(() => Testing.synth(at)).toThrow(message);
  });

  test('may be owned by name and by id', () => {
    expect(widgets.Widget.fromName('w').widgetRef).toEqual({ group: 'widgets.azure.com', kind: 'Widget', name: 'w' });
    const id = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg/providers/Microsoft.Widgets/widgets/w';
    expect(widgets.Widget.fromArmId(id).widgetRef).toEqual({ group: 'widgets.azure.com', kind: 'Widget', armId: id });
    expect(() => widgets.Widget.fromArmId(id.replace('Widgets/widgets', 'Other/others'))).toThrow(/not of a Microsoft.Widgets\/widgets/);
  });

  test('is written in its own version whatever the release', () => {
    const app = new App();
    AsoRelease.V2_5_0.applyTo(app);
    const at = new Chart(app, 'chart');
    const rg = new ResourceGroup(at, 'rg', { location: 'uksouth' });
    new widgets.Widget(at, 'widget', props(rg));
    expect(Testing.synth(at).map(({ apiVersion }) => apiVersion)).toContain('widgets.azure.com/v1api20240101');
    expect(at.node.findAll().flatMap((construct) => construct.node.validate())).toEqual([]);
  });

  test('is known to the rules of check', () => {
    const widget = (spec: object) => ({
      apiVersion: 'widgets.azure.com/v1api20240101',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'team' },
      spec,
    });
    const good = { owner: { name: 'rg' }, location: 'x', azureName: 'my-widget' };
    expect(runRules([widget(good)]).findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
    expect(runRules([widget({ ...good, size: 'huge' })]).findings.map(({ field }) => field)).toContain('spec.size');
  });

  test('compiles, and code that it does not allow does not', () => {
    const head = 'import { App, Chart } from \'cdk8s\';\nimport { resources, storage } from \'cdk8s-aso\';\nimport { widgets } from \'./index\';\nconst chart = new Chart(new App(), \'c\');\nconst owner = new resources.ResourceGroup(chart, \'rg\', { location: \'x\' });\n';
    const good = `${head}const account = storage.StorageAccount.fromName('a');\nexport const widget = new widgets.Widget(chart, 'w', { owner, location: 'x', storageReference: account, size: widgets.WidgetSize.SMALL });\n`;
    const bad = `${good}new widgets.Widget(chart, 'w2', { owner: account, location: 'x' });\n`;
    const found = compiled(widgetFiles, { 'good.ts': good, 'bad.ts': bad });
    expect(found).toEqual([expect.stringMatching(/^bad\.ts:8: .*resourceGroupRef/s)]);
  });
});

describe('a version of a kind that the library has', () => {
  const account = catalog.kind('storage.azure.com', 'StorageAccount')!;
  const crd = describedCrd(account);

  test('the imported class gives what the library\'s own gives', () => {
    const files = codeOf(new Catalog(`${__dirname}/../../../catalog`), true, crd);
    const own = loaded(files).storage;
    const manifests = [StorageAccount, own.StorageAccount].map((Class) => {
      const at = chart();
      const rg = new ResourceGroup(at, 'rg', { location: 'uksouth' });
      const made = new Class(at, 'account', {
        owner: rg,
        location: 'uksouth',
        azureName: 'account',
        kind: StorageAccountKind.STORAGE_V2,
        sku: { name: 'Standard_LRS' },
        tags: { a: 'b' },
        networkAcls: { defaultAction: 'Deny', ipRules: [{ value: '203.0.113.0/24' }], virtualNetworkRules: [{ reference: rg }] },
        operatorSpec: {
          secrets: { key1: { name: 's', key: 'k' } },
          configMapExpressions: [{ name: 'c', key: 'k', value: 'self.status.id' }],
        },
      });
      void made.outputs.blobEndpoint;
      void made.secretOutputs.key2;
      expect(at.node.findAll().flatMap((construct) => construct.node.validate())).toEqual([]);
      return Testing.synth(at);
    });
    expect(manifests[1]).toEqual(manifests[0]);
    expect(compiled(files)).toEqual([]);
  });

  test('no enum takes the name of what its file imports or exports', () => {
    const tricky = JSON.parse(JSON.stringify(crd));
    const { properties } = tricky.spec.versions[0].schema.openAPIV3Schema.properties.spec;
    for (const name of ['secretValue', 'storageAccountProps', 'storageAccountOutputs']) properties[name] = { type: 'string', enum: ['a', 'b'] };
    const files = codeOf(new Catalog(`${__dirname}/../../../catalog`), true, tricky);
    expect([...files.values()].join('').match(/export enum \w*(?:SecretValue|AccountProps|AccountOutputs) /g)).toHaveLength(3);
    expect(compiled(files)).toEqual([]);
  });

  test('a newer one is found beside the older ones, and the library\'s class keeps its own', () => {
    const newer = JSON.parse(JSON.stringify(crd));
    newer.spec.versions[0].name = 'v20990101';
    newer.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.shiny = { type: 'boolean' };
    ImportedKinds.register(JSON.stringify(fragmentOf(imported(catalog, false, newer).services)));
    const kind = Catalog.default().kind('storage.azure.com', 'StorageAccount')!;
    expect(kind.versionNames[0]).toBe('v20990101');
    expect(kind.versionNames).toContain('v1api20220901');
    expect(kind.latest.name).toBe(account.facts.latest);
    const at = chart();
    const given = {
      owner: new ResourceGroup(at, 'rg', { location: 'x' }),
      location: 'x',
      kind: StorageAccountKind.STORAGE_V2,
      sku: { name: 'Standard_LRS' as never },
    };
    new StorageAccount(at, 'old', { ...given, azureName: 'old' });
    new StorageAccount(at, 'new', { ...given, azureName: 'new', apiVersion: 'v20990101', ...{ shiny: true } });
    expect(at.node.findAll().flatMap((construct) => construct.node.validate())).toEqual([]);
    expect(Testing.synth(at).map(({ apiVersion }) => apiVersion)).toEqual(
      expect.arrayContaining(['storage.azure.com/v20990101', `storage.azure.com/${account.facts.latest}`]),
    );
  });
});

describe('registration', () => {
  test('the same twice is once; something else under the same version is refused', () => {
    const text = widgetFiles.get('catalog.json')!;
    expect(() => ImportedKinds.register(text)).not.toThrow();
    expect(() => ImportedKinds.register(text.replace('"maximum":65535', '"maximum":65536'))).toThrow(
      /Widget of widgets.azure.com was imported twice.*v1api20240101/,
    );
  });

  test.each([
    ['not JSON', 'x', /not a catalog fragment/],
    ['another thing', '{}', /not a catalog fragment/],
    ['a later format', '{"cdk8sAsoCatalog":2}', /format 2/],
    ['damaged', '{"cdk8sAsoCatalog":1,"services":[{}]}', /damaged/],
  ])('%s is refused', (_, text, message) => expect(() => ImportedKinds.register(text)).toThrow(message));
});
