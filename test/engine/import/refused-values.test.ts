import { ACCOUNT, AzureStub, GROUP } from './azure-stub';
import { toArm, type ValueSource } from '../../../engine/convert';
import { ImportableKinds } from '../../../engine/import/importable-kinds';
import type { ImportedResource } from '../../../engine/import/imported-resource';
import { Importer } from '../../../engine/import/importer';
import { specFromArm } from '../../../engine/import/spec-from-arm';
import { toManifests } from '../../../engine/import/to-manifests';
import { validate } from '../../../sandbox/kubernetes/schema/validate';
import { RECONCILE_POLICY } from '../../../src/azure/annotations';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { openApiSchema } from '../../../src/catalog/crd-schema';
import { isRecord } from '../../../src/util/records';
import { randomSpec } from '../convert/random-spec';

const KINDS = new ImportableKinds(Catalog.default());
const version = (group: string, kind: string): KindVersion => Catalog.default().kind(`${group}.azure.com`, kind)!.latest;
const ACCOUNT_ANSWER = { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };

test.each<[string, string, string, object, object[], object]>([
  [
    'a newer value of an enumeration', 'storage', 'StorageAccount', { ...ACCOUNT_ANSWER, properties: { accessTier: 'Frozen' } },
    [{ property: 'spec.accessTier', value: '"Frozen"', why: expect.stringContaining('\'Cool\''), leftOut: 'spec.accessTier' }],
    { location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
  ],
  [
    'the same where it is required, and nothing around it is not', 'storage', 'StorageAccount', { ...ACCOUNT_ANSWER, kind: 'StorageV3' },
    [{ property: 'spec.kind', value: '"StorageV3"' }], { kind: 'StorageV3' },
  ],
  [
    'a type that differs', 'storage', 'StorageAccount', { ...ACCOUNT_ANSWER, properties: { isHnsEnabled: 'sometimes', accessTier: 'Hot' } },
    [{ property: 'spec.isHnsEnabled', value: '"sometimes"', why: 'true or false is needed', leftOut: 'spec.isHnsEnabled' }], { accessTier: 'Hot' },
  ],
  [
    'an object in the place of a text', 'storage', 'StorageAccount', { ...ACCOUNT_ANSWER, location: { name: 'uksouth' } },
    [{ property: 'spec.location', value: '{"name":"uksouth"}', why: 'a string is needed' }], {},
  ],
  [
    'a number that is out of range', 'storage', 'StorageAccountsBlobService',
    { properties: { deleteRetentionPolicy: { enabled: true, days: 400 } } },
    [{ property: 'spec.deleteRetentionPolicy.days', value: '400', why: 'is too large; at most 365 is allowed', leftOut: 'spec.deleteRetentionPolicy.days' }],
    { deleteRetentionPolicy: { enabled: true } },
  ],
  [
    'a text that is no id', 'network', 'PrivateEndpoint', { location: 'uksouth', properties: { subnet: { id: 'subnet' } } },
    [{ property: 'spec.subnet.reference', value: '"subnet"', why: 'an ARM id is needed', leftOut: 'spec.subnet.reference' }], { location: 'uksouth' },
  ],
  [
    'an alternative that the schema has not', 'eventgrid', 'EventSubscription', { properties: { destination: { endpointType: 'MonitorAlert', properties: {} } } },
    [{ property: 'spec.destination', value: '"MonitorAlert"', why: expect.stringContaining('\'WebHook\''), leftOut: 'spec.destination' }], {},
  ],
])('%s is told, and goes with what is around it', (_, group, kind, answer, refused, spec) => {
  const imported = specFromArm(version(group, kind), answer);
  expect(imported.refused).toMatchObject(refused);
  expect(imported.refused).toHaveLength(refused.length);
  expect(imported.spec).toMatchObject(spec);
  for (const { leftOut, property } of imported.refused) if (leftOut === property) expect(JSON.stringify(imported.spec)).not.toContain(leftOut.split('.').at(-1));
});

test('an element of a list never goes alone: Azure would lose it with the next PUT', () => {
  const { spec, refused } = specFromArm(version('compute', 'VirtualMachine'), { location: 'uksouth', zones: ['1', { name: '2' }] });
  expect([spec, refused]).toEqual([
    { location: 'uksouth' }, [{ property: 'spec.zones[1]', value: '{"name":"2"}', why: 'a string is needed', leftOut: 'spec.zones' }],
  ]);
});

test('an object that lacks a value is only read', () => {
  const manifest = (answer: object) => {
    const of = version('storage', 'StorageAccount');
    const resource: ImportedResource = { id: ACCOUNT, version: of, owner: GROUP, name: 'data', answer: {}, ...specFromArm(of, answer) };
    return toManifests([resource], { policy: 'manage' })[0]!.object.metadata;
  };
  expect(manifest({ ...ACCOUNT_ANSWER, properties: { accessTier: 'Frozen' } })).toMatchObject({ annotations: { [RECONCILE_POLICY]: 'skip' } });
  expect(manifest(ACCOUNT_ANSWER)).not.toHaveProperty('annotations');
});

test('another version is written where it takes the value, and read in that version', async () => {
  const rule = `${GROUP}/providers/Microsoft.Insights/scheduledQueryRules/r`;
  const azure = new AzureStub({ [rule]: { location: 'uksouth', kind: 'SimpleLogAlert', properties: { enabled: true } } });
  const { resources: [resource] } = await new Importer(azure, KINDS, { concurrency: 1, children: false }).run([rule]);
  const { version: written, insteadOf, refused, spec } = resource!;
  const usual = version('insights', 'ScheduledQueryRule');
  expect([insteadOf?.version, refused, spec.kind]).toEqual([usual.name, [], 'SimpleLogAlert']);
  expect(insteadOf?.refused).toMatchObject([{ property: 'spec.kind', value: '"SimpleLogAlert"' }]);
  expect(azure.requests.map(({ apiVersion }) => apiVersion)).toEqual([usual.facts.arm!.apiVersion, written.facts.arm!.apiVersion]);
});

const values: ValueSource = {
  reference: ({ armId }) => armId ?? GROUP, secret: () => 's', secretMap: () => ({ all: 's' }), configMap: (name, key) => `${name}-${key}`,
};
/** Values that Azure may come to answer: newer ones, others' types, those that are out of bounds. */
const NEWER: readonly unknown[] = ['SomeNewerValue', 'x'.repeat(5000), '', '!?', -7, 4e9, 0.5, true, { newer: { than: 1 } }, ['newer'], [{ a: 1 }]];

/** The body with one of its values, by number, in the place of another. */
function withNewer(body: unknown, at: number, value: unknown): unknown {
  let place = 0;
  const partsOf = (node: unknown): unknown[] => (Array.isArray(node) ? node : isRecord(node) ? Object.values(node) : []);
  const count = (node: unknown): number => partsOf(node).reduce<number>((sum, one) => sum + count(one), 1);
  const target = 1 + (at % Math.max(1, count(body) - 1));
  const walk = (node: unknown): unknown => {
    if (place++ === target) return value;
    if (Array.isArray(node)) return node.map(walk);
    return isRecord(node) ? Object.fromEntries(Object.entries(node).map(([key, one]) => [key, walk(one)])) : node;
  };
  return walk(body);
}

/** A map may have the key 0. */
const withDots = (path: string) => path.replaceAll(/\[(\d+)\]/g, '.$1');

const versions = Catalog.default().allKinds.map(({ latest }) => latest).filter((one) => one.isArm && one.supports('PUT') && one.supports('GET'));
test.each(versions.map((of) => [`${of.apiVersion} ${of.kind.kind}`, of] as const))(
  '%s: the API server takes what is written, or the import says what it refuses', (_, of) => {
    const schema = openApiSchema(of);
    const { owner } = of.facts;
    for (let seed = 1; seed <= 6; seed += 1) {
      const answer = withNewer(toArm(of, randomSpec(of, seed), undefined, values), seed * 7919, NEWER[seed % NEWER.length]);
      const imported = specFromArm(of, answer);
      const resource: ImportedResource = { id: `${GROUP}/providers/x/y/name`, version: of, owner: owner ? GROUP : undefined, name: 'name', answer: {}, ...imported };
      const { object } = toManifests([resource], { policy: 'manage' })[0]!;
      const told = [
        ...imported.refused.filter(({ leftOut }) => leftOut === undefined).map(({ property }) => property),
        ...imported.missing.map((path) => `spec.${path}`),
      ].map(withDots);
      // The name and the owner of the resource are made up.
      const silent = validate(schema, object).map(({ field }) => withDots(field!)).filter((field) => !/^spec\.(azureName|owner)\b/.test(field))
        .filter((field) => !told.some((one) => field === one || field.startsWith(`${one}.`)));
      expect([seed, silent]).toEqual([seed, []]);
    }
  },
);
