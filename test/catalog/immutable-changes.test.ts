import { Catalog, immutableChanges, type ValueForm } from '../../src/catalog';

const versionOf = (group: string, kind: string) => Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
const paths = (group: string, kind: string, before: object, after: object, form: ValueForm = 'spec') =>
  immutableChanges(versionOf(group, kind), before, after, form).map(({ path }) => path);

test('another value of an immutable property is a change, in a spec and in a body', () => {
  const cluster = (dnsPrefix: string) => ({ dnsPrefix });
  expect(paths('containerservice', 'ManagedCluster', cluster('shop'), cluster('store'))).toEqual(['dnsPrefix']);
  expect(paths('containerservice', 'ManagedCluster', { properties: cluster('shop') }, { properties: cluster('store') }, 'body'))
    .toEqual(['dnsPrefix']);
  expect(paths('resources', 'ResourceGroup', { location: 'uksouth' }, { location: 'ukwest' })).toEqual(['location']);
});

test('upper case, blanks, absent values and other properties are no change', () => {
  const server = (location: string, more: object) => ({ location, ...more });
  expect(paths('resources', 'ResourceGroup', server('uksouth', { tags: { a: 'b' } }), server('UK South', { tags: {} }))).toEqual([]);
  expect(paths('containerservice', 'ManagedCluster', {}, { dnsPrefix: 'shop' })).toEqual([]);
});

test('a role definition is the same by its UUID, whatever its subscription', () => {
  const id = (scope: string, last: string) => `${scope}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-${last}`;
  const reference = (armId: string) => ({ roleDefinitionReference: { armId } });
  const body = (roleDefinitionId: string) => ({ properties: { roleDefinitionId } });
  const [short, long, other] = [id('', 'f606fba81ae7'), id('/subscriptions/x', 'F606FBA81AE7'), id('/subscriptions/x', '000000000000')];
  expect(paths('authorization', 'RoleAssignment', reference(short), reference(long))).toEqual([]);
  expect(paths('authorization', 'RoleAssignment', body(short), body(long), 'body')).toEqual([]);
  expect(paths('authorization', 'RoleAssignment', reference(short), reference(other))).toEqual(['roleDefinitionReference']);
  expect(paths('authorization', 'RoleAssignment', body(long), body(other), 'body')).toEqual(['roleDefinitionReference']);
});

test('items of a list are the same where they have one name', () => {
  const pools = (...sizes: [string, string][]) => ({ agentPoolProfiles: sizes.map(([name, vmSize]) => ({ name, vmSize })) });
  const before = pools(['a', 'Standard_D2s_v5'], ['b', 'Standard_D4s_v5']);
  expect(paths('containerservice', 'ManagedCluster', before, pools(['b', 'Standard_D4s_v5'], ['a', 'Standard_D2s_v5']))).toEqual([]);
  expect(paths('containerservice', 'ManagedCluster', before, pools(['b', 'Standard_D2s_v5'], ['c', 'Standard_D2s_v5'])))
    .toEqual(['agentPoolProfiles[b].vmSize']);
});
