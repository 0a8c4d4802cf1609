import * as fc from 'fast-check';
import { builtInRoleId, builtInRoleNames } from '../../../src/azure/built-in-roles';
import { allows, matchesAction } from '../../../src/azure/permissions/action-match';
import { builtInPermission, KNOWN_ROLE_IDS } from '../../../src/azure/permissions/built-in-permissions';
import { callAction, linkAction, resourceActions } from '../../../src/azure/permissions/needed-actions';
import { Catalog } from '../../../src/catalog';

test.each([
  ['*', 'Microsoft.Storage/storageAccounts/write', true],
  ['*/read', 'Microsoft.Storage/storageAccounts/read', true],
  ['*/read', 'Microsoft.Storage/storageAccounts/write', false],
  ['Microsoft.Storage/*', 'microsoft.storage/STORAGEACCOUNTS/listKeys/action', true],
  ['Microsoft.Storage/*', 'Microsoft.StorageSync/services/read', false],
  ['Microsoft.Authorization/*/Write', 'Microsoft.Authorization/roleAssignments/write', true],
  ['Microsoft.Authorization/*/Write', 'Microsoft.Authorization/roleAssignments/delete', false],
  ['Microsoft.ServiceBus/*/topics/read', 'Microsoft.ServiceBus/namespaces/topics/read', true],
  ['Microsoft.ServiceBus/*/topics/read', 'Microsoft.ServiceBus/namespaces/topics/subscriptions/read', false],
  [
    'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
    'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action',
    true,
  ],
  ['Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action', 'Microsoft.ManagedIdentity/userAssignedIdentities/assign', false],
  ['a*b*a', 'aba', true],
  ['a*b*a', 'aa', false],
  ['ab*ba', 'aba', false],
  ['Microsoft.Storage/storageAccounts/read', 'Microsoft.Storage/storageAccounts/read/x', false],
])('%s and %s: %s', (pattern, action, matches) => expect(matchesAction(pattern, action)).toBe(matches));

describe('laws of wildcards', () => {
  const letters = fc.stringMatching(/^[ab./]{0,6}$/);
  const patterns = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('*'));
  // A segment of its own may be empty, which the regular expression does not say.
  const plain = patterns.filter((pattern) => !pattern.includes('/*/'));

  test('a pattern is what the regular expression says', () => {
    fc.assert(fc.property(plain, letters, (pattern, text) => {
      const expression = new RegExp(`^${pattern.split('*').map((part) => part.replace(/\./g, '\\.')).join('.*')}$`);
      expect(matchesAction(pattern, text)).toBe(expression.test(text));
    }), { numRuns: 2000 });
  });

  test('what stands for a wildcard does not matter, and neither does case', () => {
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 4 }),
        fc.array(letters, { minLength: 3, maxLength: 3 }),
        (parts, fillers) => {
          const text = parts.map((part, index) => (index === 0 ? part : `${fillers[index - 1]}${part}`)).join('');
          expect(matchesAction(parts.join('*'), text)).toBe(true);
          expect(matchesAction(parts.join('*').toUpperCase(), text)).toBe(true);
        },
      ),
    );
  });

  test('more actions never give less, more notActions never give more', () => {
    const list = fc.array(patterns, { maxLength: 3 });
    fc.assert(fc.property(list, list, patterns, letters, (actions, notActions, more, action) => {
      const before = allows([{ actions, notActions }], action);
      expect(allows([{ actions: [...actions, more], notActions }], action) || !before).toBe(true);
      expect(!allows([{ actions, notActions: [...notActions, more] }], action) || before).toBe(true);
      // A role's notActions restrict that role only.
      expect(allows([{ actions, notActions }, { actions: [more] }], action)).toBe(before || matchesAction(more, action));
    }));
  });

  test('a long text takes no longer than it is', () => {
    expect(matchesAction(`${'a*'.repeat(2000)}b`, 'a'.repeat(100_000))).toBe(false);
  });
});

describe('built-in roles', () => {
  const permission = (name: string) => [builtInPermission(builtInRoleId(name)!)!];

  test.each([
    ['Contributor', 'Microsoft.Storage/storageAccounts/delete', true],
    ['Contributor', 'Microsoft.Authorization/roleAssignments/write', false],
    ['Contributor', 'Microsoft.Authorization/roleAssignments/read', true],
    ['Owner', 'Microsoft.Authorization/roleAssignments/write', true],
    ['Reader', 'Microsoft.Storage/storageAccounts/listKeys/action', false],
    ['User Access Administrator', 'Microsoft.Authorization/roleDefinitions/write', true],
    ['Role Based Access Control Administrator', 'Microsoft.Authorization/roleDefinitions/write', false],
    ['Managed Identity Operator', 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', true],
    ['Managed Identity Contributor', 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action', false],
    ['Azure Service Bus Data Owner', 'Microsoft.ServiceBus/namespaces/queues/delete', true],
    ['Azure Service Bus Data Sender', 'Microsoft.ServiceBus/namespaces/queues/write', false],
    ['Storage Account Contributor', 'Microsoft.Storage/storageAccounts/listKeys/action', true],
    ['Storage Blob Data Contributor', 'Microsoft.Storage/storageAccounts/write', false],
    ['Network Contributor', 'Microsoft.Network/virtualNetworks/subnets/join/action', true],
    ['Private DNS Zone Contributor', 'Microsoft.Network/privateDnsZones/A/write', true],
    ['Key Vault Contributor', 'Microsoft.KeyVault/locations/deletedVaults/purge/action', false],
  ])('%s, %s: %s', (role, action, given) => expect(allows(permission(role), action)).toBe(given));

  test('every id of the table is that of a built-in role', () => {
    const known = new Set(builtInRoleNames().map((name) => builtInRoleId(name)!.toLowerCase()));
    expect(KNOWN_ROLE_IDS.length).toBeGreaterThan(30);
    expect(KNOWN_ROLE_IDS.filter((id) => !known.has(id))).toEqual([]);
    expect(builtInPermission('00000000-0000-0000-0000-000000000000')).toBeUndefined();
    expect(builtInPermission('__proto__')).toBeUndefined();
  });
});

describe('what is needed', () => {
  test('on a resource, as far as it is managed', () => {
    const type = 'Microsoft.ServiceBus/namespaces/queues';
    expect(resourceActions(type, { writes: true, deletes: true })).toEqual([`${type}/read`, `${type}/write`, `${type}/delete`]);
    expect(resourceActions(type, { writes: true, deletes: false })).toEqual([`${type}/read`, `${type}/write`]);
    expect(resourceActions(type, { writes: false, deletes: false })).toEqual([`${type}/read`]);
  });

  test('on a resource group, which has another name among actions', () => {
    expect(resourceActions('Microsoft.Resources/resourceGroups', { writes: true, deletes: false })[1]).toBe(
      'Microsoft.Resources/subscriptions/resourceGroups/write',
    );
  });

  test.each([
    ['Microsoft.Storage/storageAccounts', 'POST', 'listKeys', 'Microsoft.Storage/storageAccounts/listKeys/action'],
    [
      'Microsoft.ServiceBus/namespaces',
      'POST',
      'AuthorizationRules/RootManageSharedAccessKey/listKeys',
      'Microsoft.ServiceBus/namespaces/AuthorizationRules/listKeys/action',
    ],
    ['Microsoft.OperationalInsights/workspaces', 'POST', 'sharedKeys', 'Microsoft.OperationalInsights/workspaces/sharedKeys/action'],
    ['Microsoft.X/ys', 'GET', 'keys', 'Microsoft.X/ys/keys/read'],
    ['Microsoft.X/ys', 'GET', 'zs/default', 'Microsoft.X/ys/zs/read'],
  ])('for a call: %s %s %s', (type, method, path, action) => expect(callAction(type, method, path)).toBe(action));

  test('every call of the catalog has an action', () => {
    const actions = Catalog.default().allKinds.flatMap((kind) => {
      const type = kind.latest.facts.arm?.type;
      return Object.values(kind.facts.secretSources?.calls ?? {}).map(({ method, path }) => callAction(type!, method, path));
    });
    expect(actions.length).toBeGreaterThan(15);
    for (const action of actions) expect(action).toMatch(/^[\w.]+(\/\w+)+\/(action|read)$/i);
  });

  test.each([
    [
      'Microsoft.Network/privateEndpoints',
      'Microsoft.Network/virtualNetworks/subnets',
      'spec.subnet.reference',
      'Microsoft.Network/virtualNetworks/subnets/join/action',
    ],
    [
      'Microsoft.Storage/storageAccounts',
      'Microsoft.Network/virtualNetworks/subnets',
      'spec.networkAcls',
      'Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action',
    ],
    [
      'Microsoft.Network/privateEndpoints',
      'Microsoft.Storage/storageAccounts',
      'spec.privateLinkServiceConnections[0].privateLinkServiceReference',
      'Microsoft.Storage/storageAccounts/PrivateEndpointConnectionsApproval/action',
    ],
    [
      'Microsoft.Network/privateEndpoints',
      'Microsoft.Storage/storageAccounts',
      'spec.manualPrivateLinkServiceConnections[0].privateLinkServiceReference',
      undefined,
    ],
    [
      'Microsoft.Storage/storageAccounts',
      'Microsoft.ManagedIdentity/userAssignedIdentities',
      'spec.identity',
      'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action',
    ],
    [
      'Microsoft.Network/virtualNetworks/virtualNetworkPeerings',
      'Microsoft.Network/virtualNetworks',
      'spec.remoteVirtualNetwork',
      'Microsoft.Network/virtualNetworks/peer/action',
    ],
    ['Microsoft.Storage/storageAccounts', 'Microsoft.KeyVault/vaults', 'spec.encryption', undefined],
  ])('%s to %s at %s', (from, to, path, action) => expect(linkAction(from, to, path)).toBe(action));
});
