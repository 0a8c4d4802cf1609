import { childName, CHILD_NAME_EXCEPTIONS } from '../../codegen/child-names';
import type { ChildModel } from '../../codegen/model';
import { serviceModel } from '../../codegen/service-model';
import { Catalog } from '../../src/catalog';

const catalog = Catalog.default();
const models = catalog.services.map((service) => serviceModel(catalog, service));
const owners = models.flatMap((model) => [...model.children].map(([owner, children]) => ({ model, owner, children })));

/** The properties that every resource has; a property with a singleton must have another name. */
const TAKEN = ['name', 'kind', 'owner', 'metadata', 'chart', 'node', 'outputs', 'reference', 'dependency', 'jsonPatch'];

test('every kind with an owner in its own service is created by it', () => {
  for (const model of models) {
    const direct = [...model.children.values()].flat().filter(({ through }) => !through);
    const created = direct.map(({ kind }) => kind.className);
    const owned = model.kinds.filter(({ owner }) => owner.kind === 'known' && owner.submodule === model.submodule);
    expect(created.sort()).toEqual(owned.map(({ className }) => className).sort());
  }
  expect(owners.flatMap(({ children }) => children).length).toBeGreaterThan(170);
});

test('no owner has two children of one name, and no name begins with the owner\'s', () => {
  for (const { model, owner, children } of owners) {
    const names = children.map(({ name }) => name);
    expect([owner, names]).toEqual([owner, [...new Set(names)]]);
    const repeated = names.filter((name) => name.toLowerCase().includes(owner.toLowerCase()));
    expect([model.service, owner, repeated]).toEqual([model.service, owner, []]);
    expect(children.filter(({ property }) => TAKEN.includes(property!))).toEqual([]);
  }
});

test('jsii takes every name: capitals begin words', () => {
  const names = owners.flatMap(({ children }) => children.map(({ name }) => name));
  expect(names.filter((name) => !/^([A-Z][a-z0-9]*)+$/.test(name) || /[A-Z]{2}(?!ecord)/.test(name.replace(/^A(?=Record)/, '')))).toEqual([]);
});

test.each([
  ['storage', 'StorageAccountsBlobServicesContainer', 'StorageAccountsBlobService', 'Container'],
  ['network', 'VirtualNetworksVirtualNetworkPeering', 'VirtualNetwork', 'Peering'],
  ['network', 'DnsForwardingRuleSetsForwardingRule', 'DnsForwardingRuleset', 'ForwardingRule'],
  ['network', 'FirewallPoliciesRuleCollectionGroup', 'FirewallPolicy', 'RuleCollectionGroup'],
  ['network', 'DnsZonesAAAARecord', 'DnsZone', 'AaaaRecord'],
  ['cache', 'RedisEnterpriseDatabase', 'RedisEnterprise', 'Database'],
  ['servicebus', 'NamespacesTopicsSubscription', 'NamespacesTopic', 'Subscription'],
  ['appconfiguration', 'KeyValue', 'ConfigurationStore', 'KeyValue'],
])('%s: %s in %s is a %s', (service, kind, owner, name) => {
  expect(childName(service, kind, owner)).toBe(name);
});

test('each exception is for a kind with an owner, and differs from the rule', () => {
  for (const [key, { name, why }] of Object.entries(CHILD_NAME_EXCEPTIONS)) {
    const [service, kind] = key.split('/') as [string, string];
    const owns = (children: readonly ChildModel[]) => children.some((child) => child.kind.className === kind);
    const found = owners.find(({ model, children }) => model.service === service && owns(children));
    expect([key, found?.model.service]).toEqual([key, service]);
    expect(childName(`not ${service}`, kind, found!.owner)).not.toBe(name);
    expect(why).not.toBe('');
  }
});
