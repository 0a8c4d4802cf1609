import { ApiObject } from 'cdk8s';
import { z } from 'zod';
import { defineApi } from 'cdk8s-aso/platform-api';

export default defineApi({
  group: 'platform.example.com',
  kind: 'Box',
  version: 'v1',
  // The id is in a registry of zod: a second evaluation of the module must not meet the first one's.
  schema: z.object({ size: z.number().int().min(1).default(1).meta({ id: 'size' }) }),
  composes: [{ group: '', kind: 'ConfigMap' }],
  compose(scope, claim) {
    if (claim.spec.size > 9) throw new Error('too large');
    new ApiObject(scope, 'box', { apiVersion: 'v1', kind: 'ConfigMap', data: { size: String(claim.spec.size) } });
  },
});
