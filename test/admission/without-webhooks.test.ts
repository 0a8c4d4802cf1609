import { rowTitle } from '../docs/spec-tables';
import { ACCOUNTS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, object, ROLES, World } from '../reconcile/harness';


/** Without webhooks the same rules become conditions; other objects go on. */
const settle = async (world: World) => {
  for (let i = 0; i < 30; i += 1) await world.clock.advance(10_000);
};
const ready = (world: World, type: typeof GROUPS, name: string) => {
  const condition = world.ready(type, name);
  return [condition?.status, condition?.severity, condition?.reason, condition?.message];
};

async function started(): Promise<World> {
  const world = new World();
  await world.cluster.create(GROUPS, group());
  await world.start();
  return world;
}

test.each([
  [
    rowTitle('docs/spec/webhooks.md#references-and-owners', 'owners', 'as a condition: an owner that is named by half'), identity('id', { owner: {} }),
    'when referencing a Kubernetes resource, \'Group\', \'Kind\', \'Namespace\', and \'Name\' must all be specified for ResourceReference: ' +
    'Group: "resources.azure.com", Kind: "ResourceGroup", Name: "", ARMID: ""',
  ],
  [
    rowTitle('docs/spec/webhooks.md#destinations', 'equal destinations', 'as a condition: two values for one place'),
    identity('id', { operatorSpec: { configMaps: { clientId: { name: 'n', key: 'k' }, principalId: { name: 'n', key: 'k' } } } }),
    'cannot write more than one configmap value to destination Name: "n", Key: "k"',
  ],
  [
    rowTitle('docs/spec/webhooks.md#destinations', 'expressions', 'as a condition: of another type'), identity('id', { operatorSpec: { configMapExpressions: [{ name: 'n', key: 'k', value: '5' }] } }),
    'expression "5" must return one of [string,map(string, string)], but was int',
  ],
])('%s', async (_, broken, message) => {
  const world = await started();
  await world.cluster.create(IDENTITIES, broken);
  await world.cluster.create(IDENTITIES, identity('other'));
  await settle(world);
  expect(ready(world, IDENTITIES, 'id')).toEqual(['False', 'Error', 'Failed', message]);
  expect(world.azure.requests.filter((request) => request.endsWith('userAssignedIdentities/id'))).toEqual([]);
  expect(ready(world, IDENTITIES, 'other')[0]).toBe('True');
  // Put right, it goes on at once.
  await world.cluster.edit(IDENTITIES, 'default', 'id', { owner: { name: 'rg' }, operatorSpec: {} });
  await settle(world);
  expect(ready(world, IDENTITIES, 'id')[0]).toBe('True');
});

test(rowTitle('docs/spec/webhooks.md#value-and-reference', 'both', 'as a condition: a value and its reference'), async () => {
  const world = await started();
  const owner = { group: GROUPS.group, kind: 'ResourceGroup', name: 'rg' };
  const spec = { owner, principalId: 'p', principalIdFromConfig: { name: 'c', key: 'k' }, roleDefinitionReference: { wellKnownName: 'Reader' } };
  await world.cluster.create(ROLES, object(ROLES, 'role', spec));
  await settle(world);
  expect(ready(world, ROLES, 'role')).toEqual(['False', 'Error', 'Failed', 'cannot specify both principalId and principalIdFromConfig']);
});

test.each([
  [rowTitle('docs/spec/webhooks.md#write-once', 'azureName', 'as a condition: changed after the claim'), { azureName: 'another' }],
  [rowTitle('docs/spec/webhooks.md#write-once', 'owner name', 'as a condition: changed after the claim'), { owner: { name: 'rg2' } }],
  [rowTitle('docs/spec/webhooks.md#write-once', 'owner armId', 'as a condition: in the place of a name'), { owner: { armId: `${GROUP_ID}3` } }],
])('%s: never a second resource', async (_, change) => {
  const world = await started();
  await world.cluster.create(GROUPS, group('rg2'));
  await world.cluster.create(IDENTITIES, identity());
  await settle(world);
  expect(ready(world, IDENTITIES, 'id')[0]).toBe('True');
  await world.cluster.edit(IDENTITIES, 'default', 'id', change);
  await settle(world);
  expect(ready(world, IDENTITIES, 'id').slice(0, 3)).toEqual(['False', 'Error', 'Failed']);
  expect(ready(world, IDENTITIES, 'id')[3]).toMatch(new RegExp(`the spec now means ".*", but this object already manages "${IDENTITY_ID}"`));
  const puts = world.azure.requests.filter((request) => request.startsWith('PUT') && request.includes('userAssignedIdentities'));
  expect(new Set(puts)).toEqual(new Set([`PUT ${IDENTITY_ID}`]));
});

test(rowTitle('docs/spec/webhooks.md#write-once', 'owner removed', 'as a condition: never a second resource'), async () => {
  const world = await started();
  await world.cluster.create(IDENTITIES, identity());
  await settle(world);
  await world.cluster.edit(IDENTITIES, 'default', 'id', { owner: undefined });
  await settle(world);
  expect(ready(world, IDENTITIES, 'id')[0]).toBe('False');
  expect(ready(world, IDENTITIES, 'id')[3]).toContain('spec.owner');
});

test('what is wrong does not hold up a deletion', async () => {
  const world = await started();
  await world.cluster.create(ACCOUNTS, object(ACCOUNTS, 'sa', { owner: { name: 'rg' }, location: 'westeurope' }));
  await settle(world);
  const place = { name: 'n', key: 'k' };
  await world.cluster.edit(ACCOUNTS, 'default', 'sa', { operatorSpec: { secrets: { key1: place, key2: place } } });
  await settle(world);
  expect(ready(world, ACCOUNTS, 'sa')[3]).toContain('cannot write more than one secret');
  await world.cluster.delete(ACCOUNTS, 'sa', 'default');
  await settle(world);
  expect(world.stored(ACCOUNTS, 'sa')).toBeUndefined();
});
