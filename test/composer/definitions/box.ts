import { ApiObject } from 'cdk8s';
import { z } from 'zod';
import { defineApi } from 'cdk8s-aso/platform-api';

/** The first revision of a kind that changes: see `versioned-box.ts`. */
export default defineApi({
  group: 'platform.example.com',
  kind: 'Box',
  version: 'v1alpha1',
  schema: z.object({ width: z.int().max(99) }),
  composes: [{ group: '', kind: 'ConfigMap' }],
  compose(scope, { name, spec }) {
    new ApiObject(scope, 'box', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-box` }, data: { width: String(spec.width) } });
  },
});
