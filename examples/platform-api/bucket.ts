import * as z from 'zod';
import { RemovalPolicies, RemovalPolicy } from 'cdk8s-aso';
import { ComposedValue, defineApi } from 'cdk8s-aso/platform-api';
import { ResourceGroup } from 'cdk8s-aso/resources';
import { MinimumTlsVersion, SkuName, StorageAccount, StorageAccountKind } from 'cdk8s-aso/storage';

/** The resource group that the platform keeps for buckets. All values are made up. */
const resourceGroup = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/freight-buckets';

const name = z.string().regex(/^[a-z0-9]([a-z0-9-]{1,40}[a-z0-9])$/).describe('3 to 42 lower-case letters, digits and hyphens.');

const spec = z.object({
  containers: z.array(name).min(1).max(20).describe('Containers of the bucket.'),
  keepDeletedDays: z.int().min(1).max(90).default(14).describe('Days for which deleted blobs can be restored.'),
  redundancy: z.enum(['zone', 'region']).default('zone').describe('Whether the data survives the loss of a zone, or of the region.'),
});

/** The name of a storage account: lower-case letters and digits, 24 at most, unique in Azure. */
function accountName(namespace: string, bucket: string): string {
  return `frt${namespace}${bucket}`.replace(/[^a-z0-9]/g, '').slice(0, 24);
}

export default defineApi({
  group: 'platform.freight.example.com',
  kind: 'Bucket',
  version: 'v1',
  description: 'Blob storage for a team: an account without public access, with its containers.',
  shortNames: ['bkt'],
  columns: [{ name: 'Redundancy', jsonPath: '.spec.redundancy' }],
  schema: spec,
  composes: [
    { group: 'storage.azure.com', kind: 'StorageAccount' },
    { group: 'storage.azure.com', kind: 'StorageAccountsBlobService' },
    { group: 'storage.azure.com', kind: 'StorageAccountsBlobServicesContainer' },
  ],
  limits: { objects: 30, seconds: 5 },
  compose(scope, claim) {
    // The data outlives the claim: somebody may delete it by mistake.
    RemovalPolicies.of(scope).applyToDataBearing(RemovalPolicy.RETAIN);
    const { containers, keepDeletedDays, redundancy } = claim.spec;
    const azureName = accountName(claim.namespace, claim.name);
    const account = new StorageAccount(scope, 'account', {
      owner: ResourceGroup.fromArmId(resourceGroup),
      azureName,
      location: 'westeurope',
      kind: StorageAccountKind.STORAGE_V2,
      sku: { name: redundancy === 'zone' ? SkuName.STANDARD_ZRS : SkuName.STANDARD_GZRS },
      allowBlobPublicAccess: false,
      allowSharedKeyAccess: false,
      minimumTlsVersion: MinimumTlsVersion.TLS1_2,
      tags: { team: claim.namespace, bucket: claim.name },
    });
    const blobs = account.addBlobService('blobs', { deleteRetentionPolicy: { enabled: true, days: keepDeletedDays } });
    for (const container of containers) blobs.addContainer(container, { azureName: container });
    return {
      outputs: { endpoint: ComposedValue.fromObject(account, 'self.status.primaryEndpoints.blob'), account: azureName },
      links: { portal: `https://portal.azure.com/#@/resource${resourceGroup}/providers/Microsoft.Storage/storageAccounts/${azureName}` },
    };
  },
});
