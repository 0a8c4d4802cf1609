import { account, advised, changesOf, group, namespace, object } from './objects';
import type { ObjectChange } from '../../../cli/diff/changes';

const RBAC = 'rbac.authorization.k8s.io/v1';
const role = (...rules: unknown[]) => object(RBAC, 'Role', 'team', undefined, { rules });
const binding = (roleRef: unknown, ...subjects: unknown[]) => object(RBAC, 'RoleBinding', 'team', undefined, { roleRef, subjects });
const reported = (changes: readonly ObjectChange[]) =>
  changes.flatMap(({ change, kind, properties }) =>
    properties.map(({ path, old, new: is }) => `${change} ${kind} ${path}: ${String(old)} -> ${String(is)}`),
  );

test('rights, however the rules are cut', () => {
  const rule = (resources: string[], verbs: string[], more = {}) => ({ apiGroups: ['storage.azure.com'], resources, verbs, ...more });
  expect(
    changesOf([role(rule(['a', 'b'], ['get', 'list']))], [role(rule(['b'], ['list', 'get']), rule(['a'], ['get']), rule(['a'], ['list']))]),
  ).toMatchObject({ guardRails: [] });
  expect(
    reported(
      changesOf(
        [role(rule(['a'], ['get']))],
        [
          role(rule(['a'], ['get', 'create']), rule(['b'], ['get'], { resourceNames: ['x'] }), {
            apiGroups: [''],
            resources: ['pods'],
            verbs: ['*'],
          }),
        ],
      ).guardRails,
    ),
  ).toEqual([
    'changed Role rules: get a.storage.azure.com -> undefined',
    'changed Role rules: undefined -> * pods',
    'changed Role rules: undefined -> create, get a.storage.azure.com',
    'changed Role rules: undefined -> get b.storage.azure.com (only x)',
  ]);
});

test('subjects, and a roleRef that cannot be changed', () => {
  const team = { kind: 'Group', name: 'team' };
  const robot = { kind: 'ServiceAccount', name: 'ci', namespace: 'ops' };
  expect(reported(changesOf([binding({ name: 'a' }, team)], [binding({ name: 'a' }, robot)]).guardRails)).toEqual([
    'changed RoleBinding subjects: Group team -> undefined',
    'changed RoleBinding subjects: undefined -> ServiceAccount ops/ci',
  ]);
  expect(advised(changesOf([binding({ name: 'a' }, team)], [binding({ name: 'b' }, team)]).guardRails[0]!)).toContain(
    'roleRef of a binding is immutable',
  );
});

test.each([
  ['ResourceQuota', 'v1', { hard: { pods: 50 } }, { hard: { pods: 60 } }, ['changed ResourceQuota spec.hard.pods: 50 -> 60']],
  [
    'LimitRange',
    'v1',
    { limits: [{ type: 'Container', max: { cpu: '1' } }] },
    { limits: [{ type: 'Container', max: { cpu: '2' } }] },
    ['changed LimitRange spec.limits[0].max.cpu: 1 -> 2'],
  ],
  [
    'NetworkPolicy',
    'networking.k8s.io/v1',
    { policyTypes: ['Ingress'] },
    { policyTypes: ['Ingress', 'Egress'] },
    ['changed NetworkPolicy spec.policyTypes: Ingress -> Ingress,Egress'],
  ],
  ['NetworkPolicy', 'crd.projectcalico.org/v1', { a: 1 }, { a: 2 }, ['changed NetworkPolicy spec.a: 1 -> 2']],
  [
    'ValidatingAdmissionPolicy',
    'admissionregistration.k8s.io/v1',
    { failurePolicy: 'Fail' },
    { failurePolicy: 'Ignore' },
    ['changed ValidatingAdmissionPolicy spec.failurePolicy: Fail -> Ignore'],
  ],
])('%s of %s is a guard rail', (kind, apiVersion, old, next, expected) => {
  const changes = changesOf([object(apiVersion, kind, 'x', old)], [object(apiVersion, kind, 'x', next)]);
  expect(reported(changes.guardRails)).toEqual(expected);
  expect(changes.otherObjects).toEqual([]);
  expect(changesOf([object(apiVersion, kind, 'x', old)], []).guardRails).toEqual([expect.objectContaining({ change: 'removed', kind })]);
});

test('pod security of a namespace is one, its other labels are not', () => {
  const secure = (level: string) => namespace('shop', undefined, { 'pod-security.kubernetes.io/enforce': level });
  expect(changesOf([secure('restricted')], [secure('privileged')])).toMatchObject({
    guardRails: [{ kind: 'Namespace' }],
    otherObjects: [],
  });
  expect(changesOf([namespace('shop', undefined, { a: '1' })], [namespace('shop', undefined, { a: '2' })])).toMatchObject({
    guardRails: [],
    otherObjects: [{ kind: 'Namespace' }],
  });
});

test('other objects, and marks of Azure objects', () => {
  const config = (data: Record<string, string>) => object('v1', 'ConfigMap', 'x', undefined, { data });
  const changes = changesOf(
    [config({ a: '1' }), group(), account('files', {}, { labels: { a: '1' } })],
    [config({ a: '2' }), group(), account('files', {}, { annotations: { note: 'n' } })],
  );
  expect(changes.resources).toEqual([]);
  expect(reported(changes.otherObjects)).toEqual([
    'changed ConfigMap data.a: 1 -> 2',
    'changed StorageAccount metadata.annotations.note: undefined -> n',
    'changed StorageAccount metadata.labels.a: 1 -> undefined',
  ]);
  expect(changes.summary).toMatchObject({ otherObjects: 2, changed: 0 });
});

test('what the cluster writes is no difference', () => {
  const live = {
    ...group(),
    metadata: {
      ...group().metadata,
      uid: 'u',
      resourceVersion: '5',
      generation: 2,
      creationTimestamp: 'now',
      annotations: {
        'serviceoperator.azure.com/resource-id': '/x',
        'serviceoperator.azure.com/bi-poller-resume-token': '{}',
        'serviceoperator.azure.com/later-resume-token': '{}',
        'aso.cdk8s.io/waiting': 'PUT 1',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
      },
    },
    status: { conditions: [] },
  };
  const pod = object('v1', 'ConfigMap', 'x', undefined, { data: {} });
  expect(changesOf([live, { ...pod, metadata: { ...pod.metadata, uid: 'u', resourceVersion: '1' } }], [group(), pod])).toEqual(
    changesOf([], []),
  );
});

test('two kinds of one name are two', () => {
  const rg = group('same');
  const config = object('v1', 'ConfigMap', 'same', undefined, { data: { a: '1' } });
  expect(changesOf([rg, config], [rg])).toMatchObject({ resources: [], otherObjects: [{ change: 'removed', kind: 'ConfigMap' }] });
});
