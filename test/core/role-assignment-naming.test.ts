import { Chart } from 'cdk8s';
import { chart, findings, group, GROUP_ID, identity, Props, RoleAssignment, SUBSCRIPTION, synth } from './kinds';
import { AzureReference, BuiltInRole, ConfigMapValue, RoleAssignmentNaming } from '../../src/core';

const UUID_V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PRINCIPAL = 'a3b1c2d4-0000-4000-8000-000000000001';
const scopeId = AzureReference.fromArmId(GROUP_ID);
const byId = { owner: scopeId, roleDefinitionReference: BuiltInRole.READER, principalId: PRINCIPAL };

function assignment(props: Props, naming = RoleAssignmentNaming.TENANT_UNIQUE, scope = chart(), id = 'reader') {
  naming.applyTo(scope.node.root);
  return new RoleAssignment(scope, id, props);
}

const written = (scope: Chart, id: string) => synth(scope).find(({ metadata }) => metadata.name === id).spec.azureName;

test('left to the operator unless it is asked for', () => {
  const scope = chart();
  const made = new RoleAssignment(scope, 'reader', byId);
  expect([made.azureName, written(scope, 'reader')]).toEqual([undefined, undefined]);
  const left = assignment(byId, RoleAssignmentNaming.OPERATOR);
  expect(left.azureName).toBeUndefined();
});

test('a UUID version 5 that stands in the manifest, and lasts', () => {
  const made = assignment(byId);
  expect(made.azureName).toMatch(UUID_V5);
  expect(written(Chart.of(made), 'reader')).toBe(made.azureName);
  // Azure cannot rename: if this changes, assignments in use would be made anew.
  expect(made.azureName).toBe('35346ffd-116e-5bc6-ad15-12d3ba6eff8b');
});

test('it is made of what Azure sees: scope, principal and role, not of names in Kubernetes', () => {
  const name = assignment(byId).azureName;
  const same = [
    assignment(byId, undefined, chart('other-namespace'), 'other-name'),
    assignment({ ...byId, owner: AzureReference.fromArmId(GROUP_ID.toUpperCase()) }),
    assignment({ ...byId, principalId: PRINCIPAL.toUpperCase() }),
    assignment({ ...byId, roleDefinitionReference: AzureReference.wellKnown('Reader') }),
  ];
  expect(same.map(({ azureName }) => azureName)).toEqual(same.map(() => name));
  const others = [
    assignment({ ...byId, owner: AzureReference.fromArmId(`${GROUP_ID}2`) }),
    assignment({ ...byId, principalId: PRINCIPAL.replace('1', '2') }),
    assignment({ ...byId, roleDefinitionReference: BuiltInRole.CONTRIBUTOR }),
    assignment(byId, RoleAssignmentNaming.tenantUnique({ seed: 'cluster-1' })),
    assignment(byId, RoleAssignmentNaming.tenantUnique({ seed: 'cluster-2' })),
  ];
  expect(new Set([name, ...others.map(({ azureName }) => azureName)]).size).toBe(others.length + 1);
});

describe('resources of the app', () => {
  const make = (naming: RoleAssignmentNaming, names: { rg?: string; id?: string } = {}) => {
    const scope = chart();
    const rg = group(scope, 'rg', { azureName: names.rg ?? 'shop' });
    const who = identity(scope, 'identity', rg, { azureName: names.id ?? 'shop-id' });
    return assignment(
      { owner: rg, roleDefinitionReference: BuiltInRole.READER, principalIdFromConfig: who.output('principalId') },
      naming,
      scope,
    );
  };
  const inSubscription = (subscriptionId: string) => RoleAssignmentNaming.tenantUnique({ subscriptionId });

  test('are known by their ARM ids, once the subscription is known', () => {
    const one = make(inSubscription(SUBSCRIPTION));
    expect(findings(one)).toEqual([]);
    expect([one.azureName, make(inSubscription(SUBSCRIPTION)).azureName]).toEqual([expect.stringMatching(UUID_V5), one.azureName]);
    const others = [
      make(inSubscription(SUBSCRIPTION.replace('4', '5'))),
      make(inSubscription(SUBSCRIPTION), { rg: 'x' }),
      make(inSubscription(SUBSCRIPTION), { id: 'x-id' }),
    ];
    expect(new Set([one, ...others].map(({ azureName }) => azureName)).size).toBe(4);
  });

  test('without it, two clusters could not be told apart: an error', () => {
    expect(findings(make(RoleAssignmentNaming.TENANT_UNIQUE))).toEqual([
      '[chart/reader] RoleAssignment azureName: no name that is unique in the tenant: the ARM id of its owner is not known. Give the subscription, RoleAssignmentNaming.tenantUnique({ subscriptionId: … }), or a seed: RoleAssignmentNaming.tenantUnique({ seed: … }).',
      expect.stringMatching(/the ARM id of the identity is not known\./),
    ]);
  });

  test('a seed will do', () => {
    const one = make(RoleAssignmentNaming.tenantUnique({ seed: 'one' }));
    expect(findings(one)).toEqual([]);
    expect(one.azureName).not.toBe(make(RoleAssignmentNaming.tenantUnique({ seed: 'two' })).azureName);
  });

  test('an owner named only, a principal in a ConfigMap of others', () => {
    const naming = inSubscription(SUBSCRIPTION);
    const named = assignment({ ...byId, owner: AzureReference.fromName('resources.azure.com', 'ResourceGroup', 'rg') }, naming);
    expect(findings(named)).toEqual([
      expect.stringMatching(/it or an owner of it is not in the app\. Give the owner by ARM id \(fromArmId\), or a seed/),
    ]);
    const { principalId: _, ...rest } = byId;
    const who = assignment({ ...rest, principalIdFromConfig: ConfigMapValue.fromConfigMap('ids', 'principal') }, naming);
    expect(findings(who)).toEqual([expect.stringMatching(/whose id ConfigMap 'ids' holds is not known/)]);
  });

  test('an assignment at an assignment does not go round in cycles', () => {
    const scope = chart();
    const first = assignment(byId, RoleAssignmentNaming.tenantUnique({ seed: 's' }), scope);
    expect(assignment({ ...byId, owner: first }, RoleAssignmentNaming.tenantUnique({ seed: 's' }), scope, 'second').azureName).toMatch(
      UUID_V5,
    );
  });
});

describe('collisions are errors', () => {
  test('the same role for the same principal at the same scope', () => {
    const scope = chart();
    assignment(byId, undefined, scope, 'one');
    assignment(byId, undefined, scope, 'two');
    expect(findings(scope)).toEqual([
      expect.stringMatching(/^\[chart\/two\] RoleAssignment azureName: has the same Azure name \(UUID\) as 'chart\/one'/),
    ]);
  });

  test('one name at two scopes: names are unique in the tenant', () => {
    const scope = chart();
    new RoleAssignment(scope, 'one', { ...byId, azureName: PRINCIPAL });
    new RoleAssignment(scope, 'two', { ...byId, azureName: PRINCIPAL, owner: AzureReference.fromArmId(`${GROUP_ID}2`) });
    expect(findings(scope)).toEqual([expect.stringMatching(/^\[chart\/two\] .* has the same Azure name \(UUID\) as/)]);
  });
});

test('a name of its own stays, and has to be a UUID', () => {
  expect(assignment({ ...byId, azureName: PRINCIPAL }).azureName).toBe(PRINCIPAL);
  expect(findings(assignment({ ...byId, azureName: 'reader' }))).toEqual([
    expect.stringContaining("'reader' is no name that Azure takes for Microsoft.Authorization/roleAssignments: 36 characters of a UUID."),
  ]);
});

test('what is missing is reported as missing', () => {
  expect(findings(assignment({ owner: scopeId, roleDefinitionReference: BuiltInRole.READER }))).toEqual([]);
  expect(findings(assignment({ roleDefinitionReference: BuiltInRole.READER, principalId: PRINCIPAL }))).toEqual([
    expect.stringMatching(/owner: is required/),
  ]);
});
