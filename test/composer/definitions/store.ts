import { ApiObject } from 'cdk8s';
import { z } from 'zod';
import { ComposedValue, defineApi } from 'cdk8s-aso/platform-api';

/** The kind of the tests with a cluster: a resource group with storage accounts, and a ConfigMap. */
export default defineApi({
  group: 'platform.example.com',
  kind: 'Store',
  version: 'v1',
  schema: z.object({
    accounts: z.array(z.string()).default([]).refine((names) => new Set(names).size === names.length, 'the names have to differ'),
    tier: z.enum(['Hot', 'Cool']).default('Hot'),
    notes: z.string().optional(),
    region: z.string().optional(),
    /** Mistakes that a definition or a claim may have. */
    mistake: z.enum(['throws', 'endless', 'too-many', 'not-declared']).optional(),
  }),
  columns: [{ name: 'Tier', jsonPath: '.spec.tier' }],
  composes: [
    { group: 'resources.azure.com', kind: 'ResourceGroup' },
    { group: 'storage.azure.com', kind: 'StorageAccount' },
    { group: '', kind: 'ConfigMap' },
  ],
  reads: [{ group: '', kind: 'ConfigMap' }, { group: '', kind: 'ResourceQuota' }],
  limits: { seconds: 2 },
  compose(scope, claim) {
    const { accounts, tier, notes, region, mistake } = claim.spec;
    if (mistake === 'throws') throw new Error('no region is free');
    if (mistake === 'endless') for (let round = 0; ; round += 1) if (round < 0) break;
    if (mistake === 'too-many') for (let id = 0; id < 10_000; id += 1) new ApiObject(scope, `many-${id}`, { apiVersion: 'v1', kind: 'ConfigMap' });
    if (mistake === 'not-declared') new ApiObject(scope, 'secret', { apiVersion: 'v1', kind: 'Secret' });
    const settings = region === undefined ? { location: 'westeurope' } : claim.read({ group: '', kind: 'ConfigMap', name: region })?.data;
    const location = (settings as { location?: string } | undefined)?.location;
    if (location === undefined) throw new Error(`there is no region ${region}`);
    const quota = region === undefined ? undefined : claim.read<unknown, { used?: { pods?: string } }>({ group: '', kind: 'ResourceQuota', name: claim.name });
    const group = new ApiObject(scope, 'group', {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: claim.name },
      spec: { location: 'westeurope', azureName: `${claim.namespace}-${claim.name}`, tags: { location } },
    });
    for (const account of accounts) {
      new ApiObject(scope, account, {
        apiVersion: 'storage.azure.com/v1api20230101',
        kind: 'StorageAccount',
        metadata: { name: `${claim.name}-${account}` },
        spec: {
          location: 'westeurope',
          azureName: `${claim.namespace}${claim.name}${account}`,
          owner: { name: claim.name },
          kind: 'StorageV2',
          sku: { name: 'Standard_LRS' },
          accessTier: tier,
        },
      });
    }
    if (notes !== undefined) new ApiObject(scope, 'notes', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${claim.name}-notes` }, data: { notes } });
    return {
      outputs: { group: ComposedValue.fromObject(group, 'self.status.id'), tier, pods: quota?.status?.used?.pods ?? 'unknown' },
      links: { portal: `https://portal.example.com/${claim.namespace}/${claim.name}` },
    };
  },
});
