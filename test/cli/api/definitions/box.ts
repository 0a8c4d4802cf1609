import { ApiObject } from 'cdk8s';
import { z } from 'zod';
import { defineApi, olderVersion } from 'cdk8s-aso/platform-api';

const spec = z.object({
  size: z.int().min(1).max(99).default(1),
  mode: z.enum(['plain', 'throws', 'random', 'counts', 'logs']).default('plain'),
  note: z.string().max(20).optional(),
}).refine(({ size }) => size !== 13, { path: ['size'], message: 'brings bad luck' });

// State outside of the module survives the module's next evaluation.
const shared = Error as unknown as { count?: number };

export default defineApi({
  group: 'platform.example.com',
  kind: 'Box',
  version: 'v1',
  schema: spec,
  composes: [{ group: '', kind: 'ConfigMap' }],
  olderVersions: [olderVersion({
    version: 'v1alpha1',
    schema: z.object({ width: z.int() }),
    // 7 does not come back.
    upgrade: ({ width }): z.output<typeof spec> => ({ mode: 'plain', size: width === 7 ? 8 : width }),
    // The note is lost.
    downgrade: ({ size }) => ({ width: size === 8 ? 9 : size }),
  })],
  compose(scope, claim) {
    const { size, mode, note } = claim.spec;
    if (mode === 'throws') throw new Error('no such box');
    if (mode === 'logs') console.log('a line');
    if (mode === 'counts') shared.count = (shared.count ?? 0) + 1;
    const value = mode === 'random' ? Math.random() : shared.count ?? 0;
    new ApiObject(scope, 'box', { apiVersion: 'v1', kind: 'ConfigMap', data: { size: String(size), value: String(value), ...(note && { note }) } });
  },
});
