import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventhub, sql } from '../../src';
import { Catalog } from '../../src/catalog';
import { meantKinds } from '../../src/catalog/meant-kinds';
import { shortNameOf } from '../../src/catalog/short-names';

const catalog = Catalog.default();
const named = catalog.allKinds.flatMap((kind) => {
  const name = shortNameOf(kind.service, kind.kind);
  return name === undefined ? [] : [{ kind, name }];
});

test.each([
  ['eventhub', 'NamespacesEventhub', 'EventHub'],
  ['eventhub', 'NamespacesEventhubsConsumerGroup', 'ConsumerGroup'],
  ['sql', 'ServersDatabase', 'SqlDatabase'],
  ['sql', 'ServersDatabasesAuditingSetting', 'SqlDatabaseAuditingSetting'],
  ['sql', 'ServersIPV6FirewallRule', 'SqlServerIPV6FirewallRule'],
  ['network', 'DnsZonesARecord', 'DnsARecord'],
  ['network', 'VirtualNetworksSubnet', 'Subnet'],
  ['containerservice', 'ManagedClustersAgentPool', 'AgentPool'],
  ['cache', 'Redis', 'RedisCache'],
  ['cache', 'RedisEnterprise', undefined],
  ['network', 'VirtualNetwork', undefined],
  ['somewhere', 'constructor', undefined],
  ['network', 'constructor', undefined],
])('%s %s is known as %s', (service, kind, expected) => {
  expect(shortNameOf(service, kind)).toBe(expected);
});

test('a short name names one kind of all services', () => {
  const names = named.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThan(150);
});

test('no type of the same service has the name', () => {
  const types = (service: string) => {
    const folder = join(__dirname, '..', '..', 'src', 'services', service);
    return readdirSync(folder).filter((file) => file !== 'index.ts')
      .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/^export (?:class|interface|enum) (\w+)/gm)].map(([, name]) => name!));
  };
  const taken = new Map([...new Set(named.map(({ kind }) => kind.service))].map((service) => [service, new Set(types(service))]));
  expect(named.filter(({ kind, name }) => taken.get(kind.service)!.has(name) || taken.get(kind.service)!.has(`${name}Props`))).toEqual([]);
});

test('the name finds its kind', () => {
  const wrong = named.filter(({ kind, name }) => meantKinds({ kind: name }, catalog)[0] !== kind);
  expect(wrong.map(({ kind, name }) => `${name}: ${kind.kind}`)).toEqual([]);
});

test('the class has both names', () => {
  expect(eventhub.EventHub).toBe(eventhub.NamespacesEventhub);
  const props: sql.SqlDatabaseProps = { owner: sql.SqlServer.fromName('db'), location: 'westeurope' };
  expect(props.owner).toBeDefined();
});
