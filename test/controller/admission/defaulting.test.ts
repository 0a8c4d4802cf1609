import { GROUP_ID, GROUP_OWNER, objectOf, SUBSCRIPTION, versionOf } from './objects';
import { defaultsOf } from '../../../controller/admission/defaulting';
import { uuidV1 } from '../../../controller/admission/uuid-v1';
import { azureNameOf } from '../../../engine/resolve/azure-name';
import { Catalog } from '../../../src/catalog';
import { rowTitle } from '../../docs/spec-tables';

const add = (path: string, value: unknown) => ({ op: 'add', path, value });
const name = (value: string) => [add('/spec/azureName', value)];
const account = versionOf('storage', 'StorageAccount');
const RANDOM = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6';

describe('docs/spec/webhooks.md#defaulting', () => {
  test(rowTitle('docs/spec/webhooks.md#defaulting', 'azureName', 'an empty azureName becomes metadata.name'), () => {
    expect(defaultsOf(account, objectOf(account, { location: 'westeurope' }, 'sa'))).toEqual(name('sa'));
    expect(defaultsOf(account, objectOf(account, { azureName: '' }, 'sa'))).toEqual(name('sa'));
    expect(defaultsOf(account, objectOf(account, { azureName: 'other' }, 'sa'))).toEqual([]);
    expect(defaultsOf(account, objectOf(account, undefined, 'sa'))).toEqual([add('/spec', {}), ...name('sa')]);
  });
  test(rowTitle('docs/spec/webhooks.md#defaulting', 'fixed names', 'not where the API fixes the name'), () => {
    const fixed = Catalog.default()
      .allKinds.flatMap((kind) => kind.versionNames.map((version) => kind.version(version)!))
      .filter(({ facts }) => typeof facts.name === 'object' && facts.name);
    expect(fixed.length).toBeGreaterThan(80);
    for (const version of fixed) expect([version.apiVersion, defaultsOf(version, objectOf(version, {}))]).toEqual([version.apiVersion, []]);
  });
  test(rowTitle('docs/spec/webhooks.md#defaulting', 'SecurityGroup', 'a security group is adopted or created'), () => {
    const group = versionOf('entra', 'SecurityGroup');
    expect(defaultsOf(group, objectOf(group, { displayName: 'g' }))).toEqual([
      add('/spec/operatorSpec', { creationMode: 'AdoptOrCreate' }),
    ]);
    expect(defaultsOf(group, objectOf(group, { operatorSpec: {} }))).toEqual([add('/spec/operatorSpec/creationMode', 'AdoptOrCreate')]);
    expect(defaultsOf(group, objectOf(group, { operatorSpec: { creationMode: 'AlwaysCreate' } }))).toEqual([]);
  });
  test(rowTitle('docs/spec/webhooks.md#defaulting', 'nothing else', 'nothing else has a default'), () => {
    for (const kind of Catalog.default().allKinds) {
      if (kind.kind === 'SecurityGroup') continue;
      for (const operation of defaultsOf(kind.latest, objectOf(kind.latest, { owner: { name: 'o' } }))) {
        expect(operation.path).toBe('/spec/azureName');
      }
    }
  });
  test('a name that the server has not made yet is not taken', () => {
    expect(defaultsOf(account, objectOf(account, {}, undefined, { name: '', generateName: 'sa-' } as never))).toEqual([]);
  });
});

const assignment = (version: string) => versionOf('authorization', 'RoleAssignment', version);
const NEW = 'v20220401';
const OLD = 'v1api20220401';

describe('docs/spec/names.md#uuid-rules', () => {
  test(rowTitle('docs/spec/names.md#uuid-rules', 'empty name', 'acts on an empty azureName with an owner'), () => {
    const version = assignment(NEW);
    expect(defaultsOf(version, objectOf(version, {}))).toEqual([]);
    expect(defaultsOf(version, objectOf(version, { azureName: 'kept', owner: GROUP_OWNER }))).toEqual([]);
  });
  test(rowTitle('docs/spec/names.md#uuid-rules', 'UUID as name', 'a UUID as metadata.name is used unchanged'), () => {
    const version = assignment(NEW);
    for (const uuid of ['0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77', '0b7a1c1e5f2e4a559f0a2b8f4c1d9e77']) {
      expect(defaultsOf(version, objectOf(version, { owner: GROUP_OWNER }, uuid))).toEqual(name(uuid));
    }
  });
  test(rowTitle('docs/spec/names.md#uuid-rules', 'random', 'random is a new UUID version 1, whatever its case'), () => {
    for (const version of [NEW, OLD].map(assignment)) {
      const object = objectOf(version, { owner: GROUP_OWNER, operatorSpec: { namingConvention: 'RANDOM' } });
      expect(defaultsOf(version, object, () => RANDOM)).toEqual(name(RANDOM));
      const [made] = defaultsOf(version, object);
      expect(made?.value).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    const many = Array.from({ length: 1000 }, () => uuidV1());
    expect(new Set(many).size).toBe(1000);
    // The example of RFC 9562, appendix A.1, but for its node. A fresh module: time does not run backwards in an old one.
    jest.isolateModules(() => {
      const { uuidV1: fresh } = jest.requireActual<{ uuidV1: typeof uuidV1 }>('../../../controller/admission/uuid-v1');
      expect(fresh(Date.UTC(2022, 1, 22, 19, 22, 22)).slice(0, 18)).toBe('c232ab00-9414-11ec');
      expect(fresh(Date.UTC(2022, 1, 22, 19, 22, 22)).slice(0, 18)).toBe('c232ab01-9414-11ec');
    });
  });
  test(
    rowTitle('docs/spec/names.md#uuid-rules', 'conventions', 'older versions count everything else as stable, newer ones give no name'),
    () => {
      const spec = { owner: GROUP_OWNER, operatorSpec: { namingConvention: 'other' } };
      expect(defaultsOf(assignment(OLD), objectOf(assignment(OLD), spec, 'myroleassignment'))).toEqual(
        name('69e1d155-c4e0-5c75-a5fc-7d990bc7325d'),
      );
      expect(defaultsOf(assignment(NEW), objectOf(assignment(NEW), spec, 'myroleassignment'))).toEqual([]);
    },
  );
  test(rowTitle('docs/spec/names.md#uuid-rules', 'conventions', 'has no option'), () => {
    const version = versionOf('documentdb', 'SqlRoleAssignment');
    const object = objectOf(version, { owner: { name: 'mydb' }, operatorSpec: { namingConvention: 'random' } }, 'mysqlrole');
    expect(defaultsOf(version, object)).toEqual(name('156c925d-e70a-5f1b-8e3a-0ee2f70a854c'));
  });
});

const definition = (version: string) => versionOf('authorization', 'RoleDefinition', version);
const sql = versionOf('documentdb', 'SqlRoleAssignment');
const sample = 'aso-test-samples-creationanddeletion-test-authorization-v-57fde';

describe('docs/spec/names.md#uuid-vectors', () => {
  const byId = { armId: GROUP_ID };
  test.each([
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '1', 'current'),
      assignment(NEW),
      'myroleassignment',
      GROUP_OWNER,
      '69e1d155-c4e0-5c75-a5fc-7d990bc7325d',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '1', 'legacy'),
      assignment(OLD),
      'myroleassignment',
      GROUP_OWNER,
      '69e1d155-c4e0-5c75-a5fc-7d990bc7325d',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '2', 'armId, current'),
      assignment(NEW),
      'myroleassignment',
      byId,
      'd4312672-a98e-5ffe-9831-728f273607a3',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '3', 'armId, legacy'),
      assignment(OLD),
      'myroleassignment',
      byId,
      'aa84af1c-81f2-5a62-b3b4-155c829e36c4',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '3', 'any armId, legacy'),
      assignment(OLD),
      'myroleassignment',
      { armId: SUBSCRIPTION },
      'aa84af1c-81f2-5a62-b3b4-155c829e36c4',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '4', 'subscription'),
      assignment(NEW),
      'myroleassignment',
      { armId: SUBSCRIPTION },
      '11f21dcd-b412-5fec-a2ac-b8bb546d91a2',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '5', 'storage account'),
      assignment(NEW),
      'myroleassignment',
      { group: 'storage.azure.com', kind: 'StorageAccount', name: 'mysa' },
      '65a89db5-cdc5-5195-90de-1d022bb42fbc',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '6', 'RoleDefinition'),
      definition(NEW),
      'myroledefinition',
      GROUP_OWNER,
      '9da4160d-72c0-583f-b239-7985239d9220',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '7', 'RoleDefinition, armId, current'),
      definition(NEW),
      'myroledefinition',
      byId,
      '1937d8c3-447e-563d-916f-5f2ca6c7a2e9',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '8', 'RoleDefinition, armId, legacy'),
      definition(OLD),
      'myroledefinition',
      byId,
      '24c462b5-593c-59f2-8432-59df070370d6',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '9', 'SqlRoleAssignment'),
      sql,
      'mysqlrole',
      { name: 'mydb' },
      '156c925d-e70a-5f1b-8e3a-0ee2f70a854c',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '10', 'SqlRoleAssignment, armId'),
      sql,
      'mysqlrole',
      { armId: SUBSCRIPTION },
      'da7ab449-4554-58c8-9850-4c378109f182',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', '11', 'the name is a UUID'),
      assignment(NEW),
      '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77',
      GROUP_OWNER,
      '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77',
    ],
  ])('%s', (_, version, object, owner, expected) => {
    expect(defaultsOf(version, objectOf(version, { owner }, object))).toEqual(name(expected));
    // Without the webhook the controller works out the same.
    expect(azureNameOf(objectOf(version, { owner }, object), version)).toBe(expected);
  });
  test.each([
    [
      rowTitle('docs/spec/names.md#uuid-vectors', 'traffic 1', 'RoleAssignment'),
      assignment(OLD),
      sample,
      'asotest-rg-yomsyg',
      'aso-sample-contributor',
      'ba0996d4-366e-50f8-b729-29e0171d18f4',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', 'traffic 2', 'RoleDefinition'),
      definition(OLD),
      sample,
      'asotest-rg-yomsyg',
      'aso-sample-roledef',
      '293cdceb-2ebc-5434-ab6b-97255f060ed3',
    ],
    [
      rowTitle('docs/spec/names.md#uuid-vectors', 'traffic 3', 'RoleAssignment, preview'),
      assignment('v1api20200801preview'),
      'aso-test-samples-creationanddeletion-test-authorization-v-20b1e',
      'asotest-rg-heuqmq',
      'aso-sample-contributor',
      '1749c72a-4884-5cd2-9d25-c87e505c9b8b',
    ],
  ])('%s', (_, version, namespace, group, object, expected) => {
    expect(defaultsOf(version, objectOf(version, { owner: { ...GROUP_OWNER, name: group } }, object, { namespace }))).toEqual(
      name(expected),
    );
  });
});

test(rowTitle('docs/spec/webhooks.md#name-from-configmap', 'reference', 'azureNameFromConfig leaves azureName empty'), () => {
  const version = versionOf('dbforpostgresql', 'FlexibleServersAdministrator', 'v20250801');
  expect(defaultsOf(version, objectOf(version, { azureNameFromConfig: { name: 'c', key: 'k' } }))).toEqual([]);
  expect(defaultsOf(version, objectOf(version, {}, 'x'))).toEqual(name('x'));
});
