import { builtInRoleId, builtInRoleName, builtInRoleNames } from '../../src/azure/built-in-roles';

describe('built-in roles', () => {
  test('each has an id of its own', () => {
    const ids = builtInRoleNames().map((name) => builtInRoleId(name)!);
    expect(ids.length).toBeGreaterThan(900);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('each is named by its id', () => {
    expect(builtInRoleNames().map((name) => builtInRoleName(builtInRoleId(name)!.toUpperCase()))).toEqual(builtInRoleNames());
    expect(builtInRoleName('00000000-0000-0000-0000-000000000000')).toBeUndefined();
  });

  test('are found by name, whatever its case', () => {
    expect(builtInRoleId('contributor')).toBe('b24988ac-6180-42a0-ab88-20f7382dd24c');
    expect(builtInRoleId('Key Vault Secrets User')).toBe('4633458b-17de-408a-b874-0445c86b69e6');
    expect(builtInRoleId('app configuration DATA reader')).toBe('516239f1-63e1-4d78-a4de-a74fb236a071');
    expect(builtInRoleId('Chief')).toBeUndefined();
  });
});
