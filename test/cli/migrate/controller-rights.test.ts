import { controllerRightFindings } from '../../../cli/migrate/controller-rights';
import { KubernetesError, type KubernetesClient, type KubernetesListWatch, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';

const asObject = (value: unknown) => value as KubernetesObject;
const kind = { crd: 'things.g', group: 'g', kind: 'Thing', plural: 'things', from: 'v1', to: 'v1' };
const kinds = [{ kind, objects: ['a', 'b'].map((namespace) => asObject({ apiVersion: 'g/v1', kind: 'Thing', metadata: { name: 'o', namespace } })) }];
const deployment = (env: object[] = []) => asObject({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd', namespace: 'n' }, spec: { template: { spec: { serviceAccountName: 'account', containers: [{ name: 'manager', env }] } } } });
const rules = [{ apiGroups: ['g'], resources: ['things'], verbs: ['list', 'watch', 'patch'] }, { apiGroups: ['g'], resources: ['things/status'], verbs: ['update'] }];
const subjects = [{ kind: 'ServiceAccount', name: 'account', namespace: 'n' }];
const role = asObject({ kind: 'ClusterRole', metadata: { name: 'r' }, rules });
const binding = (metadata: object = { name: 'b' }, of = 'ClusterRoleBinding') => asObject({ kind: of, metadata, subjects, roleRef: { kind: 'ClusterRole', name: 'r' } });

/** The findings with a cluster that has these roles and bindings. */
async function findings(install: readonly KubernetesObject[], there: readonly KubernetesObject[], removed: readonly string[] = [], forbidden = '') {
  const client = {
    get: async ({ kind: of }: ResourceType, name: string) => there.find((each) => each.kind === of && each.metadata.name === name),
    list: async ({ kind: of }: ResourceType) => {
      if (of === forbidden) throw new KubernetesError(403, 'Forbidden', 'no');
      return { resourceVersion: '1', items: there.filter((each) => each.kind === of) };
    },
  } as unknown as KubernetesClient & KubernetesListWatch;
  return controllerRightFindings(client, install, kinds, new Set(removed));
}

async function lines(install: readonly KubernetesObject[], there?: KubernetesObject, removed: readonly string[] = []) {
  return (await findings(install, there ? [there] : [], removed)).map(({ message }) => message);
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

describe('rights that Kubernetes grants in other ways', () => {
  const bound = (...subject: object[]) => asObject({ ...binding(), subjects: subject });
  const group = (name: string) => ({ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name });

  test('bindings of the cluster count, but for those that go or are replaced', async () => {
    expect(await findings([deployment()], [role, binding()])).toEqual([]);
    expect(await findings([deployment()], [role, binding()], ['ClusterRoleBinding b'])).toHaveLength(4);
    expect(await findings([deployment(), bound(group('others'))], [role, binding()])).toHaveLength(4);
    const there = ['a', 'b'].map((namespace) => binding({ name: 'b', namespace }, 'RoleBinding'));
    // Only that of the operator's namespace goes.
    expect(await findings([deployment()], [role, ...there], ['RoleBinding b'])).toEqual([]);
  });

  test('groups and the user of a service account are subjects', async () => {
    for (const name of ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated']) {
      expect(await findings([deployment(), role, bound(group(name))], [])).toEqual([]);
    }
    expect(await findings([deployment(), role, bound({ kind: 'User', name: 'system:serviceaccount:n:account' })], [])).toEqual([]);
    expect(await findings([deployment(), role, bound(group('system:serviceaccounts:m'))], [])).toHaveLength(4);
  });

  test('an aggregated role has the rules of those that it selects, and stay', async () => {
    const labels = { part: 'of-r' };
    const aggregated = (selector: object) => {
      const aggregationRule = { clusterRoleSelectors: [selector] };
      return asObject({ kind: 'ClusterRole', metadata: { name: 'r' }, rules: [], aggregationRule });
    };
    const part = asObject({ kind: 'ClusterRole', metadata: { name: 'part', labels }, rules });
    const of = (selector: object, removed: readonly string[] = []) => (
      findings([deployment(), aggregated(selector), binding()], [part], removed));
    expect(await of({ matchLabels: labels })).toEqual([]);
    expect(await of({ matchLabels: labels }, ['ClusterRole part'])).toHaveLength(4);
    expect(await of({ matchLabels: { part: 'of-s' } })).toHaveLength(4);
    const [first] = await of({ matchExpressions: [{ key: 'part', operator: 'Exists' }] });
    expect(first).toMatchObject({ severity: 'warning', message: expect.stringContaining('unless it is granted by the ClusterRole r, which selects others by expressions') });
  });

  test('what this user may not read is a warning, where it would matter', async () => {
    expect(await findings([deployment(), role, binding()], [], [], 'RoleBinding')).toEqual([]);
    const found = await findings([deployment()], [], [], 'RoleBinding');
    expect(found.map(({ severity }) => severity)).toEqual(['warning', 'warning', 'warning', 'warning']);
    expect(found[0]!.message).toContain('unless it is granted by the RoleBindings of the cluster, which this user may not read');
  });
});
