import { Chart } from 'cdk8s';
import { AzureReference } from 'cdk8s-aso';
import { UserAssignedIdentity } from 'cdk8s-aso/managedidentity';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { StorageAccount, StorageAccountsBlobService } from 'cdk8s-aso/storage';

declare const chart: Chart;
declare const group: ResourceGroup;
declare const identity: UserAssignedIdentity;

// expect 2741: Property 'storageAccountRef' is missing in type 'ResourceGroup'
new StorageAccountsBlobService(chart, 'group', { owner: group });

// expect 2741: Property 'resourceGroupRef' is missing in type 'UserAssignedIdentity'
new UserAssignedIdentity(chart, 'identity', { location: 'uksouth', owner: identity });

// expect 2741: Property 'storageAccountRef' is missing in type 'IResourceGroupRef'
new StorageAccountsBlobService(chart, 'name', { owner: ResourceGroup.fromName('shared') });

// expect 2741: Property 'storageAccountRef' is missing in type 'AzureReference'
new StorageAccountsBlobService(chart, 'untyped', { owner: AzureReference.fromArmId('/subscriptions/s') });

// expect 2322: Type 'string' is not assignable to type 'IStorageAccountRef'
new StorageAccountsBlobService(chart, 'text', { owner: 'shared' });

// expect 2345: Property 'owner' is missing
new StorageAccountsBlobService(chart, 'none', {});

// A child has the methods of its own children, and its owner is not asked for.
declare const owner: StorageAccount;
// expect 2339: Property 'addSubnet' does not exist on type 'StorageAccount'
owner.addSubnet('apps');
// expect 2353: 'owner' does not exist in type 'StorageAccountsBlobServicesContainerOptions'
owner.addContainer('orders', { owner });

export const account = StorageAccount;
