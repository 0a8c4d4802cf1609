import { Chart, Testing } from 'cdk8s';
import { BuiltInRole, managedidentity, resources } from '../../src';
import { AsoAccess, AsoAccessLevel, AsoSubject, ControllerKinds, type AsoAccessProps } from '../../src/operator';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[];
  readonly subjects?: unknown;
  readonly roleRef?: unknown;
}

function manifests(props: Partial<AsoAccessProps> = {}): Manifest[] {
  const app = Testing.app();
  const chart = new Chart(app, 'access');
  new AsoAccess(chart, 'ci', { subjects: [AsoSubject.serviceAccount('ci', 'deployer')], level: AsoAccessLevel.READ, ...props });
  const team = new Chart(app, 'team', { namespace: 'team' });
  const group = new resources.ResourceGroup(team, 'group', { location: 'uksouth' });
  group.grant(BuiltInRole.READER, new managedidentity.UserAssignedIdentity(team, 'identity', { owner: group, location: 'uksouth' }));
  return Testing.synth(chart) as Manifest[];
}

const verbsOn = ([role]: Manifest[], resource: string) =>
  [...new Set(role!.rules!.filter(({ resources: names }) => names.includes(resource)).flatMap(({ verbs }) => verbs))].sort().join(' ');

test.each([
  [AsoAccessLevel.READ, 'get list watch', 'get list watch', ''],
  [AsoAccessLevel.DIAGNOSE, 'get list watch', 'get list watch', 'get list watch'],
  [AsoAccessLevel.OPERATE, 'get list patch update watch', 'get list watch', ''],
  [AsoAccessLevel.WRITE, 'create delete deletecollection get list patch update watch', 'get list watch', ''],
  [AsoAccessLevel.ADMIN, 'create delete deletecollection get list patch update watch', 'create delete deletecollection get list patch update watch', ''],
])('%s: resource groups, role assignments, Secrets', (level, groups, roles, secrets) => {
  const found = manifests({ level });
  expect([verbsOn(found, 'resourcegroups'), verbsOn(found, 'roleassignments'), verbsOn(found, 'secrets')]).toEqual([groups, roles, secrets]);
  expect(verbsOn(found, 'events')).toBe('get list watch');
});

test('everywhere by a ClusterRole, in namespaces by a Role in each', () => {
  const [role, binding, ...more] = manifests();
  expect([role!.kind, binding!.kind, more]).toEqual(['ClusterRole', 'ClusterRoleBinding', []]);
  expect(binding!.roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role!.metadata.name });
  expect(binding!.subjects).toEqual([{ kind: 'ServiceAccount', namespace: 'ci', name: 'deployer' }]);
  const two = manifests({ namespaces: ['a', 'b'], subjects: [AsoSubject.group('ops'), AsoSubject.user('ada')] });
  expect(two.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}`)).toEqual(['Role a', 'RoleBinding a', 'Role b', 'RoleBinding b']);
  expect(two[1]!.subjects).toEqual([
    { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'ops' }, { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ada' },
  ]);
});

test('to diagnose in namespaces needs cluster-scoped objects too', () => {
  const found = manifests({ level: AsoAccessLevel.DIAGNOSE, namespaces: ['team'] });
  expect(found.map(({ kind }) => kind)).toEqual(['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding']);
  expect(verbsOn(found.slice(2), 'customresourcedefinitions')).toBe('get list watch');
});

test('kinds that are named, and mistakes', () => {
  expect(verbsOn(manifests({ kinds: ControllerKinds.of('storage.azure.com/*') }), 'storageaccounts')).toBe('get list watch');
  expect(() => manifests({ kinds: ControllerKinds.of('storage.azure.com/Nothing') })).toThrow(/Nothing/);
  expect(() => manifests({ subjects: [] })).toThrow('name at least one');
  expect(() => manifests({ namespaces: ['a', 'a'] })).toThrow("'a' is named twice");
});
