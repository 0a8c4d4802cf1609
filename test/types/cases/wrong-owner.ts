import { Chart } from 'cdk8s';
import { AzureReference } from '../../../src/core';
import { UserAssignedIdentity } from '../../../src/services/managedidentity';
import { ResourceGroup } from '../../../src/services/resources';
import { StorageAccount, StorageAccountsBlobService } from '../../../src/services/storage';

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

export const account = StorageAccount;
