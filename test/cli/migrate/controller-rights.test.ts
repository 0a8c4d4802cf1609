import { controllerRightFindings } from '../../../cli/migrate/controller-rights';
import type { KubernetesClient, KubernetesObject } from '../../../engine/kubernetes/types';

const asObject = (value: unknown) => value as KubernetesObject;
const kind = { crd: 'things.g', group: 'g', kind: 'Thing', plural: 'things', from: 'v1', to: 'v1' };
const kinds = [{ kind, objects: ['a', 'b'].map((namespace) => asObject({ apiVersion: 'g/v1', kind: 'Thing', metadata: { name: 'o', namespace } })) }];
const deployment = (env: object[] = []) => asObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'n' }, spec: { template: { spec: { serviceAccountName: 'account', containers: [{ name: 'manager', env }] } } } });
const rules = [{ apiGroups: ['g'], resources: ['things'], verbs: ['list', 'watch', 'patch'] }, { apiGroups: ['g'], resources: ['things/status'], verbs: ['update'] }];
const subjects = [{ kind: 'ServiceAccount', name: 'account', namespace: 'n' }];
const role = asObject({ kind: 'ClusterRole', metadata: { name: 'r' }, rules });
const binding = (metadata: object = { name: 'b' }, of = 'ClusterRoleBinding') => asObject({ kind: of, metadata, subjects, roleRef: { kind: 'ClusterRole', name: 'r' } });

async function lines(install: readonly KubernetesObject[], there?: object, removed: readonly string[] = []) {
  const client = { get: async ({ kind: of }: { kind: string }) => (of === 'ClusterRole' ? there : undefined) } as unknown as KubernetesClient;
  return (await controllerRightFindings(client, install, kinds, new Set(removed))).map(({ message }) => message);
}

test('rights by roles of the manifests, of the cluster, or in the namespaces alone', async () => {
  expect(await lines([deployment(), role, binding()])).toEqual([]);
  expect(await lines([deployment(), binding()], role)).toEqual([]);
  expect(await lines([deployment(), role, binding({ name: 'b', namespace: 'a' }, 'RoleBinding'), binding({ name: 'b', namespace: 'b' }, 'RoleBinding')])).toEqual([]);
  expect(await lines([deployment([{ name: 'AZURE_TARGET_NAMESPACES', value: 'a' }]), role, binding({ name: 'b', namespace: 'a' }, 'RoleBinding')])).toEqual([]);
});

test('what is missing, by verbs and namespaces', async () => {
  const list = 'the service account n/account of --install may not list, patch or watch things.g in the namespace';
  const status = 'the service account n/account of --install may not update things.g/status in the namespace';
  const inB = [`${list} b`, `${status} b`];
  expect(await lines([deployment(), role, binding({ name: 'b', namespace: 'a' }, 'RoleBinding')])).toEqual(inB);
  expect((await lines([deployment()])).sort()).toEqual([`${list} a`, ...inB, `${status} a`].sort());
  // The role of ASO has the name, and goes.
  expect(await lines([deployment(), binding()], role, ['ClusterRole r'])).toHaveLength(4);
});
