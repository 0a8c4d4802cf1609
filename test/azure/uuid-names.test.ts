import { isUuidNamed, uuidNameOf, uuidSeedOf, uuidV5 } from '../../src/azure/uuid-names';

const SUBSCRIPTION = '/subscriptions/00000000-0000-0000-0000-000000000000';
const group = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'myrg' };
const roleAssignment = {
  group: 'authorization.azure.com',
  kind: 'RoleAssignment',
  version: 'v20220401',
  namespace: 'default',
  name: 'myroleassignment',
};
const roleDefinition = { ...roleAssignment, kind: 'RoleDefinition', name: 'myroledefinition' };
const sqlRole = {
  group: 'documentdb.azure.com',
  kind: 'SqlRoleAssignment',
  version: 'v1api20240815',
  namespace: 'default',
  name: 'mysqlrole',
};
const legacy = 'v1api20220401';

describe('names of role assignments and definitions', () => {
  // The vectors of the operator's own documentation, and three taken from its traffic with Azure.
  test.each([
    [{ ...roleAssignment, owner: group }, '69e1d155-c4e0-5c75-a5fc-7d990bc7325d'],
    [{ ...roleAssignment, version: legacy, owner: group }, '69e1d155-c4e0-5c75-a5fc-7d990bc7325d'],
    [{ ...roleAssignment, owner: { armId: `${SUBSCRIPTION}/resourceGroups/myrg` } }, 'd4312672-a98e-5ffe-9831-728f273607a3'],
    [
      { ...roleAssignment, version: legacy, owner: { armId: `${SUBSCRIPTION}/resourceGroups/myrg` } },
      'aa84af1c-81f2-5a62-b3b4-155c829e36c4',
    ],
    [{ ...roleAssignment, owner: { armId: SUBSCRIPTION } }, '11f21dcd-b412-5fec-a2ac-b8bb546d91a2'],
    [
      { ...roleAssignment, owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'mysa' } },
      '65a89db5-cdc5-5195-90de-1d022bb42fbc',
    ],
    [{ ...roleDefinition, owner: group }, '9da4160d-72c0-583f-b239-7985239d9220'],
    [{ ...roleDefinition, owner: { armId: `${SUBSCRIPTION}/resourceGroups/myrg` } }, '1937d8c3-447e-563d-916f-5f2ca6c7a2e9'],
    [
      { ...roleDefinition, version: legacy, owner: { armId: `${SUBSCRIPTION}/resourceGroups/myrg` } },
      '24c462b5-593c-59f2-8432-59df070370d6',
    ],
    [{ ...sqlRole, owner: { name: 'mydb' } }, '156c925d-e70a-5f1b-8e3a-0ee2f70a854c'],
    [{ ...sqlRole, owner: { armId: SUBSCRIPTION } }, 'da7ab449-4554-58c8-9850-4c378109f182'],
    [{ ...roleAssignment, name: '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77', owner: group }, '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77'],
    [
      {
        ...roleAssignment,
        namespace: 'aso-test-samples-creationanddeletion-test-authorization-v-57fde',
        name: 'aso-sample-contributor',
        owner: { ...group, name: 'asotest-rg-yomsyg' },
      },
      'ba0996d4-366e-50f8-b729-29e0171d18f4',
    ],
    [
      {
        ...roleDefinition,
        namespace: 'aso-test-samples-creationanddeletion-test-authorization-v-57fde',
        name: 'aso-sample-roledef',
        owner: { ...group, name: 'asotest-rg-yomsyg' },
      },
      '293cdceb-2ebc-5434-ab6b-97255f060ed3',
    ],
    [
      {
        ...roleAssignment,
        version: 'v1api20200801preview',
        namespace: 'aso-test-samples-creationanddeletion-test-authorization-v-20b1e',
        name: 'aso-sample-contributor',
        owner: { ...group, name: 'asotest-rg-heuqmq' },
      },
      '1749c72a-4884-5cd2-9d25-c87e505c9b8b',
    ],
  ])('vector %#', (source, expected) => {
    expect(uuidNameOf(source)).toBe(expected);
  });

  test('the seed puts the group first for the owner and the kind first for the type', () => {
    expect(uuidSeedOf({ ...roleAssignment, owner: group })).toBe(
      'resources.azure.com/ResourceGroup:default/myrg:RoleAssignment/authorization.azure.com:default/myroleassignment',
    );
  });

  test('only three kinds are named so', () => {
    expect(isUuidNamed('authorization.azure.com', 'RoleAssignment')).toBe(true);
    expect(isUuidNamed('documentdb.azure.com', 'SqlRoleAssignment')).toBe(true);
    expect(isUuidNamed('storage.azure.com', 'StorageAccount')).toBe(false);
  });

  test('UUID v5 gives the example of the RFC', () => {
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });
});
