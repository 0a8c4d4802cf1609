import { account, advised, assignment, changesOf, detach, group, GROUP_ID, identity, object, OTHER_SUBSCRIPTION, skip } from './objects';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const base = [group(), account(), identity()];
const READER = { principal: 'UserAssignedIdentity shop/api', role: 'Storage Blob Data Reader', scope: 'StorageAccount shop/files' };
const READER_ID = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1';

const roles = (old: readonly KubernetesObject[], next: readonly KubernetesObject[]) => changesOf([...base, ...old], [...base, ...next]);

test('granted and revoked', () => {
  const granted = roles([], [assignment()]);
  expect(granted.roles).toEqual([
    {
      change: 'granted',
      ...READER,
      object: { group: 'authorization.azure.com', kind: 'RoleAssignment', namespace: 'shop', name: 'reads' },
      properties: [],
      advice: [],
    },
  ]);
  expect(granted.summary).toMatchObject({ rolesGranted: 1, rolesRevoked: 0, created: 0 });
  const revoked = roles([assignment()], []);
  expect(revoked.roles).toEqual([expect.objectContaining({ change: 'revoked', ...READER, advice: [] })]);
  expect(revoked.summary).toMatchObject({ rolesGranted: 0, rolesRevoked: 1, deleted: 0 });
});

test('by policy, a role stays or is not given', () => {
  expect(advised(roles([assignment('reads', {}, detach)], []).roles[0]!)).toContain('the role stays in Azure');
  expect(advised(roles([], [assignment('reads', {}, skip)]).roles[0]!)).toContain('only read');
});

test.each([
  ['a principal by id', { principalId: 'ABC', principalIdFromConfig: undefined }, { principal: 'principal ABC' }],
  [
    'a ConfigMap that nobody here writes',
    { principalIdFromConfig: { name: 'x', key: 'y' } },
    { principal: 'principal in ConfigMap shop/x, key y' },
  ],
  [
    'a role by id',
    { roleDefinitionReference: { armId: `/subscriptions/x/providers/Microsoft.Authorization/roleDefinitions/${READER_ID.toUpperCase()}` } },
    { role: 'Storage Blob Data Reader' },
  ],
  [
    'a role that is not built in',
    { roleDefinitionReference: { armId: '/providers/Microsoft.Authorization/roleDefinitions/00000000-0000-0000-0000-0000000000aa' } },
    { role: 'role 00000000-0000-0000-0000-0000000000aa' },
  ],
  [
    'a role of the files',
    { roleDefinitionReference: { group: 'authorization.azure.com', kind: 'RoleDefinition', name: 'mine' } },
    { role: 'RoleDefinition shop/mine' },
  ],
  [
    'a scope by id',
    { owner: { armId: `${GROUP_ID}/providers/Microsoft.KeyVault/vaults/kv` } },
    { scope: 'vaults kv in resource group rg' },
  ],
  ['a scope by the id of an object', { owner: { armId: GROUP_ID } }, { scope: 'ResourceGroup shop/rg' }],
  ['a subscription', { owner: { armId: `/subscriptions/${OTHER_SUBSCRIPTION}` } }, { scope: `subscription ${OTHER_SUBSCRIPTION}` }],
  [
    'nothing at all',
    { owner: undefined, principalIdFromConfig: undefined, roleDefinitionReference: undefined },
    { principal: '(no principal)', role: '(no role)', scope: '(no scope)' },
  ],
])('is readable: %s', (_, spec, expected) =>
  expect(roles([], [assignment('reads', spec)]).roles).toEqual([expect.objectContaining({ change: 'granted', ...expected })]),
);

test('the same role, said in other words, is no change', () => {
  const renamedWay = [group(), account(), identity('api', { operatorSpec: { configMaps: { principalId: { name: 'other', key: 'k' } } } })];
  const old = [...base, assignment()];
  expect(changesOf(old, [...renamedWay, assignment('reads', { principalIdFromConfig: { name: 'other', key: 'k' } })]).roles).toEqual([]);
  for (const roleDefinitionReference of [
    { wellKnownName: 'storage blob data reader' },
    { armId: `/subscriptions/x/providers/Microsoft.Authorization/roleDefinitions/${READER_ID}` },
  ]) {
    expect(roles([assignment()], [assignment('reads', { roleDefinitionReference })]).roles).toEqual([]);
  }
});

test('another object for the same role collides', () => {
  const changes = roles([assignment()], [assignment('renamed')]);
  expect(changes.roles).toEqual([
    expect.objectContaining({ change: 'renamed', ...READER, from: expect.objectContaining({ name: 'reads' }) }),
  ]);
  expect(changes.summary).toMatchObject({ rolesGranted: 0, rolesRevoked: 0 });
  expect(advised(changes.roles[0]!)).toMatch(
    /RoleAssignmentExists\) until the old one is deleted.*; keep the object name; or .*azureName: [0-9a-f-]{36}, and apply .*detach-on-delete/,
  );
  expect(advised(roles([assignment('reads', {}, detach)], [assignment('renamed')]).roles[0]!)).toContain(
    'the old one stays: its policy is detach-on-delete',
  );
});

test('another object with the name in Azure of the old one takes its place', () => {
  const azureName = '00000000-0000-0000-0000-000000000001';
  const [found] = roles([assignment('reads', { azureName }, detach)], [assignment('renamed', { azureName })]).roles;
  expect(found).toMatchObject({ change: 'moved' });
  expect(advised(found!)).toContain('leaves the resource');
});

test('a second object for a role that is given already', () => {
  const changes = roles([assignment()], [assignment(), assignment('again')]);
  expect(changes.roles).toEqual([expect.objectContaining({ change: 'renamed', object: expect.objectContaining({ name: 'again' }) })]);
  expect(advised(changes.roles[0]!)).toMatch(/RoleAssignmentExists\): RoleAssignment shop\/reads gives it already; remove one/);
});

test('one of two objects for a role goes', () => {
  const changes = roles([assignment(), assignment('again')], [assignment()]);
  expect(changes.roles).toEqual([
    expect.objectContaining({
      change: 'moved',
      object: expect.objectContaining({ name: 'reads' }),
      from: expect.objectContaining({ name: 'again' }),
    }),
  ]);
  expect(advised(changes.roles[0]!)).toContain('Azure has it only once');
});

test.each([
  [
    'role',
    { roleDefinitionReference: { wellKnownName: 'Contributor' } },
    /does not update the role of a role assignment \(RoleAssignmentUpdateNotPermitted\)/,
  ],
  ['principal', { principalId: 'x', principalIdFromConfig: undefined }, /update the principal/],
  ['scope', { owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' } }, /the webhook refuses to update spec\.owner/],
])('another %s in the same object is refused', (_, spec, message) => {
  const changes = roles([assignment()], [assignment('reads', spec)]);
  expect(changes.roles.map(({ change }) => change)).toEqual(['revoked', 'granted']);
  expect(advised(changes.roles[0]!)).toMatch(message);
  expect(advised(changes.roles[1]!)).toMatch(message);
  expect(changes.resources).toEqual([]);
});

test('what Azure does update', () => {
  const changes = roles([assignment()], [assignment('reads', { condition: 'a', description: 'b' })]);
  expect(changes.roles).toEqual([
    expect.objectContaining({
      change: 'changed',
      properties: [
        { path: 'condition', new: 'a' },
        { path: 'description', new: 'b' },
      ],
    }),
  ]);
});

test('an owner written otherwise, of the same scope', () => {
  const byId = assignment('reads', { owner: { armId: `${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/shopfiles` } });
  const changes = roles([assignment()], [byId]);
  expect(changes.roles).toEqual([expect.objectContaining({ change: 'changed', properties: [] })]);
  expect(advised(changes.roles[0]!)).toContain('written otherwise');
});

test('a policy is reported beside the role', () => {
  const changes = roles([assignment('reads', {}, skip)], [assignment('reads', { description: 'x' })]);
  expect(changes.roles.map(({ change }) => change)).toEqual(['changed']);
  expect(changes.resources).toEqual([expect.objectContaining({ fate: 'policy', kind: 'RoleAssignment', properties: [] })]);
});

test('an identity that is made anew is another principal', () => {
  const old = [
    group(),
    account(),
    identity('one', { operatorSpec: { configMaps: { principalId: { name: 'api-ids', key: 'principalId' } } } }),
    assignment(),
  ];
  const next = [
    group(),
    account(),
    identity('two', { operatorSpec: { configMaps: { principalId: { name: 'api-ids', key: 'principalId' } } } }),
    assignment(),
  ];
  expect(changesOf(old, next).roles.map(({ change, principal }) => `${change} ${principal}`)).toEqual([
    'revoked UserAssignedIdentity shop/one',
    'granted UserAssignedIdentity shop/two',
  ]);
});

test('assignments inside Cosmos DB are resources of their own', () => {
  const sql = object('documentdb.azure.com/v20240815', 'SqlRoleAssignment', 'x', { owner: { name: 'db' }, scope: 'a' });
  expect(roles([], [sql])).toMatchObject({ roles: [], resources: [{ fate: 'created' }] });
});
