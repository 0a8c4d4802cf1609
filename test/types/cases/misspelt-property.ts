import { Chart } from 'cdk8s';
import { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { SkuName, StorageAccount, StorageAccountKind } from 'cdk8s-aso/storage';

declare const chart: Chart;
declare const group: ResourceGroup;
declare const identity: UserAssignedIdentity;

// expect 2561: Did you mean to write 'location'
new ResourceGroup(chart, 'group', { locaton: 'uksouth' });

new StorageAccount(chart, 'account', {
  owner: group,
  location: 'uksouth',
  kind: StorageAccountKind.STORAGE_V2,
  sku: { name: SkuName.STANDARD_LRS },
  // expect 2561: Did you mean to write 'keySource'
  encryption: { keySorce: 'Microsoft.Storage' },
});

// expect 2551: Did you mean 'principalId'
export const principal = identity.outputs.principalID;
