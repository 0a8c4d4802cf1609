import { Chart } from 'cdk8s';
import { ConfigMapValue, SecretValue } from '../../../src/core';
import { RoleAssignment } from '../../../src/services/authorization';
import { FlexibleServer } from '../../../src/services/dbforpostgresql';
import { ResourceGroup } from '../../../src/services/resources';
import { SkuName, StorageAccount, StorageAccountAccessTier, StorageAccountKind } from '../../../src/services/storage';

declare const chart: Chart;
declare const group: ResourceGroup;

new StorageAccount(chart, 'account', {
  owner: group,
  location: 'uksouth',
  // expect 2820: Type '"StorageV3"' is not assignable to type 'StorageAccountKind'
  kind: 'StorageV3',
  sku: { name: SkuName.STANDARD_LRS },
  // expect 2322: Type 'StorageAccountKind.STORAGE_V2' is not assignable to type 'StorageAccountAccessTier
  accessTier: StorageAccountKind.STORAGE_V2,
  // expect 2322: Type 'string' is not assignable to type 'boolean | undefined'
  allowBlobPublicAccess: 'false',
});

// expect 2551: Did you mean 'STORAGE_V2'
export const kind = StorageAccountKind.STORAGE_V3;
export const tier = StorageAccountAccessTier.HOT;

// A secret never stands in the manifest itself.
new FlexibleServer(chart, 'server', {
  owner: group,
  location: 'uksouth',
  // expect 2322: Type 'string' is not assignable to type 'SecretValue'
  administratorLoginPassword: 'hunter2',
});

new RoleAssignment(chart, 'role', {
  owner: group,
  // expect 2322: Type 'string' is not assignable to type 'IAzureResourceRef'
  roleDefinitionReference: 'Reader',
  // expect 2741: Property 'configMapName' is missing in type 'SecretValue'
  principalIdFromConfig: SecretValue.fromSecret('identity', 'principalId'),
});

export const config = ConfigMapValue;
