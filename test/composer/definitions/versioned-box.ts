import { ApiObject } from 'cdk8s';
import { z } from 'zod';
import { defineApi, olderVersion } from 'cdk8s-aso/platform-api';

/** The second revision of the kind of `box.ts`. */
export default defineApi({
  group: 'platform.example.com',
  kind: 'Box',
  version: 'v1',
  schema: z.object({ size: z.object({ width: z.int().max(99) }) }).refine(({ size }) => size.width !== 13, 'brings bad luck'),
  composes: [{ group: '', kind: 'ConfigMap' }],
  olderVersions: [olderVersion({
    version: 'v1alpha1',
    schema: z.object({ width: z.int().max(99) }),
    upgrade: ({ width }) => ({ size: { width } }),
    downgrade: ({ size }) => ({ width: size.width }),
    deprecationWarning: 'write platform.example.com/v1',
  })],
  compose(scope, { name, spec }) {
    new ApiObject(scope, 'box', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-box` }, data: { size: String(spec.size.width) } });
  },
});
