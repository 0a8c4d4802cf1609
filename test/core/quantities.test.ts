import { App, Chart, Duration, Size } from 'cdk8s';
import { Catalog, QUANTITIES } from '../../src/catalog';
import { Conversion } from '../../src/core/schema/conversion';
import { quantityConvert } from '../../src/core/schema/quantities';
import { ManagedCluster } from '../../src/services/containerservice';
import { FlexibleServer } from '../../src/services/dbforpostgresql';
import { DnsZone, DnsZonesTXTRecord } from '../../src/services/network';
import { ResourceGroup } from '../../src/services/resources';
import { Namespace, NamespacesQueue, SBSkuName } from '../../src/services/servicebus';
import { SkuName, StorageAccount, StorageAccountKind, ExpirationAction } from '../../src/services/storage';

const same = (value: unknown) => value;

function converted(quantity: (typeof QUANTITIES)[number], value: unknown, type: 'string' | 'integer' | 'number' = 'string') {
  const run = new Conversion();
  const result = quantityConvert(quantity, type, same)(value, run);
  return run.problems.length > 0 ? run.problems : result;
}

test.each([
  [Duration.millis(500), 'PT0.5S', '00:00:0.5'],
  [Duration.seconds(0), 'PT0S', '00:00:00'],
  [Duration.seconds(90), 'PT1M30S', '00:01:30'],
  [Duration.minutes(5), 'PT5M', '00:05:00'],
  [Duration.minutes(60), 'PT1H', '01:00:00'],
  [Duration.hours(30), 'P1DT6H', '1.06:00:00'],
  [Duration.days(14), 'P14D', '14.00:00:00'],
])('%s as ISO 8601 and as a time span', (duration, iso, span) => {
  expect(converted('iso8601', duration)).toBe(iso);
  if (duration.toMilliseconds() !== 500) expect(converted('timespan', duration)).toBe(span);
});

test('numbers of a unit', () => {
  expect(converted('minutes', Duration.hours(2), 'integer')).toBe(120);
  expect(converted('minutes', Duration.hours(2), 'string')).toBe('120');
  expect(converted('go-minutes', Duration.seconds(600))).toBe('10m');
  expect(converted('go-seconds', Duration.minutes(1))).toBe('60s');
  expect(converted('GiB', Size.tebibytes(1), 'integer')).toBe(1024);
  expect(converted('bytes', Size.mebibytes(300), 'integer')).toBe(314_572_800);
  expect(converted('GiB', Size.mebibytes(1536), 'number')).toBe(1.5);
});

test('a part of a unit is a problem, not a rounded value', () => {
  expect(converted('minutes', Duration.seconds(90), 'integer')).toEqual([': is 1.5 minutes, but Azure takes whole minutes here. Give 2 minutes, or a multiple of one.']);
  expect(converted('GiB', Size.mebibytes(500), 'integer')).toEqual([expect.stringContaining('is 0.488 GiB, but Azure takes whole GiB here')]);
});

test('other values go on as they are, and a wrong measure is left to the check of the type', () => {
  expect(converted('iso8601', 'PT5M')).toBe('PT5M');
  expect(converted('GiB', 128, 'integer')).toBe(128);
  const size = Size.gibibytes(1);
  expect(converted('iso8601', size)).toBe(size);
});

test('properties of kinds take them, and keep their bounds', () => {
  const chart = new Chart(new App(), 'shop', { disableResourceNameHashes: true });
  const owner = new ResourceGroup(chart, 'group', { location: 'uksouth' });
  const at = { owner, location: 'uksouth' };
  const bus = new Namespace(chart, 'shop-bus', { ...at, sku: { name: SBSkuName.STANDARD } });
  new NamespacesQueue(chart, 'orders', { owner: bus, lockDuration: Duration.minutes(1), maxSizeInMegabytes: Size.gibibytes(2), autoDeleteOnIdle: 'P7D' });
  new FlexibleServer(chart, 'shop-db', { ...at, administratorLogin: 'shopadmin', storage: { storageSizeGB: Size.gibibytes(128) }, backup: { backupRetentionDays: Duration.days(14) } });
  new ManagedCluster(chart, 'shop-aks', { ...at, dnsPrefix: 'shop', autoScalerProfile: { scaleDownDelayAfterAdd: Duration.minutes(15), scanInterval: Duration.seconds(20) } });
  const zone = new DnsZone(chart, 'zone', { owner, location: 'global', azureName: 'shop.test' });
  new DnsZonesTXTRecord(chart, 'text', { owner: zone, ttl: Duration.hours(1) });
  new StorageAccount(chart, 'shopdata', {
    ...at,
    azureName: 'shopdata',
    kind: StorageAccountKind.STORAGE_V2,
    sku: { name: SkuName.STANDARD_LRS },
    sasPolicy: { expirationAction: ExpirationAction.LOG, sasExpirationPeriod: Duration.hours(30) },
  });
  const spec = (kind: string) => (chart.toJson() as { kind: string; spec: unknown }[]).find((object) => object.kind === kind)!.spec;
  expect(spec('NamespacesQueue')).toMatchObject({ lockDuration: 'PT1M', maxSizeInMegabytes: 2048, autoDeleteOnIdle: 'P7D' });
  expect(spec('FlexibleServer')).toMatchObject({ storage: { storageSizeGB: 128 }, backup: { backupRetentionDays: 14 } });
  expect(spec('ManagedCluster')).toMatchObject({ autoScalerProfile: { 'scale-down-delay-after-add': '15m', 'scan-interval': '20s' } });
  expect(spec('DnsZonesTXTRecord')).toMatchObject({ TTL: 3600 });
  expect(spec('StorageAccount')).toMatchObject({ sasPolicy: { sasExpirationPeriod: '1.06:00:00' } });
});

test('a Duration in a property that measures nothing is refused', () => {
  const chart = new Chart(new App(), 'shop');
  const group = new ResourceGroup(chart, 'group', { location: Duration.days(1) as unknown as string });
  expect(group.node.validate()).toEqual([expect.stringContaining('location: is a Duration, but has to be a string')]);
});

test('quantities in the catalog fit the types of their properties', () => {
  const catalog = Catalog.default();
  const wrong = catalog.services.flatMap((service) => Object.entries(catalog.service(service)!.types).flatMap(([version, types]) =>
    Object.entries(types).flatMap(([name, { props }]) => Object.entries(props).flatMap(([property, { quantity, type }]) => {
      if (quantity === undefined) return [];
      const texts = ['iso8601', 'timespan', 'go-minutes', 'go-seconds'];
      const fits = texts.includes(quantity) ? type === 'string' : type === 'integer' || type === 'number';
      return QUANTITIES.includes(quantity) && fits ? [] : [`${service} ${version} ${name}.${property}: ${quantity} as ${JSON.stringify(type)}`];
    }))));
  expect(wrong).toEqual([]);
});
