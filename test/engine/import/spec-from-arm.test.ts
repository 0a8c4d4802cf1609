import { toArm, type ValueSource } from '../../../engine/convert';
import { specFromArm } from '../../../engine/import/spec-from-arm';
import { Catalog, type KindVersion } from '../../../src/catalog';
import { isRecord } from '../../../src/util/records';
import { randomSpec } from '../convert/random-spec';

const SECRET = '<secret>';
const values: ValueSource = {
  reference: ({ armId }) => armId ?? '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/by-name',
  secret: () => SECRET,
  secretMap: () => ({ all: SECRET }),
  configMap: (name, key) => `${name}-${key}`,
};
const versions = Catalog.default().allKinds.map(({ latest }) => latest).filter((version) => version.isArm && version.supports('PUT'));
const version = (group: string, kind: string): KindVersion => Catalog.default().kind(`${group}.azure.com`, kind)!.latest;

/** A body without secrets, and without what says nothing: nulls, empty texts, lists and objects. */
function telling(value: unknown, withoutConfigMaps = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => telling(item, withoutConfigMaps)).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (isRecord(value)) {
    const told = (item: unknown) => telling(item, withoutConfigMaps);
    const members = Object.entries(value).map(([key, item]) => [key, told(item)] as const).filter(([, item]) => item !== undefined);
    return members.length > 0 ? Object.fromEntries(members) : undefined;
  }
  const untold: unknown[] = ['', null, SECRET, ...(withoutConfigMaps ? ['name-key'] : [])];
  return untold.includes(value) ? undefined : value;
}

/** Azure's usual answer: every object keyed by ids says more of each. */
const body = (of: KindVersion, spec: Readonly<Record<string, unknown>>) => toArm(of, spec, undefined, values);

test.each(versions.map((of) => [`${of.apiVersion} ${of.kind.kind}`, of] as const))('%s: what was sent is read back', (_, of) => {
  for (const seed of [1, 2, 3]) {
    const sent = body(of, randomSpec(of, seed));
    const { refused, spec } = specFromArm(of, sent);
    // A value of a ConfigMap here need not fit the pattern of the property.
    expect(refused.filter(({ value }) => value !== '"name-key"')).toEqual([]);
    expect(telling(body(of, spec), refused.length > 0)).toEqual(telling(sent, refused.length > 0));
  }
});

test('a case of Azure\'s own, numbers as texts, and members that no property stands for', () => {
  const answer = {
    id: '/subscriptions/s',
    type: 'x',
    etag: 'y',
    LOCATION: 'UK South',
    kind: 'storagev2',
    sku: { name: 'standard_lrs', tier: 'Standard' },
    properties: { AccessTier: 'hot', provisioningState: 'Succeeded', primaryEndpoints: { blob: 'https://x' }, minimumTlsVersion: null },
  };
  expect(specFromArm(version('storage', 'StorageAccount'), answer)).toEqual({
    spec: { location: 'UK South', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, accessTier: 'Hot' },
    secrets: [],
    missing: [],
    refused: [],
  });
});

test('ids become references, and identities a list of them', () => {
  const identity = '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i';
  const { spec } = specFromArm(version('storage', 'StorageAccount'), {
    location: 'uksouth',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    identity: { type: 'UserAssigned', userAssignedIdentities: { [identity]: { principalId: 'p', clientId: 'c' } } },
  });
  expect(spec.identity).toEqual({ type: 'UserAssigned', userAssignedIdentities: [{ reference: { armId: identity } }] });
});

test('a union takes the alternative of its discriminator', () => {
  const { spec } = specFromArm(version('eventgrid', 'EventSubscription'), {
    properties: { destination: { endpointType: 'webhook', properties: { maxEventsPerBatch: 5 } } },
  });
  expect(spec.destination).toEqual({ webHook: { endpointType: 'WebHook', maxEventsPerBatch: 5 } });
});

test('secrets are never read, whatever the answer has there; those that the schema requires are named', () => {
  const { spec, secrets } = specFromArm(version('compute', 'VirtualMachine'), {
    location: 'uksouth', properties: { osProfile: { adminUsername: 'me', adminPassword: 'hunter2' } },
  });
  expect(JSON.stringify([spec, secrets])).not.toContain('hunter2');
  expect(secrets).toEqual([{ path: ['osProfile', 'adminPassword'], required: false, map: false }]);
});

test.each([undefined, null, 'text', 5, [], {}])('an answer that is no resource (%j) gives an empty spec', (answer) => {
  expect(specFromArm(version('storage', 'StorageAccount'), answer).spec).toEqual({});
});

test('an answer that nests without end gives what a spec can hold', () => {
  const endless: Record<string, unknown> = {};
  let inner = endless;
  for (let level = 0; level < 5000; level += 1) inner = inner.a = {} as Record<string, unknown>;
  expect(() => specFromArm(version('insights', 'Workbook'), { properties: endless, tags: endless })).not.toThrow();
});
