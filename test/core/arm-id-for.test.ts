import { account, BlobService, chart, group, GROUP_ID, identity, PostgresUser, ResourceGroup, RoleAssignment, SUBSCRIPTION } from './kinds';
import { AzureReference, BuiltInRole, RoleGrant } from '../../src/core';

const idOf = (resource: Parameters<typeof AzureReference.armIdFor>[0]) => AzureReference.armIdFor(resource, SUBSCRIPTION);

describe('the ARM id of a resource', () => {
  test('follows from its owners\' names and the subscription', () => {
    const scope = chart();
    const rg = group(scope, 'rg', { azureName: 'Group-1' });
    const storage = account(scope, 'files', rg);
    const blobs = new BlobService(scope, 'blobs', { owner: storage });
    const rgId = `/subscriptions/${SUBSCRIPTION}/resourceGroups/Group-1`;
    expect([rg, storage, blobs].map(idOf)).toEqual([
      rgId,
      `${rgId}/providers/Microsoft.Storage/storageAccounts/files`,
      `${rgId}/providers/Microsoft.Storage/storageAccounts/files/blobServices/default`,
    ]);
  });

  test('lies in the subscription of an owner that is given by id', () => {
    expect(
      idOf(
        identity(
          chart(),
          'user',
          AzureReference.fromTypedArmId(GROUP_ID, 'Microsoft.Resources/resourceGroups', 'resources.azure.com', 'ResourceGroup'),
        ),
      ),
    ).toBe(`${GROUP_ID}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/user`);
    expect(AzureReference.armIdFor(AzureReference.fromArmId(GROUP_ID), SUBSCRIPTION.replace(/.$/, '0'))).toBe(GROUP_ID);
  });

  test('of a role assignment has the GUID that the operator will give it', () => {
    const scope = chart();
    const rg = group(scope);
    const grant = new RoleGrant(scope, 'grant', { on: rg, role: BuiltInRole.READER, principalId: SUBSCRIPTION });
    expect(idOf(grant)).toMatch(
      /^\/subscriptions\/.*\/resourceGroups\/rg\/providers\/Microsoft.Authorization\/roleAssignments\/[0-9a-f-]{36}$/,
    );
    expect(grant.roleAssignmentRef).toEqual(grant.azureResourceRef);
  });

  test('that is not known is an error that says why', () => {
    const scope = chart();
    expect(() => idOf(account(scope, 'files', ResourceGroup.named('other')))).toThrow(
      "[chart/files] The ARM id of StorageAccount 'files' is not known before it is applied: of ResourceGroup 'other' only the name is known.",
    );
    expect(() => idOf(ResourceGroup.named('other'))).toThrow("The ARM id of ResourceGroup 'other' is not known before it is applied");
    expect(() =>
      idOf(
        new PostgresUser(scope, 'user', {
          owner: AzureReference.fromName('dbforpostgresql.azure.com', 'FlexibleServer', 'db'),
          localUser: {},
        }),
      ),
    ).toThrow('is not known');
    expect(() => idOf(AzureReference.wellKnown('Reader'))).toThrow("The ARM id of the resource 'Reader' is not known");
    expect(() => AzureReference.armIdFor(group(scope), 'mine')).toThrow("The subscription id 'mine' is no UUID.");
    const nameless = chart('platform', 'nameless');
    const late = new RoleAssignment(nameless, 'role', {
      owner: AzureReference.fromName('resources.azure.com', 'ResourceGroup', 'x'),
      principalId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
      roleDefinitionReference: BuiltInRole.READER,
    });
    expect(() => idOf(late)).toThrow('not known');
  });

  test('of owners in a cycle is not known', () => {
    const scope = chart();
    const rg = group(scope);
    Object.defineProperty(rg, 'owner', { value: rg.azureResourceRef });
    expect(() => idOf(account(scope, 'files', rg))).toThrow('is not known before it is applied');
  });
});
