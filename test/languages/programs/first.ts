import { App, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import { Region, resources, storage } from 'cdk8s-aso';

const app = new App();
const chart = new Chart(app, 'orders', { namespace: 'orders' });
const group = new resources.ResourceGroup(chart, 'group', { location: Region.UK_SOUTH, tags: { team: 'orders' } });
const account = new storage.StorageAccount(chart, 'account', {
  owner: group,
  azureName: 'orders2f8f11',
  location: Region.UK_SOUTH,
  kind: storage.StorageAccountKind.STORAGE_V2,
  sku: { name: storage.SkuName.STANDARD_LRS },
  allowBlobPublicAccess: false,
});
new Deployment(chart, 'api', {
  containers: [{ image: 'registry.example/api:1', envVariables: { BLOBS: account.outputs.blobEndpoint.envValue } }],
});
app.synth();
