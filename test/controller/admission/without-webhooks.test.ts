import { rowTitle } from '../../docs/spec-tables';
import { ACCOUNTS, group, GROUP_ID, GROUPS, IDENTITIES, identity, IDENTITY_ID, object, ROLES, TestEnvironment } from '../reconcile/harness';


/** Without webhooks the same rules become conditions; other objects go on. */
const settle = async (environment: TestEnvironment) => {
  for (let i = 0; i < 30; i += 1) await environment.clock.advance(10_000);
};
const ready = (environment: TestEnvironment, type: typeof GROUPS, name: string) => {
  const condition = environment.ready(type, name);
  return [condition?.status, condition?.severity, condition?.reason, condition?.message];
};

async function started(): Promise<TestEnvironment> {
  const environment = new TestEnvironment();
  await environment.cluster.create(GROUPS, group());
  await environment.start();
  return environment;
}

test.each([
  [
    rowTitle('docs/spec/webhooks.md#references-and-owners', 'owners', 'as a condition: an owner that is named by half'),
    identity('id', { owner: {} }),
    "when referencing a Kubernetes resource, 'Group', 'Kind', 'Namespace', and 'Name' must all be specified for ResourceReference: "
      + 'Group: "resources.azure.com", Kind: "ResourceGroup", Name: "", ARMID: ""',
  ],
  [
    rowTitle('docs/spec/webhooks.md#destinations', 'equal destinations', 'as a condition: two values for one place'),
    identity('id', { operatorSpec: { configMaps: { clientId: { name: 'n', key: 'k' }, principalId: { name: 'n', key: 'k' } } } }),
    'cannot write more than one configmap value to destination Name: "n", Key: "k"',
  ],
  [
    rowTitle('docs/spec/webhooks.md#destinations', 'expressions', 'as a condition: of another type'),
    identity('id', { operatorSpec: { configMapExpressions: [{ name: 'n', key: 'k', value: '5' }] } }),
    'expression "5" must return one of [string,map(string, string)], but was int',
  ],
])('%s', async (_, broken, message) => {
  const environment = await started();
  await environment.cluster.create(IDENTITIES, broken);
  await environment.cluster.create(IDENTITIES, identity('other'));
  await settle(environment);
  expect(ready(environment, IDENTITIES, 'id')).toEqual(['False', 'Error', 'Failed', message]);
  expect(environment.azure.requests.filter((request) => request.endsWith('userAssignedIdentities/id'))).toEqual([]);
  expect(ready(environment, IDENTITIES, 'other')[0]).toBe('True');
  // Put right, it goes on at once.
  await environment.cluster.edit(IDENTITIES, 'default', 'id', { owner: { name: 'rg' }, operatorSpec: {} });
  await settle(environment);
  expect(ready(environment, IDENTITIES, 'id')[0]).toBe('True');
});

test(rowTitle('docs/spec/webhooks.md#value-and-reference', 'both', 'as a condition: a value and its reference'), async () => {
  const environment = await started();
  const owner = { group: GROUPS.group, kind: 'ResourceGroup', name: 'rg' };
  const spec = {
    owner,
    principalId: 'p',
    principalIdFromConfig: { name: 'c', key: 'k' },
    roleDefinitionReference: { wellKnownName: 'Reader' },
  };
  await environment.cluster.create(ROLES, object(ROLES, 'role', spec));
  await settle(environment);
  expect(ready(environment, ROLES, 'role')).toEqual([
    'False',
    'Error',
    'Failed',
    'cannot specify both principalId and principalIdFromConfig',
  ]);
});

test.each([
  [rowTitle('docs/spec/webhooks.md#write-once', 'azureName', 'as a condition: changed after the claim'), { azureName: 'another' }],
  [rowTitle('docs/spec/webhooks.md#write-once', 'owner name', 'as a condition: changed after the claim'), { owner: { name: 'rg2' } }],
  [
    rowTitle('docs/spec/webhooks.md#write-once', 'owner armId', 'as a condition: in the place of a name'),
    { owner: { armId: `${GROUP_ID}3` } },
  ],
])('%s: never a second resource', async (_, change) => {
  const environment = await started();
  await environment.cluster.create(GROUPS, group('rg2'));
  await environment.cluster.create(IDENTITIES, identity());
  await settle(environment);
  expect(ready(environment, IDENTITIES, 'id')[0]).toBe('True');
  await environment.cluster.edit(IDENTITIES, 'default', 'id', change);
  await settle(environment);
  expect(ready(environment, IDENTITIES, 'id').slice(0, 3)).toEqual(['False', 'Error', 'Failed']);
  expect(ready(environment, IDENTITIES, 'id')[3]).toMatch(
    new RegExp(`the spec now means ".*", but this object already manages "${IDENTITY_ID}"`),
  );
  const puts = environment.azure.requests.filter((request) => request.startsWith('PUT') && request.includes('userAssignedIdentities'));
  expect(new Set(puts)).toEqual(new Set([`PUT ${IDENTITY_ID}`]));
});

test(rowTitle('docs/spec/webhooks.md#write-once', 'owner removed', 'as a condition: never a second resource'), async () => {
  const environment = await started();
  await environment.cluster.create(IDENTITIES, identity());
  await settle(environment);
  await environment.cluster.edit(IDENTITIES, 'default', 'id', { owner: undefined });
  await settle(environment);
  expect(ready(environment, IDENTITIES, 'id')[0]).toBe('False');
  expect(ready(environment, IDENTITIES, 'id')[3]).toContain('spec.owner');
});

test('what is wrong does not hold up a deletion', async () => {
  const environment = await started();
  await environment.cluster.create(ACCOUNTS, object(ACCOUNTS, 'sa', { owner: { name: 'rg' }, location: 'westeurope' }));
  await settle(environment);
  const place = { name: 'n', key: 'k' };
  await environment.cluster.edit(ACCOUNTS, 'default', 'sa', { operatorSpec: { secrets: { key1: place, key2: place } } });
  await settle(environment);
  expect(ready(environment, ACCOUNTS, 'sa')[3]).toContain('cannot write more than one secret');
  await environment.cluster.delete(ACCOUNTS, 'sa', 'default');
  await settle(environment);
  expect(environment.stored(ACCOUNTS, 'sa')).toBeUndefined();
});
