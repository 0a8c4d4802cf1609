import { App, Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import {
  account,
  BlobService,
  chart,
  findings,
  GROUP_ID,
  group,
  identity,
  PostgresAdministrator,
  PostgresServer,
  ResourceGroup,
  RoleAssignment,
  SUBSCRIPTION,
  synth,
} from './kinds';
import {
  AsoAuthentication,
  AsoCredential,
  AzureReference,
  AzureResource,
  BuiltInRole,
  ConfigMapValue,
  CredentialReference,
  ReconcilePolicy,
} from '../../src/core';

describe('an Azure resource', () => {
  test('is a plain object of the operator', () => {
    const scope = chart();
    account(scope, 'fine', group(scope), { tags: { team: 'a' } });
    expect(synth(scope)).toEqual([
      {
        apiVersion: 'resources.azure.com/v1api20200601',
        kind: 'ResourceGroup',
        metadata: { name: 'rg', namespace: 'platform' },
        spec: { azureName: 'rg', location: 'uksouth' },
      },
      {
        apiVersion: 'storage.azure.com/v20250601',
        kind: 'StorageAccount',
        metadata: { name: 'fine', namespace: 'platform' },
        spec: {
          azureName: 'fine',
          kind: 'StorageV2',
          location: 'uksouth',
          owner: { name: 'rg' },
          sku: { name: 'Standard_LRS' },
          tags: { team: 'a' },
        },
      },
    ]);
  });

  test('has its own Azure name where one is given, none where the name is fixed', () => {
    const scope = chart();
    const storage = account(scope, 'sa1', group(scope, 'rg', { azureName: 'Group-1' }));
    new BlobService(scope, 'blob', { owner: storage });
    const [rg, sa, blob] = synth(scope);
    expect([rg.spec.azureName, sa.spec.azureName, blob.spec.azureName]).toEqual(['Group-1', 'sa1', undefined]);
  });

  test('leaves the UUID of a role assignment to the controller', () => {
    const scope = chart();
    const assignment = new RoleAssignment(scope, 'role', {
      owner: group(scope),
      principalId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
      roleDefinitionReference: BuiltInRole.CONTRIBUTOR,
    });
    expect(assignment.azureName).toBeUndefined();
    expect(synth(scope)[1].spec).toEqual({
      owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
      principalId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
      roleDefinitionReference: { armId: '/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c' },
    });
  });

  test('leaves out the Azure name that comes from a ConfigMap', () => {
    const scope = chart();
    const server = new PostgresServer(scope, 'server', { owner: group(scope), location: 'uksouth', administratorLogin: 'shopadmin' });
    new PostgresAdministrator(scope, 'admin', { owner: server, azureNameFromConfig: ConfigMapValue.fromConfigMap('ids', 'object') });
    expect(synth(scope)[2].spec).toEqual({ owner: { name: 'server' }, azureNameFromConfig: { name: 'ids', key: 'object' } });
  });

  test('carries policy and credential as annotations, next to the user\'s own', () => {
    const scope = chart();
    const credential = new AsoCredential(scope, 'special', {
      metadata: { name: 'special' },
      subscriptionId: SUBSCRIPTION,
      tenantId: SUBSCRIPTION,
      authentication: AsoAuthentication.workloadIdentity(SUBSCRIPTION),
    });
    group(scope, 'rg', {
      metadata: { name: 'rg', annotations: { note: 'x' } },
      reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE,
      credential: credential.reference,
    });
    group(scope, 'rg2', { credential: CredentialReference.fromSecretName('other') });
    const [, rg, rg2] = synth(scope);
    expect(rg.metadata.annotations).toEqual({
      'note': 'x',
      'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete',
      'serviceoperator.azure.com/credential-from': 'special',
    });
    expect(rg2.metadata.annotations).toEqual({ 'serviceoperator.azure.com/credential-from': 'other' });
  });

  test('takes tokens, JSON patches and outputs asked for late', () => {
    const scope = chart();
    const id = identity(scope, 'app-id', group(scope), { location: Lazy.any({ produce: () => 'ukwest' }) });
    id.addJsonPatch(JsonPatch.add('/metadata/labels', { a: 'b' }));
    expect(id.azureName).toBe('app-id');
    id.output('clientId');
    const [, manifest] = synth(scope);
    expect(manifest.metadata.labels).toEqual({ a: 'b' });
    expect(manifest.spec).toMatchObject({
      location: 'ukwest',
      operatorSpec: { configMaps: { clientId: { name: 'app-id-outputs', key: 'clientId' } } },
    });
  });

  test('a token\'s value is looked at anew by every synth', () => {
    const scope = chart();
    let location = 'uksouth';
    group(scope, 'rg', { location: Lazy.any({ produce: () => location }) });
    expect(synth(scope)[0].spec.location).toBe('uksouth');
    location = 'ukwest';
    expect(synth(scope)[0].spec.location).toBe('ukwest');
  });

  test('knows its owner and how others refer to it', () => {
    const scope = chart();
    const rg = group(scope);
    const storage = account(scope, 'sa1', rg);
    expect(rg.owner).toBeUndefined();
    expect(storage.owner).toMatchObject({ kind: 'ResourceGroup', name: 'rg' });
    expect(storage.azureResourceRef).toEqual({ group: 'storage.azure.com', kind: 'StorageAccount', name: 'sa1', construct: storage });
  });

  test('without any props, as JavaScript may have it, is told what is missing', () => {
    const scope = chart();
    class Bare extends AzureResource {
      public constructor() {
        super(scope, 'bare', { group: 'resources.azure.com', kind: 'ResourceGroup', version: 'v1api20200601' }, undefined!);
      }
    }
    new Bare();
    expect(findings(scope)).toEqual(['[chart/bare] ResourceGroup location: is required, but missing.']);
  });

  test('of a version that the catalog does not have says which there are', () => {
    class Odd extends ResourceGroup {}
    const scope = chart();
    const odd = new Odd(scope, 'odd', {});
    Object.assign(odd, { kindFacts: { group: 'resources.azure.com', kind: 'ResourceGroup', version: 'v9' } });
    expect(() => odd.azureName).toThrow('The catalog has no ResourceGroup of resources.azure.com in version v9. It has: v1api20200601.');
  });
});

describe('the order of objects', () => {
  test('owners come first, however the constructs were made', () => {
    const scope = chart();
    account(scope, 'sa1', ResourceGroup.named('rg'));
    group(scope);
    const kinds = () => synth(scope).map((manifest) => manifest.kind);
    expect(kinds()).toEqual(['ResourceGroup', 'StorageAccount']);
  });

  test('references and exporters come first too', () => {
    const scope = chart();
    const rg = group(scope);
    const id = identity(
      scope,
      'app-id',
      AzureReference.fromTypedArmId(GROUP_ID, 'Microsoft.Resources/resourceGroups', 'resources.azure.com', 'ResourceGroup'),
    );
    new RoleAssignment(scope, 'a', {
      owner: rg,
      principalIdFromConfig: id.output('principalId'),
      roleDefinitionReference: BuiltInRole.READER,
    });
    account(scope, 'bbb', rg, { identity: { type: 'UserAssigned', userAssignedIdentities: [{ reference: id }] } });
    const order = synth(scope).map((manifest) => manifest.metadata.name);
    expect(order.indexOf('app-id')).toBeLessThan(order.indexOf('a'));
    expect(order.indexOf('app-id')).toBeLessThan(order.indexOf('bbb'));
    expect(synth(scope).find((manifest) => manifest.metadata.name === 'bbb').spec.identity).toEqual({
      type: 'UserAssigned',
      userAssignedIdentities: [{ reference: { group: 'managedidentity.azure.com', kind: 'UserAssignedIdentity', name: 'app-id' } }],
    });
  });

  test('a chart whose resources are owned by another chart\'s comes after it', () => {
    const app: App = Testing.app();
    const [late, early] = [chart('platform', 'late', app), chart('platform', 'early', app)];
    account(late, 'sa1', group(early));
    expect(app.charts).toEqual([late, early]);
    synth(late);
    expect(app.charts).toEqual([early, late]);
    expect(findings(late)).toEqual([]);
  });

  test('charts that need each other, or lie in each other, are still emitted', () => {
    const app: App = Testing.app();
    const [one, two] = [chart('platform', 'one', app), chart('platform', 'two', app)];
    const rg = group(one);
    account(two, 'sa1', rg);
    account(one, 'sa2', group(two, 'rg2'));
    const inner = new Chart(one, 'inner', { namespace: 'platform', disableResourceNameHashes: true });
    account(inner, 'sa3', rg);
    expect(() => app.synthYaml()).not.toThrow();
    expect(app.charts.indexOf(inner)).toBeLessThan(app.charts.indexOf(one));
  });
});
