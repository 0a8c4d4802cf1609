import { account, blobs, lookupOf, object, version } from './objects';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { azureNameOf, resolveNameFromConfig, ResolutionError } from '../../../engine/resolve';

const nameOf = (of: KubernetesObject) => azureNameOf(of, version(of));
const assignment = (apiVersion: string, spec: Record<string, unknown>, metadata = {}): KubernetesObject => ({
  apiVersion: `authorization.azure.com/${apiVersion}`,
  kind: 'RoleAssignment',
  metadata: { name: 'myroleassignment', namespace: 'default', ...metadata },
  spec,
});
const byName = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'myrg' };
const byId = { armId: '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/myrg' };

test('azureName, else metadata.name, else what the kind fixes', () => {
  expect(nameOf(account('sa', { azureName: 'other' }))).toBe('other');
  expect(nameOf(account('sa', { azureName: '' }))).toBe('sa');
  expect(nameOf(blobs('b', { azureName: 'ignored' }))).toBe('default');
  expect(nameOf(object('entra.azure.com/v1', 'SecurityGroup', 'g'))).toBeUndefined();
});

describe('derived UUIDs', () => {
  // docs/spec/names.md#uuid-vectors
  test.each([
    ['v20220401', byName, '69e1d155-c4e0-5c75-a5fc-7d990bc7325d'],
    ['v1api20220401', byName, '69e1d155-c4e0-5c75-a5fc-7d990bc7325d'],
    ['v20220401', byId, 'd4312672-a98e-5ffe-9831-728f273607a3'],
    ['v1api20220401', byId, 'aa84af1c-81f2-5a62-b3b4-155c829e36c4'],
  ])('%s, owner %j', (apiVersion, owner, expected) => {
    expect(nameOf(assignment(apiVersion, { owner }))).toBe(expected);
  });

  test('a kind whose owner is fixed', () => {
    const of = {
      apiVersion: 'documentdb.azure.com/v1api20231115',
      kind: 'SqlRoleAssignment',
      metadata: { name: 'mysqlrole', namespace: 'default' },
    };
    expect(nameOf({ ...of, spec: { owner: { name: 'mydb' } } })).toBe('156c925d-e70a-5f1b-8e3a-0ee2f70a854c');
    expect(
      nameOf({
        ...of,
        spec: { owner: { armId: '/subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/mydb' } },
      }),
    ).toBe('da7ab449-4554-58c8-9850-4c378109f182');
  });

  test('a UUID as metadata.name is kept, an explicit name wins, without owner there is none', () => {
    const uuid = '0b7a1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77';
    expect(nameOf(assignment('v20220401', { owner: byName }, { name: uuid }))).toBe(uuid);
    expect(nameOf(assignment('v20220401', { owner: byName, azureName: 'x' }))).toBe('x');
    expect(nameOf(assignment('v20220401', {}))).toBeUndefined();
  });

  test('random names: the object\'s uid, which never changes; other conventions only where they are old', () => {
    const spec = (namingConvention: string) => ({ owner: byName, operatorSpec: { namingConvention } });
    expect(nameOf(assignment('v20220401', spec('Random'), { uid: 'u-1' }))).toBe('u-1');
    expect(nameOf(assignment('v20220401', spec('odd')))).toBeUndefined();
    expect(nameOf(assignment('v1api20220401', spec('odd')))).toBe('69e1d155-c4e0-5c75-a5fc-7d990bc7325d');
  });
});

describe('a name from a ConfigMap', () => {
  const admin = (spec: Record<string, unknown> = {}, annotations = {}) =>
    object(
      'dbforpostgresql.azure.com/v20250801',
      'FlexibleServersAdministrator',
      'admin',
      { azureNameFromConfig: { name: 'cm', key: 'id' }, ...spec },
      annotations,
    );
  const configMap = (data: Record<string, string>): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'cm', namespace: 'ns' },
    data,
  });
  const resolve = (of: KubernetesObject, ...others: KubernetesObject[]) => resolveNameFromConfig(of, version(of), lookupOf(...others));
  const annotation = 'serviceoperator.azure.com/azure-name-from-config';

  test('is read at the claim and then kept in an annotation', () => {
    expect(nameOf(admin())).toBeUndefined();
    expect(resolve(admin(), configMap({ id: 'guid' }))).toBe('guid');
    expect(nameOf(admin({}, { [annotation]: 'guid' }))).toBe('guid');
    expect(nameOf(admin({ azureName: 'x' }, { [annotation]: 'guid' }))).toBe('x');
    expect(resolve(account('sa'))).toBeUndefined();
  });

  test.each([
    ['no ConfigMap', admin(), [], 'does not exist'],
    ['no key', admin(), [configMap({})], 'does not contain key "id"'],
    ['empty', admin(), [configMap({ id: '' })], 'resolved azureNameFromConfig ns/cm.id is empty'],
    ['changed', admin({}, { [annotation]: 'old' }), [configMap({ id: 'new' })], 'ConfigMap value changed from "old" to "new"'],
  ])('%s: Error, Failed', (_, of, others, message) => {
    expect(() => resolve(of, ...others)).toThrow(message);
    expect(() => resolve(of, ...others)).toThrow(ResolutionError);
    expect(() => resolve(of, ...others)).toThrow(expect.objectContaining({ reason: 'Failed', severity: 'Error' }));
  });
});
