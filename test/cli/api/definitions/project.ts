import { ApiObject } from 'cdk8s';
import * as z from 'zod';
import { defineApi, olderVersion } from 'cdk8s-aso/platform-api';

const group = 'platform.example.com';

const environment = defineApi({
  group,
  kind: 'Environment',
  version: 'v1',
  namespaced: false,
  schema: z.object({ location: z.string().default('westeurope') }),
  composes: [],
  olderVersions: [olderVersion({
    version: 'v1alpha1',
    schema: z.object({ region: z.string() }),
    upgrade: ({ region }) => ({ location: region }),
    downgrade: ({ location }) => ({ region: location }),
  })],
  compose: () => undefined,
});

const project = defineApi({
  group,
  kind: 'Project',
  version: 'v1',
  schema: z.object({ environment: z.string() }),
  composes: [{ group: '', kind: 'ConfigMap' }],
  reads: [{ group, kind: 'Environment' }, { group: '', kind: 'ResourceQuota' }, { group: 'example.com', kind: 'Zone', plural: 'zones', namespaced: false }],
  compose(scope, claim) {
    const { environment: name } = claim.spec;
    const found = claim.read<{ location: string }>({ group, kind: 'Environment', name });
    const zone = claim.read<{ dns: string }>({ group: 'example.com', kind: 'Zone', name });
    const quota = claim.read<unknown, { used: { pods: string } }>({ group: '', kind: 'ResourceQuota', name: 'team' });
    const data = { location: found?.spec?.location ?? 'none', zone: zone?.spec?.dns ?? 'none' };
    new ApiObject(scope, 'settings', { apiVersion: 'v1', kind: 'ConfigMap', data });
    return { outputs: { pods: quota?.status?.used.pods ?? 'none' } };
  },
});

export default [environment, project];
