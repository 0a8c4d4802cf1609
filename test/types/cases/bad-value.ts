import { Chart } from 'cdk8s';
import { ConfigMapValue, SecretValue } from 'cdk8s-aso';
import { RoleAssignment } from 'cdk8s-aso/authorization';
import { FlexibleServer } from 'cdk8s-aso/dbforpostgresql';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { SkuName, StorageAccount, StorageAccountAccessTier, StorageAccountKind, StorageAccountsBlobService } from 'cdk8s-aso/storage';

declare const chart: Chart;
declare const group: ResourceGroup;

new StorageAccount(chart, 'account', {
  owner: group,
  location: 'uksouth',
  // expect 2820: Did you mean '"StorageV2"'?
  kind: 'StorageV22',
  sku: { name: SkuName.STANDARD_LRS },
  // expect 2322: Type 'StorageAccountKind.STORAGE_V2' is not assignable to type '"Cold" | "Cool" | "Hot" | "Premium" | undefined'
  accessTier: StorageAccountKind.STORAGE_V2,
  // expect 2322: Type 'string' is not assignable to type 'boolean | undefined'
  allowBlobPublicAccess: 'false',
});

// expect 2551: Did you mean 'STORAGE_V2'
export const kind = StorageAccountKind.STORAGE_V3;
export const tier = StorageAccountAccessTier.HOT;

// Deep inside, in a list, and in the props that all kinds have.
new StorageAccount(chart, 'deep', {
  owner: group,
  location: 'uksouth',
  kind: 'StorageV2',
  // expect 2820: Did you mean '"Standard_ZRS"'?
  sku: { name: 'Standard_ZSR' },
  // expect 2820: Did you mean '"Deny"'?
  networkAcls: { defaultAction: 'Denny' },
  // expect 2820: Did you mean '"detach-on-delete"'?
  reconcilePolicy: 'detach-on-deletes',
});
new StorageAccountsBlobService(chart, 'lists', {
  owner: StorageAccount.fromName('account'),
  cors: { corsRules: [{
    allowedHeaders: ['*'],
    // expect 2820: Did you mean '"OPTIONS"'?
    allowedMethods: ['GET', 'OPTION'],
    allowedOrigins: ['*'],
    exposedHeaders: ['*'],
    maxAgeInSeconds: 60,
  }] },
});

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
