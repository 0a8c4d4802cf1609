import { Chart } from 'cdk8s';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { SkuName, StorageAccount, StorageAccountKind } from 'cdk8s-aso/storage';

declare const chart: Chart;
declare const group: ResourceGroup;

// expect 2345: Property 'owner' is missing
new StorageAccount(chart, 'owner', { kind: StorageAccountKind.STORAGE_V2, sku: { name: SkuName.STANDARD_LRS } });

// expect 2554: Expected 3 arguments, but got 2
new StorageAccount(chart, 'nothing');

// expect 2345: Property 'kind' is missing
new StorageAccount(chart, 'account', { owner: group, location: 'uksouth', sku: { name: SkuName.STANDARD_LRS } });

new StorageAccount(chart, 'sku', {
  owner: group,
  location: 'uksouth',
  kind: StorageAccountKind.STORAGE_V2,
  // expect 2741: Property 'name' is missing in type '{}' but required in type 'Sku'
  sku: {},
});
