import { App, Chart, Testing } from 'cdk8s';
import { AsoAuthentication, AsoCredential, BuiltInRole, ConfigMapValue, Defaults, Principal, PrincipalType } from '../../src/core';
import { UserAssignedIdentity } from '../../src/services/managedidentity';
import { ResourceGroup } from '../../src/services/resources';
import { Namespace, SBSkuName } from '../../src/services/servicebus';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const TENANT = '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11';

function shop(group?: (chart: Chart) => ResourceGroup) {
  const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
  const owner = group?.(chart) ?? new ResourceGroup(chart, 'group', { azureName: 'rg-shop', location: 'uksouth' });
  const bus = new Namespace(chart, 'bus', { owner, azureName: 'shop-bus', sku: { name: SBSkuName.STANDARD } });
  const identity = new UserAssignedIdentity(chart, 'identity', { owner });
  return { chart, bus, identity };
}

const assignments = (chart: Chart) => (Testing.synth(chart) as { kind: string; metadata: { name: string }; spec: any }[])
  .filter(({ kind }) => kind === 'RoleAssignment');

describe('grant', () => {
  test('to an identity of the app, once', () => {
    const { chart, bus, identity } = shop();
    const queue = bus.addQueue('orders');
    const grant = queue.grant(BuiltInRole.SERVICE_BUS_DATA_SENDER, identity);
    expect(queue.grant(BuiltInRole.SERVICE_BUS_DATA_SENDER, identity)).toBe(grant);
    const [assignment, ...others] = assignments(chart);
    expect(others).toEqual([]);
    expect(assignment!.spec).toMatchObject({
      owner: { kind: 'NamespacesQueue', name: queue.name },
      principalIdFromConfig: { name: `${identity.name}-outputs`, key: 'principalId' },
      principalType: 'ServicePrincipal',
    });
  });

  test('to a group by its object id, and to an output', () => {
    const { chart, bus } = shop();
    bus.grant(BuiltInRole.READER, Principal.fromObjectId(TENANT, PrincipalType.GROUP));
    bus.grant(BuiltInRole.READER, Principal.fromConfig(ConfigMapValue.fromConfigMap('cluster', 'kubelet')));
    expect(assignments(chart).map(({ spec }) => [spec.principalId ?? spec.principalIdFromConfig, spec.principalType])).toEqual([
      [TENANT, 'Group'], [{ name: 'cluster', key: 'kubelet' }, 'ServicePrincipal'],
    ]);
  });

  test('to something else is refused', () => {
    const { bus } = shop();
    expect(() => bus.grant(BuiltInRole.READER, 'web' as any)).toThrow('[shop/bus] grant to: is no principal. Give an identity');
    expect(() => Principal.fromObjectId('web')).toThrow(/object id/);
  });
});

describe('armId', () => {
  const id = `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shop/providers/Microsoft.ServiceBus/namespaces/shop-bus`;

  test('has the subscription of the defaults', () => {
    const { chart, bus } = shop();
    Defaults.of(chart).use({ subscriptionId: SUBSCRIPTION });
    expect(bus.armId).toBe(id);
    expect(bus.addQueue('orders').armId).toBe(`${id}/queues/orders`);
  });

  test('has the subscription of the credential, of the object or of its namespace', () => {
    const props = { subscriptionId: SUBSCRIPTION, tenantId: TENANT, authentication: AsoAuthentication.workloadIdentity(TENANT) };
    const { chart, bus } = shop();
    new AsoCredential(chart, 'credential', props);
    expect(bus.armId).toBe(id);
  });

  test('has the subscription of a group by ARM id', () => {
    const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
    const owner = ResourceGroup.fromArmId(`/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-shop`);
    expect(new Namespace(chart, 'bus', { owner, azureName: 'shop-bus', location: 'uksouth' }).armId).toBe(id);
  });

  test('that is known only later says what is missing', () => {
    const { bus, chart } = shop();
    expect(() => bus.armId).toThrow('[shop/bus] The ARM id is not known: it begins with the subscription');
    Defaults.of(chart).use({ subscriptionId: SUBSCRIPTION });
    const other = new Namespace(chart, 'other', { owner: ResourceGroup.fromName('shared'), azureName: 'shop-other', location: 'uksouth' });
    expect(() => other.armId).toThrow(/of ResourceGroup 'shared' only the name is known/);
  });
});
