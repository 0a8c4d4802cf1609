import { Chart, Testing } from 'cdk8s';
import { SUBSCRIPTION } from './kinds';
import { authorization, AzureResource, BuiltInRole, IAzureResourceRef, RoleGrant, resources, storage } from '../../src';
import * as library from '../../src';

type Statics = Record<string, (value: unknown) => boolean> & { armIdFor?(resource: IAzureResourceRef, subscriptionId: string): string };

// Under its own name: a class may have another one besides.
const kinds = Object.values(library)
  .flatMap((exported) => Object.entries(exported))
  .filter(([name, value]) => typeof value === 'function' && value.prototype instanceof AzureResource && value.name === name) as [string, Statics][];
const chart = () => new Chart(Testing.app(), 'chart', { namespace: 'team' });

test('every class knows its own and no others', () => {
  expect(kinds.length).toBeGreaterThan(280);
  const scope = chart();
  const made = kinds.map(([name, type], index) => ({
    name,
    type,
    resource: new (type as unknown as new (...args: unknown[]) => AzureResource)(scope, `r${index}`, {}),
  }));
  for (const { name, type } of made) {
    expect(made.filter(({ resource }) => type[`is${name}`]!(resource)).map((one) => one.type)).toEqual([type]);
    expect([undefined, null, {}, 'x', scope].map((value) => type[`is${name}`]!(value))).toEqual([false, false, false, false, false]);
  }
});

test('armIdFor goes by names, ids and constructs', () => {
  const scope = chart();
  const id = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shared`;
  const owner = new resources.ResourceGroup(scope, 'rg', { location: 'uksouth', azureName: 'shop' });
  const account = new storage.StorageAccount(scope, 'sa', {
    owner,
    azureName: 'files',
    location: 'uksouth',
    kind: storage.StorageAccountKind.STORAGE_V2,
    sku: { name: storage.SkuName.STANDARD_LRS },
  });
  expect(resources.ResourceGroup.armIdFor(resources.ResourceGroup.fromArmId(id), SUBSCRIPTION)).toBe(id);
  expect(storage.StorageAccount.armIdFor(account, SUBSCRIPTION)).toBe(
    `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/files`,
  );
  expect(() => storage.StorageAccount.armIdFor(storage.StorageAccount.fromName('other'), SUBSCRIPTION)).toThrow('only the name is known');
});

test('a grant is a role assignment', () => {
  const scope = chart();
  const grant = new RoleGrant(scope, 'grant', {
    on: new resources.ResourceGroup(scope, 'rg', { location: 'uksouth' }),
    role: BuiltInRole.READER,
    principalId: SUBSCRIPTION,
  });
  const reference: authorization.IRoleAssignmentRef = grant;
  expect(authorization.RoleAssignment.isRoleAssignment(grant)).toBe(true);
  expect(reference.roleAssignmentRef.kind).toBe('RoleAssignment');
});
