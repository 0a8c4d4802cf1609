import { App } from 'cdk8s';
import {
  account,
  using,
  chart,
  Container,
  DataConnection,
  FederatedCredential,
  findings,
  GROUP_ID,
  group,
  identity,
  PostgresUser,
  RoleAssignment,
  BlobService,
  ResourceGroup,
  StorageAccount,
  Identity,
  MetricAlert,
  VirtualNetwork,
} from './kinds';
import { AzureReference, BuiltInRole, ConfigMapValue } from '../../src/core';

/** The findings about one storage account with these props. */
function ofAccount(props: Record<string, unknown>): string[] {
  const scope = chart();
  account(scope, 'sa1', group(scope), props);
  return findings(scope);
}

describe('values', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['missing', { kind: undefined }, 'kind: is required, but missing.'],
    ['missing inside', { sku: {} }, 'sku.name: is required, but missing.'],
    ['misspelt', { minimumTlsVersoin: 'TLS1_2' }, "minimumTlsVersoin: there is no such property. Did you mean 'minimumTlsVersion'?"],
    [
      'misspelt inside',
      { networkAcls: { defaultAction: 'Deny', bypas: 'None' } },
      "networkAcls.bypas: there is no such property. Did you mean 'bypass'?",
    ],
    ['unlike anything there is', { sku: { name: 'Standard_LRS', wombat: 'x' } }, 'sku.wombat: there is no such property. There are: name.'],
    ['in an object below', { bypass: 'None' }, "bypass: there is no such property. Did you mean 'networkAcls.bypass'?"],
    [
      'called as in Azure',
      { encryption: { identity: { userAssignedIdentity: 'x' } } },
      "encryption.identity.userAssignedIdentity: there is no such property. Azure's 'userAssignedIdentity' is called 'userAssignedIdentityReference' here: "
        + 'give the resource instead of its id.',
    ],
    ['nothing like it', { wombat: 1 }, 'wombat: there is no such property.'],
    [
      'not in the list',
      { kind: 'StorageV3' },
      "kind: 'StorageV3' is not an allowed value; did you mean 'StorageV2'? Allowed: 'BlobStorage', 'BlockBlobStorage', 'FileStorage', 'Storage', 'StorageV2'.",
    ],
    [
      'in the wrong case',
      { accessTier: 'hot' },
      "accessTier: 'hot' is not an allowed value; did you mean 'Hot'? Allowed: 'Cold', 'Cool', 'Hot', 'Premium'.",
    ],
    ['of the wrong type', { location: 7 }, 'location: is 7, but has to be a string.'],
    ['text for a truth value', { isHnsEnabled: 'yes' }, "isHnsEnabled: is 'yes', but has to be true or false."],
    ['text for a list', { zones: '1' }, "zones: is '1', but has to be a list."],
    ['a wrong element', { zones: ['1', 2] }, 'zones[1]: is 2, but has to be a string.'],
    ['a hole in a list', { zones: ['1', undefined] }, 'zones[1]: is empty. Leave the element out.'],
    ['a list for a map', { tags: ['a'] }, 'tags: is a list, but has to be a map.'],
    ['a wrong value in a map', { tags: { a: true } }, 'tags.a: is true, but has to be a string.'],
    ['text for an object', { sku: 'Standard_LRS' }, "sku: is 'Standard_LRS', but has to be an object."],
    ['too long', { azureName: 'a'.repeat(25) }, `azureName: '${'a'.repeat(25)}' has 25 characters; at most 24 are allowed.`],
    ['too short', { azureName: 'ab' }, "azureName: 'ab' has 2 characters; at least 3 are needed."],
    ['against the pattern', { azureName: 'My-Account' }, "azureName: 'My-Account' does not match the pattern ^[a-z0-9]+$."],
    [
      'a name from elsewhere',
      { metadata: { name: 'my-account' } },
      "azureName: 'my-account' does not match the pattern ^[a-z0-9]+$. It is the object's metadata.name, for want of an azureName: give azureName.",
    ],
    [
      'too large',
      { immutableStorageWithVersioning: { enabled: true, immutabilityPolicy: { immutabilityPeriodSinceCreationInDays: 200000 } } },
      'immutableStorageWithVersioning.immutabilityPolicy.immutabilityPeriodSinceCreationInDays: 200000 is too large; at most 146000 is allowed.',
    ],
    [
      'not whole',
      { immutableStorageWithVersioning: { immutabilityPolicy: { immutabilityPeriodSinceCreationInDays: 1.5 } } },
      'immutableStorageWithVersioning.immutabilityPolicy.immutabilityPeriodSinceCreationInDays: is 1.5, but has to be a whole number.',
    ],
    [
      'an unknown policy',
      { reconcilePolicy: 'detach' },
      "reconcilePolicy: 'detach' is not a policy; the operator takes an unknown policy for manage, and may then delete what was to be kept. Use one of manage, skip, detach-on-delete.",
    ],
    [
      'an unknown policy as annotation',
      { metadata: { name: 'sa1', annotations: { 'serviceoperator.azure.com/reconcile-policy': 'Skip' } } },
      "reconcilePolicy: 'Skip' is not a policy; the operator takes an unknown policy for manage, and may then delete what was to be kept. Did you mean 'skip'?",
    ],
  ])('%s', (_, props, expected) => {
    const found = ofAccount(props);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`[chart/sa1] StorageAccount ${expected}`);
  });

  test('that are right are not complained about', () => {
    expect(ofAccount({ tags: {}, zones: [], isHnsEnabled: false, customDomain: undefined, accessTier: null })).toEqual([]);
  });

  test('all that is wrong is said at once, and synth fails', () => {
    const scope = chart();
    account(scope, 'sa1', group(scope), { kind: 'x', location: 1, foo: 1 });
    expect(findings(scope)).toHaveLength(3);
    expect(() => (scope.node.root as App).synthYaml()).toThrow(
      /Validation failed[^]*\[chart\/sa1\] StorageAccount location[^]*kind[^]*foo/,
    );
  });

  test('of a list with bounds', () => {
    const scope = chart();
    new BlobService(scope, 'blob', { owner: account(scope, 'sa1', group(scope)), restorePolicy: { enabled: true, days: 0 } });
    expect(findings(scope)).toEqual(['[chart/blob] StorageAccountsBlobService restorePolicy.days: 0 is too small; at least 1 is needed.']);
  });
});

describe('alternatives', () => {
  test('a value and its import exclude each other', () => {
    const scope = chart();
    new RoleAssignment(scope, 'role', {
      owner: group(scope),
      principalId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
      principalIdFromConfig: ConfigMapValue.fromConfigMap('c', 'k'),
      roleDefinitionReference: BuiltInRole.READER,
    });
    expect(findings(scope)).toEqual([
      "[chart/role] RoleAssignment principalIdFromConfig: 'principalIdFromConfig' and 'principalId' are two ways to give the same value. Give one of them.",
    ]);
  });

  test('an output or a resource in place of a text is led to the property that takes it', () => {
    const scope = chart();
    const owner = group(scope);
    const principalId = ConfigMapValue.fromConfigMap('c', 'k');
    new RoleAssignment(scope, 'role', { owner, principalId, roleDefinitionReference: BuiltInRole.READER });
    new MetricAlert(scope, 'alert', { owner, scopesReferences: [], actions: [{ actionGroupId: owner }] });
    expect(findings(scope)).toEqual(expect.arrayContaining([
      "[chart/role] RoleAssignment principalId: is an output of a resource. Give it to 'principalIdFromConfig'.",
      "[chart/alert] MetricAlert actions[0].actionGroupId: is a resource. Give it to 'actionGroupReference'.",
    ]));
  });

  test('an import takes outputs and ConfigMap keys only', () => {
    const scope = chart();
    new RoleAssignment(scope, 'role', { owner: group(scope), principalIdFromConfig: 'x', roleDefinitionReference: BuiltInRole.READER });
    expect(findings(scope)[0]).toContain(
      "principalIdFromConfig: is 'x', but has to be an output of a resource (x.outputs.y) or ConfigMapValue.fromConfigMap(name, key).",
    );
  });

  test('a union needs exactly one member', () => {
    const scope = chart();
    const owner = AzureReference.fromName('kusto.azure.com', 'Database', 'db');
    new DataConnection(scope, 'none', { owner });
    new DataConnection(scope, 'two', {
      owner,
      eventGridDataConnection: null,
      eventHubDataConnection: { kind: 'EventHub' },
      iotHubDataConnection: { kind: 'IotHub' },
    });
    const found = findings(scope);
    expect(found.find((line) => line.startsWith('[chart/none]'))).toContain("exactly one of 'cosmosDbDataConnection', 'eventGridDataConnection', 'eventHubDataConnection', 'iotHubDataConnection' is needed, but none is given.");
    expect(found.some((line) => line.includes("'eventHubDataConnection' and 'iotHubDataConnection' exclude each other."))).toBe(true);
  });
});

describe('owners and references', () => {
  test.each<[string, unknown, string]>([
    [
      'of the wrong kind',
      Identity.named('id'),
      "owner: a StorageAccount cannot be owned by a UserAssignedIdentity of managedidentity.azure.com ('id'). Give a ResourceGroup of resources.azure.com: the construct, ResourceGroup.fromName(name) or ResourceGroup.fromArmId(id).",
    ],
    [
      'an id of the wrong type',
      AzureReference.fromArmId(`${GROUP_ID}/providers/Microsoft.Storage/storageAccounts/x`),
      'owner: a StorageAccount cannot be owned by a Microsoft.Storage/storageAccounts (',
    ],
    ['a well-known name', AzureReference.wellKnown('x'), "owner: a well-known name ('x') cannot own a StorageAccount."],
    ['just a name', 'rg', "owner: is 'rg', but has to be a reference to a resource."],
    ['just an id', GROUP_ID, 'Write AzureReference.fromArmId(id).'],
    ['missing', undefined, 'owner: is required, but missing.'],
  ])('an owner %s', (_, owner, expected) => {
    const scope = chart();
    account(scope, 'sa1', owner);
    const found = findings(scope);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('[chart/sa1] StorageAccount ');
    expect(found[0]).toContain(expected);
  });

  test('an owner by id, and one that is not here', () => {
    const scope = chart();
    account(scope, 'sa1', AzureReference.fromArmId(GROUP_ID.replace('resourceGroups', 'resourcegroups')));
    account(scope, 'sa2', ResourceGroup.named('elsewhere'));
    expect(findings(scope)).toEqual([]);
    expect(scope.toJson().map((manifest) => manifest.spec.owner)).toEqual([
      { armId: `/subscriptions/${GROUP_ID.split('/')[2]}/resourcegroups/shared` },
      { name: 'elsewhere' },
    ]);
  });

  test('a database user needs an object', () => {
    const scope = chart();
    new PostgresUser(scope, 'user', {
      owner: AzureReference.fromArmId(`${GROUP_ID}/providers/Microsoft.DBforPostgreSQL/flexibleServers/x`),
      localUser: {},
    });
    expect(findings(scope)[0]).toContain(
      'owner: a User cannot be owned by ARM id. Give a FlexibleServer of dbforpostgresql.azure.com: the construct, FlexibleServer.fromName(name).',
    );
  });

  test('a well-known name only where there are some', () => {
    const scope = chart();
    new RoleAssignment(scope, 'role', {
      owner: group(scope),
      principalId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52',
      roleDefinitionReference: AzureReference.wellKnown('Contributor'),
    });
    identity(scope, 'app-id', ResourceGroup.named('rg'));
    account(scope, 'sa1', ResourceGroup.named('rg'), using(AzureReference.wellKnown('me')));
    expect(findings(scope)).toEqual([
      expect.stringContaining("networkAcls.resourceAccessRules[0].resourceReference: takes no well-known name ('me')."),
    ]);
    expect(scope.toJson.bind(scope)).toThrow('Validation failed');
  });

  test('texts that are no ids and names are refused where they are written', () => {
    expect(() => AzureReference.fromArmId('/subscriptions')).toThrow("'/subscriptions' is not an ARM id.");
    expect(() => AzureReference.fromName('storage.azure.com', 'StorageAccount', GROUP_ID)).toThrow(
      'It looks like an ARM id: use fromArmId.',
    );
    expect(() =>
      AzureReference.fromTypedArmId(GROUP_ID, 'Microsoft.Storage/storageAccounts', 'storage.azure.com', 'StorageAccount'),
    ).toThrow(
      `'${GROUP_ID}' is the id of a Microsoft.Resources/resourceGroups, not of a Microsoft.Storage/storageAccounts (StorageAccount).`,
    );
    expect(BuiltInRole.fromName('contributor').roleDefinitionId).toBe(BuiltInRole.CONTRIBUTOR.roleDefinitionId);
    expect(BuiltInRole.fromName('AcrQuarantineReader').roleDefinitionId).toBe('cdda3590-29a3-44f6-95f2-9f980659eb04');
    expect(() => BuiltInRole.fromName('Contributr')).toThrow(
      "'Contributr' is not the name of a built-in role. Did you mean 'Contributor'?",
    );
    expect(() => BuiltInRole.custom('Contributor')).toThrow("'Contributor' is not the id of a role definition.");
  });

  test('nested kinds have their own owner', () => {
    const scope = chart();
    const rg = group(scope);
    new Container(scope, 'c', { owner: new BlobService(scope, 'b', { owner: account(scope, 'sa1', rg) }), azureName: 'data' });
    new FederatedCredential(scope, 'fic', { owner: rg, audiences: ['x'] });
    new VirtualNetwork(scope, 'vnet', { owner: rg, location: 'uksouth', addressSpace: { addressPrefixes: ['10.0.0.0/8'] } });
    expect(findings(scope)).toEqual([
      expect.stringContaining(
        '[chart/fic] FederatedIdentityCredential owner: a FederatedIdentityCredential cannot be owned by a ResourceGroup',
      ),
    ]);
    expect(StorageAccount.named('x').azureResourceRef).toEqual({ group: 'storage.azure.com', kind: 'StorageAccount', name: 'x' });
  });
});
