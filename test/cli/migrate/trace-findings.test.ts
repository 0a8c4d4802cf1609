import { traceFindings } from '../../../cli/migrate/trace-findings';
import { KubernetesError, type KubernetesClient } from '../../../engine/kubernetes/types';

const cluster = (get: () => Promise<unknown>) => ({ get }) as unknown as KubernetesClient;
const kind = { crd: 'a.b.azure.com', group: 'b.azure.com', kind: 'A', plural: 'a', from: 'v1storage', to: 'v1' };

test('a migration whose journal is gone is not taken for half an installation of ASO', async () => {
  const policy = cluster(async () => ({ metadata: { name: 'cdk8s-aso-migration' } }));
  expect(await traceFindings(policy, { migrated: [] })).toEqual([expect.objectContaining({ severity: 'stop', check: 'journal', fix: expect.stringContaining('apply --install with kubectl') })]);
  expect(await traceFindings(policy, { migrated: [kind] })).toEqual([expect.objectContaining({ fix: expect.stringContaining('restore the journal') })]);
  expect(await traceFindings(cluster(async () => undefined), { migrated: [] })).toEqual([]);
  expect(await traceFindings(cluster(() => Promise.reject(new KubernetesError(403, 'Forbidden', 'no'))), { migrated: [] })).toEqual([]);
});
