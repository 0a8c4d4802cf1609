import fc from 'fast-check';
import { enumMemberOf, fileNameOf, submoduleOf, typeNameOf } from '../../codegen/names';
import { exportedNames, serviceModel } from '../../codegen/service-model';
import { StructNames } from '../../codegen/shapes';
import { kindNoun, phrase, withArticle } from '../../codegen/words';
import { Catalog } from '../../src/catalog';
import { listed } from '../../src/util/words';

const catalog = Catalog.default();
const models = catalog.services.map((service) => serviceModel(catalog, service));

describe('over the whole catalog', () => {
  test('every kind has its class', () => {
    expect(models.flatMap((model) => model.kinds.map((kind) => `${model.service}.${kind.className}`))).toEqual(
      catalog.allKinds.map((kind) => `${kind.service}.${kind.kind}`),
    );
    expect(models.flatMap((model) => model.kinds).length).toBeGreaterThan(280);
  });

  test('submodules are distinct, and so are the files and the exported names of each', () => {
    const distinct = (names: string[]) => expect(names.length).toBe(new Set(names.map((name) => name.toLowerCase())).size);
    distinct(catalog.services.map(submoduleOf));
    for (const model of models) {
      distinct(model.kinds.map((kind) => kind.fileName).concat('index', 'shared'));
      distinct(exportedNames(model));
    }
  });

  test('types, classes and enums have names that jsii takes', () => {
    // jsii's own measure. Its package exports only the compiler, so the file is named by its path.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { pascal } = require(`${process.cwd()}/node_modules/jsii/lib/case.js`) as { pascal(text: string): string };
    const names = models.flatMap(exportedNames).filter((name) => !/^I.+Ref$/.test(name));
    expect(names.filter((name) => pascal(name) !== name || /^I[A-Z]/.test(name))).toEqual([]);
  });

  test('enum members are capitals, distinct, and stand for all values', () => {
    const enums = models
      .flatMap((model) => [...model.shared, ...model.kinds.flatMap((kind) => kind.own)])
      .flatMap((declared) => (declared.is === 'enum' ? [declared] : []));
    expect(enums.length).toBeGreaterThan(1000);
    for (const { members } of enums) {
      expect(members.filter(({ name }) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
      expect(new Set(members.map(({ name }) => name)).size).toBe(members.length);
    }
  });

  test('four names mean two shapes: the older family keeps the name', () => {
    const qualified = models.flatMap((model) =>
      [...model.shared, ...model.kinds.flatMap((kind) => kind.own)].flatMap((declared) =>
        declared.is === 'struct' && declared.name !== typeNameOf(declared.specName)
          ? [`${model.service}: ${declared.specName} is ${declared.name}`]
          : [],
      ),
    );
    expect([...new Set(qualified)].sort()).toEqual([
      'cache: Sku is SkuOfRedisEnterprise',
      'network: ARecord is ARecordOfPrivateDnsZones',
      'network: AaaaRecord is AaaaRecordOfPrivateDnsZones',
      'network: SoaRecord is SoaRecordOfPrivateDnsZones',
    ]);
  });

  test('a kind sees the shape of its own version', () => {
    const names = new StructNames(catalog, 'cache');
    const version = (kind: string) => catalog.kind('cache.azure.com', kind)!.latest;
    expect([names.of(version('Redis'), 'Sku'), names.of(version('RedisEnterprise'), 'Sku')]).toEqual(['Sku', 'SkuOfRedisEnterprise']);
  });
});

test.each([
  ['Standard_LRS', 'STANDARD_LRS'],
  ['StorageV2', 'STORAGE_V2'],
  ['TLS1_2', 'TLS1_2'],
  ['TLSv1_2', 'TLSV1_2'],
  ['1.2', 'V1_2'],
  ['2020-11-01', 'V2020_11_01'],
  ['IPv4', 'IPV4'],
  ['SystemAssigned, UserAssigned', 'SYSTEM_ASSIGNED_USER_ASSIGNED'],
  ['Standard_DS13_v2+1TB_PS', 'STANDARD_DS13_V2_1TB_PS'],
  ['*', 'ANY'],
  ['', 'NONE'],
])('the value %s becomes %s', (value, member) => expect(enumMemberOf(value)).toBe(member));

test('whatever the value, the member is one that jsii takes', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (value) => /^[A-Z][A-Z0-9_]*$/.test(enumMemberOf(value))));
});

test.each([
  ['IPRule', 'IpRule'],
  ['AKS', 'Aks'],
  ['IPTag', 'IpTag'],
  ['Sku', 'Sku'],
  ['ManagedClusterProperties_AutoScalerProfile', 'ManagedClusterPropertiesAutoScalerProfile'],
  ['Identity', 'Identity'],
  ['VMSize', 'VMSize'],
])('the type %s becomes %s', (specName, name) => expect(typeNameOf(specName)).toBe(name));

test.each([
  ['StorageAccountsBlobService', 'storage-accounts-blob-service'],
  ['DnsZonesAAAARecord', 'dns-zones-aaaa-record'],
  ['Redis', 'redis'],
])('the class %s stands in %s', (className, file) => expect(fileNameOf(className)).toBe(file));

test.each([
  ['minimumTlsVersion', 'minimum TLS version'],
  ['ipv6Enabled', 'ipv6 enabled'],
  ['allowedFQDNs', 'allowed FQDNs'],
  ['vnetId', 'VNet ID'],
  ['TTL', 'TTL'],
])('%s reads %s', (name, text) => expect(phrase(name)).toBe(text.replace('ipv6', 'IPv6')));

test('articles follow the ear', () => {
  expect(['storage account', 'identity', 'SQL database', 'VM', 'user', 'NAT gateway', 'API'].map(withArticle)).toEqual(
    ['a storage account', 'an identity', 'an SQL database', 'a VM', 'a user', 'a NAT gateway', 'an API']);
});

test('lists end in a word', () =>
  expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'], 'or')]).toEqual(['', 'a', 'a and b', 'a, b or c']));

test.each([
  ['VirtualNetworksSubnet', 'a subnet'],
  ['NamespacesEventhub', 'an event hub'],
  ['NamespacesEventhubsConsumerGroup', 'a consumer group'],
  ['StorageAccountsBlobServicesContainer', 'a container'],
  ['ManagedClustersAgentPool', 'an agent pool'],
  ['FirewallPoliciesRuleCollectionGroup', 'a rule collection group'],
  ['DnsZonesARecord', 'an A record'],
  ['PrivateDnsZonesAAAARecord', 'an AAAA record'],
  ['RedisFirewallRule', 'a Redis firewall rule'],
  ['DdosProtectionPlan', 'a DDoS protection plan'],
  ['PrometheusRuleGroup', 'a Prometheus rule group'],
  ['PublicIPAddress', 'a public IP address'],
  ['DatabaseAccount', 'a database account'],
])('documents call a %s %s', (kind, noun) => expect(withArticle(kindNoun(kind))).toBe(noun));
