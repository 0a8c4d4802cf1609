import { ApiObject, Chart, Testing } from 'cdk8s';
import { findings, SUBSCRIPTION } from './kinds';
import * as library from '../../src';
import { AzureResource } from '../../src';

type KindClass = (new (scope: Chart, id: string, props: object) => AzureResource) & { fromName(name: string): library.IAzureResourceRef };

const isKind = (value: unknown): value is KindClass => typeof value === 'function' && value.prototype instanceof AzureResource;

const kinds = Object.entries(library).flatMap(([service, exported]) =>
  Object.entries(exported)
    .filter((entry): entry is [string, KindClass] => isKind(entry[1]))
    .map(([name, type]) => ({ id: `${service}-${name}`, type })),
);

const newChart = (id = 'chart') => new Chart(Testing.app(), id, { namespace: 'team' });

describe('every generated class', () => {
  const chart = newChart();
  const made = kinds.map(({ id, type }) => new type(chart, id, {}));
  const found = findings(chart);

  test('is there', () => {
    expect(kinds.length).toBeGreaterThan(280);
  });

  test('knows a kind and version of the catalog', () => {
    for (const resource of made) expect(() => resource.azureName).not.toThrow();
  });

  test('says what is missing, with its construct\'s path', () => {
    for (const resource of made) {
      const own = found.filter((line) => line.startsWith(`[${resource.node.path}] `));
      const needsOwner = !['ResourceGroup', 'Alias', 'SecurityGroup'].includes(resource.kind);
      expect(own.some((line) => line.includes(`] ${resource.kind} owner: is required, but missing.`))).toBe(needsOwner);
    }
  });

  test('refers to objects by name', () => {
    for (const { type } of kinds) {
      expect(type.fromName('some-name').azureResourceRef.name).toBe('some-name');
    }
  });
});

describe('the generated classes together', () => {
  const { authorization, managedidentity, resources, storage, BuiltInRole } = library;

  test('wire a storage account, an identity and a role', () => {
    const chart = newChart('app');
    const owner = new resources.ResourceGroup(chart, 'rg', { location: 'uksouth' });
    const identity = new managedidentity.UserAssignedIdentity(chart, 'identity', { owner, location: 'uksouth' });
    const account = new storage.StorageAccount(chart, 'account', {
      owner,
      azureName: 'orchard',
      location: 'uksouth',
      kind: storage.StorageAccountKind.STORAGE_V2,
      sku: { name: storage.SkuName.STANDARD_LRS },
    });
    const role = BuiltInRole.STORAGE_BLOB_DATA_READER;
    new authorization.RoleAssignment(chart, 'role', {
      owner: account,
      roleDefinitionReference: role,
      principalIdFromConfig: identity.outputs.principalId,
    });
    const manifests = chart.toJson();
    expect(manifests.map(({ kind }) => kind)).toEqual(['ResourceGroup', 'StorageAccount', 'UserAssignedIdentity', 'RoleAssignment']);
    expect(manifests[2].spec.operatorSpec.configMaps.principalId).toEqual(manifests[3].spec.principalIdFromConfig);
    expect(manifests[3].spec.owner).toEqual({ group: 'storage.azure.com', kind: 'StorageAccount', name: account.name });
    expect(account.azureName).toBe('orchard');
  });

  test('instanceof tells the kinds apart', () => {
    const group = new resources.ResourceGroup(newChart(), 'rg', { location: 'uksouth' });
    const secret = new ApiObject(newChart(), 'secret', { apiVersion: 'v1', kind: 'Secret' });
    expect(group).toBeInstanceOf(resources.ResourceGroup);
    expect(group).toBeInstanceOf(ApiObject);
    expect(group).not.toBeInstanceOf(storage.StorageAccount);
    expect(secret).not.toBeInstanceOf(AzureResource);
    expect([group, secret, undefined].map((value) => AzureResource.isAzureResource(value))).toEqual([true, false, false]);
  });

  test('an id of another type is refused where it is written', () => {
    const id = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared`;
    expect(resources.ResourceGroup.fromArmId(id).azureResourceRef.armId).toBe(id);
    expect(() => storage.StorageAccount.fromArmId(id)).toThrow(
      `'${id}' is the id of a Microsoft.Resources/resourceGroups, not of a Microsoft.Storage/storageAccounts (StorageAccount).`,
    );
  });
});
