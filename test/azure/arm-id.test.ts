import fc from 'fast-check';
import { armTypeOf, isArmId, parseArmId, sameArmId } from '../../src/azure/arm-id';

const GROUP = '/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32/resourceGroups/shared';

describe('ARM ids', () => {
  test.each([
    [GROUP, 'Microsoft.Resources/resourceGroups'],
    ['/subscriptions/4522538c-3f65-5b38-abd9-b80113019d32', 'Microsoft.Resources/subscriptions'],
    [`${GROUP}/providers/Microsoft.Storage/storageAccounts/a/blobServices/default`, 'Microsoft.Storage/storageAccounts/blobServices'],
    [
      `${GROUP}/providers/Microsoft.Storage/storageAccounts/a/providers/Microsoft.Authorization/roleAssignments/x`,
      'Microsoft.Authorization/roleAssignments',
    ],
    ['/providers/Microsoft.Subscription/aliases/x', 'Microsoft.Subscription/aliases'],
  ])('%s is the id of a %s', (id, type) => {
    expect(armTypeOf(id)).toBe(type);
  });

  test.each([
    '',
    'shared',
    '/subscriptions',
    `${GROUP}/`,
    `${GROUP}/providers/Microsoft.Storage`,
    'https://management.azure.com/subscriptions/x',
  ])('%p is none', (text) => {
    expect(isArmId(text)).toBe(false);
    expect(parseArmId(text)).toBeUndefined();
  });

  test('types and names go in pairs, whatever the depth', () => {
    const segment = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/).filter((text) => text !== 'providers');
    fc.assert(fc.property(fc.array(fc.tuple(segment, segment), { minLength: 1, maxLength: 5 }), (pairs) => {
      const parts = parseArmId(`${GROUP}/providers/Microsoft.Test/${pairs.flat().join('/')}`)!;
      expect(parts.types).toEqual(pairs.map(([type]) => type));
      expect(parts.names).toEqual(pairs.map(([, name]) => name));
      expect(parts.resourceGroup).toBe('shared');
    }));
  });

  test('case and a trailing slash make no difference', () => {
    expect(sameArmId(GROUP, `${GROUP.replace('resourceGroups', 'resourcegroups').toUpperCase()}/`)).toBe(true);
    expect(sameArmId(GROUP, `${GROUP}2`)).toBe(false);
  });
});
