import { z } from 'zod';
import { defineApi } from 'cdk8s-aso/platform-api';

export default defineApi({
  group: 'platform.example.com',
  kind: 'Wrong',
  version: 'v1',
  schema: z.object({ either: z.union([z.string().max(9), z.boolean()]), names: z.array(z.string().max(3)) }),
  composes: [{ group: 'cert-manager.io', kind: 'Certificate' }, { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' }],
  compose: () => undefined,
});
