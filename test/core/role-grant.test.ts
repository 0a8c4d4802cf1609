import { account, chart, findings, GROUP_ID, group, identity, SUBSCRIPTION, synth } from './kinds';
import { AzureReference, BuiltInRole, ConfigMapValue, PrincipalType, RoleGrant, RoleGrantProps } from '../../src/core';

const GROUP = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
const grantOf = (scope: ReturnType<typeof chart>) => synth(scope).find(({ kind }) => kind === 'RoleAssignment');

describe('a role grant', () => {
  test('is a role assignment that is named after what it grants', () => {
    const scope = chart();
    const rg = group(scope);
    const id = identity(scope, 'shop-id', rg);
    new RoleGrant(scope, 'grant', {
      on: account(scope, 'shopfiles', rg),
      role: BuiltInRole.STORAGE_BLOB_DATA_READER,
      to: id.output('principalId'),
      description: 'reads pictures',
    });
    expect(findings(scope)).toEqual([]);
    expect(grantOf(scope)).toEqual({
      apiVersion: 'authorization.azure.com/v20220401',
      kind: 'RoleAssignment',
      metadata: { name: 'storageaccount-shopfiles-storage-blob-data-reader-shop-id', namespace: 'platform' },
      spec: {
        description: 'reads pictures',
        owner: { group: 'storage.azure.com', kind: 'StorageAccount', name: 'shopfiles' },
        principalIdFromConfig: { name: 'shop-id-outputs', key: 'principalId' },
        principalType: 'ServicePrincipal',
        roleDefinitionReference: BuiltInRole.STORAGE_BLOB_DATA_READER.azureResourceRef,
      },
    });
  });

  test('comes after what it refers to', () => {
    const scope = chart();
    const rg = group(scope);
    const grant = new RoleGrant(scope, 'grant', {
      on: rg,
      role: BuiltInRole.READER,
      to: identity(scope, 'user', rg).output('principalId'),
    });
    expect(synth(scope).map(({ kind }) => kind)).toEqual(['ResourceGroup', 'UserAssignedIdentity', 'RoleAssignment']);
    expect(grant.owner).toMatchObject({ kind: 'ResourceGroup', name: 'rg' });
  });

  test('of a known principal says nothing of its type, and has a name that is told apart by a hash', () => {
    const names = [GROUP, GROUP.replace(/.$/, 'd')].map((principalId) => {
      const scope = chart();
      new RoleGrant(scope, 'grant', { on: group(scope), role: BuiltInRole.CONTRIBUTOR, principalId });
      expect(grantOf(scope).spec).toMatchObject({ principalId });
      expect(grantOf(scope).spec.principalType).toBeUndefined();
      return grantOf(scope).metadata.name;
    });
    expect(names[0]).toMatch(/^resourcegroup-rg-contributor-b24988ac-[0-9a-f]{8}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  test('on an ARM id, for a role of one\'s own, with a condition and all that every resource takes', () => {
    const scope = chart();
    new RoleGrant(scope, 'grant', {
      on: AzureReference.fromArmId(GROUP_ID),
      role: BuiltInRole.custom(GROUP.replace(/^b/, 'f')),
      to: ConfigMapValue.fromConfigMap('ids', 'deployer'),
      principalType: PrincipalType.GROUP,
      condition: '@Resource[x] StringEquals \'y\'',
      metadata: { name: 'mine', labels: { a: 'b' } },
    });
    expect(findings(scope)).toEqual([]);
    expect(grantOf(scope)).toMatchObject({
      metadata: { name: 'mine', labels: { a: 'b' } },
      spec: {
        owner: { armId: GROUP_ID },
        condition: "@Resource[x] StringEquals 'y'",
        conditionVersion: '2.0',
        principalType: 'Group',
        principalIdFromConfig: { name: 'ids', key: 'deployer' },
      },
    });
  });

  test('keeps names of kinds and of outputs apart, and within bounds', () => {
    const scope = chart();
    const rg = group(scope, 'shop');
    const to = identity(scope, 'user', rg).output('principalId');
    const long = account(scope, 'long', rg, { metadata: { name: 'a'.repeat(200) }, azureName: 'shop1' });
    const grants = [rg, account(scope, 'shop2', rg, { metadata: { name: 'shop' } }), long].map(
      (on, i) => new RoleGrant(scope, `g${i}`, { on, role: BuiltInRole.READER, to }),
    );
    expect(findings(scope)).toEqual([]);
    expect(grants[2]!.name.length).toBeLessThanOrEqual(120);
    expect(grants.slice(0, 2).map(({ name }) => name)).toEqual(['resourcegroup-shop-reader-user', 'storageaccount-shop-reader-user']);
  });

  test('given twice is found', () => {
    const scope = chart();
    const rg = group(scope);
    const to = identity(scope, 'user', rg).output('principalId');
    new RoleGrant(scope, 'one', { on: rg, role: BuiltInRole.READER, to });
    new RoleGrant(scope, 'two', { on: rg, role: BuiltInRole.READER, to });
    expect(findings(scope).join()).toContain('\'resourcegroup-rg-reader-user\' is also the name of \'chart/one\'');
  });

  test.each<[string, Partial<Record<keyof RoleGrantProps, unknown>>, string]>([
    ['no principal', {}, 'to whom? Give \'to\''],
    ['two principals', { to: ConfigMapValue.fromConfigMap('a', 'b'), principalId: SUBSCRIPTION }, 'are two ways to say to whom'],
    ['a principal of the wrong type', { to: SUBSCRIPTION }, 'is no output. Give identity.outputs.principalId'],
    ['no resource', { on: 'rg', principalId: SUBSCRIPTION }, '[chart/grant] RoleGrant on: is no reference'],
    ['no role', { role: 'Reader', principalId: SUBSCRIPTION }, 'role: is no role. Give a BuiltInRole'],
  ])('%s is refused where it is written', (_, props, message) => {
    const scope = chart();
    expect(() => new RoleGrant(scope, 'grant', { on: group(scope), role: BuiltInRole.READER, ...props } as RoleGrantProps)).toThrow(
      message,
    );
  });
});
