import fc from 'fast-check';
import { bodyShape, compare, driftOf } from '../../../engine/compare';
import { Catalog } from '../../../src/catalog';

const shapeOf = (group: string, kind: string) => bodyShape(Catalog.default().kind(`${group}.azure.com`, kind)!.latest);
const ACCOUNT = shapeOf('storage', 'StorageAccount');
const NETWORK = shapeOf('network', 'VirtualNetwork');
const CLUSTER = shapeOf('containerservice', 'ManagedCluster');
const MACHINE = shapeOf('compute', 'VirtualMachine');
const IDENTITY = '/subscriptions/1/resourceGroups/RG/providers/Microsoft.ManagedIdentity/userAssignedIdentities/a';
const paths = (wanted: Record<string, unknown>, actual: unknown, shape = ACCOUNT) => compare(wanted, actual, shape).map(({ path }) => path);

describe('no difference', () => {
  const rows: [string, Record<string, unknown>, unknown][] = [
    ['what Azure adds', { location: 'uksouth' }, { id: '/x', location: 'uksouth', properties: { creationTime: 'now' } }],
    ['a location as people write it', { location: 'UK South' }, { location: 'uksouth' }],
    ['the case of a member and of a key', { sku: { tier: 'Basic' }, tags: { Team: 'a' } }, { Sku: { Tier: 'Basic' }, tags: { team: 'a' } }],
    ['the case of an enumeration', { sku: { name: 'standard_lrs' } }, { sku: { name: 'Standard_LRS' } }],
    [
      'the case of an ARM id',
      { identity: { userAssignedIdentities: { [IDENTITY]: {} } } },
      { identity: { userAssignedIdentities: { [IDENTITY.toLowerCase()]: { clientId: 'x' } } } },
    ],
    [
      'the case of a resource type',
      { type: 'Microsoft.Network/trafficManagerProfiles' },
      { type: 'Microsoft.Network/trafficmanagerprofiles' },
    ],
    ['what is absent and off', { properties: { isHnsEnabled: false, networkAcls: { ipRules: [] } } }, { properties: {} }],
    ['the name, which is that of the URL', { name: 'a' }, { name: 'A' }],
    ['numbers as texts', { properties: { a: 80 } }, { properties: { a: '80' } }],
    ['times', { properties: { at: '2026-01-01T00:00:00Z' } }, { properties: { at: '2026-01-01T00:00:00.0000000+00:00' } }],
    ['durations', { properties: { keep: 'P14D' } }, { properties: { keep: 'PT336H' } }],
    [
      'an explicit null where there is nothing',
      { properties: { a: null, b: null, c: null, d: null } },
      { properties: { a: '', b: false, c: [], d: { e: [] } } },
    ],
    ['the order of a list', { properties: { audiences: ['a', 'b'] } }, { properties: { audiences: ['b', 'a'] } }],
    [
      'an element that asks for less than each of those that are there',
      { properties: { rules: [{}, { value: 'a' }] } },
      { properties: { rules: [{ value: 'a' }, { action: 'Allow' }] } },
    ],
    ['what the portal keeps in tags', { tags: { a: 'b' } }, { tags: { 'a': 'b', 'hidden-title': 'x' } }],
  ];
  test.each(rows)('%s', (_, wanted, actual) => expect(compare(wanted, actual, ACCOUNT)).toEqual([]));

  test('what AKS puts where the spec has nothing is its own, and the null that is sent takes nothing away', () => {
    const kubelets = {
      properties: { identityProfile: { kubeletidentity: { clientId: 'x' } }, addonProfiles: { azurepolicy: { enabled: true } } },
    };
    expect(paths({ properties: { identityProfile: null, addonProfiles: null } }, kubelets, CLUSTER)).toEqual([]);
    expect(
      paths({ properties: { privateLinkResources: null } }, { properties: { privateLinkResources: [{ name: 'x' }] } }, CLUSTER),
    ).toEqual(['/properties/privateLinkResources']);
  });

  test('secrets are not looked at', () => {
    expect(
      paths(
        { properties: { osProfile: { adminPassword: 'x', computerName: 'a' } } },
        { properties: { osProfile: { computerName: 'b' } } },
        MACHINE,
      ),
    ).toEqual(['/properties/osProfile/computerName']);
  });
});

test('of a union, what is secret in any alternative is not looked at; what is none is', () => {
  const connection = shapeOf('machinelearningservices', 'WorkspacesConnection');
  const custom = (keys: object | undefined, target = 'x') => ({ properties: { authType: 'CustomKeys', target, credentials: { keys } } });
  const apiKey = (key: string) => ({ properties: { authType: 'ApiKey', credentials: { key } } });
  expect(paths(custom({ a: 'hunter2' }), custom(undefined), connection)).toEqual([]);
  expect(paths(apiKey('hunter2'), { properties: { authType: 'ApiKey' } }, connection)).toEqual([]);
  expect(paths(custom({}), custom({}, 'y'), connection)).toEqual(['/properties/target']);
});

describe('a difference', () => {
  const rows: [string, Record<string, unknown>, unknown, string[]][] = [
    ['another value', { sku: { name: 'Standard_LRS' } }, { sku: { name: 'Premium_LRS' } }, ['/sku/name']],
    ['a value that is not there', { properties: { minimumTlsVersion: 'TLS1_2' } }, { properties: {} }, ['/properties/minimumTlsVersion']],
    ['a tag that somebody added', { tags: { a: 'b' } }, { tags: { 'a': 'b', 'c/d': 'e' } }, ['/tags/c~1d']],
    [
      'off and on',
      { properties: { allowBlobPublicAccess: false } },
      { properties: { allowBlobPublicAccess: true } },
      ['/properties/allowBlobPublicAccess'],
    ],
    [
      'an identity that somebody added',
      { identity: { userAssignedIdentities: {} } },
      { identity: { userAssignedIdentities: { [IDENTITY]: {} } } },
      [`/identity/userAssignedIdentities/${IDENTITY.replaceAll('/', '~1')}`],
    ],
    ['a value where null is wanted', { properties: { a: null } }, { properties: { a: 'x' } }, ['/properties/a']],
    [
      'a list where null is wanted',
      { properties: { nodeTaints: null } },
      { properties: { nodeTaints: ['x=y:NoSchedule'] } },
      ['/properties/nodeTaints'],
    ],
    ['an object where null is wanted', { properties: { a: null } }, { properties: { a: { b: { c: 1 } } } }, ['/properties/a']],
    [
      'an element more',
      { properties: { networkAcls: { ipRules: [{ value: '1.2.3.4' }] } } },
      { properties: { networkAcls: { ipRules: [{ value: '1.2.3.4' }, { value: '5.6.7.8' }] } } },
      ['/properties/networkAcls/ipRules/-'],
    ],
    [
      'an element of many',
      { properties: { networkAcls: { ipRules: [{ value: 'a' }, { value: 'b' }] } } },
      { properties: { networkAcls: { ipRules: [{ value: 'b' }, { value: 'c' }] } } },
      ['/properties/networkAcls/ipRules/0/value'],
    ],
    [
      'the first of two equal ones',
      { properties: { audiences: ['a', 'a'] } },
      { properties: { audiences: ['b', 'a'] } },
      ['/properties/audiences/0'],
    ],
    ['an object where a text is wanted', { properties: { a: 'x' } }, { properties: { a: {} } }, ['/properties/a']],
  ];
  test.each(rows)('%s', (_, wanted, actual, expected) => expect(paths(wanted, actual)).toEqual(expected));

  test('elements are told apart by their names, wherever they stand', () => {
    const subnet = (name: string, addressPrefix: string) => ({ name, properties: { addressPrefix } });
    expect(
      paths(
        { properties: { subnets: [subnet('a', '10.0.0.0/24'), subnet('b', '10.0.1.0/24')] } },
        { properties: { subnets: [subnet('B', '10.0.9.0/24'), subnet('a', '10.0.0.0/24')] } },
        NETWORK,
      ),
    ).toEqual(['/properties/subnets/1/properties/addressPrefix']);
  });
});

test('marks tell differences apart, and show no value', () => {
  const mark = (wanted: unknown, actual: unknown) => driftOf([{ path: '/a', wanted, actual }])[0]!.mark;
  expect(mark({ a: 1, b: 2 }, undefined)).toBe(mark({ b: 2, a: 1 }, undefined));
  expect(new Set([mark('a', 'b'), mark('b', 'a'), mark('a', undefined), mark('a', null), mark('a', 'undefined')]).size).toBe(5);
  expect(JSON.stringify(driftOf([{ path: '/a', wanted: 'hunter2', actual: 'hunter3' }]))).not.toContain('hunter');
});

test('nothing differs from itself', () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
    expect(compare(body, body, ACCOUNT)).toEqual([]);
  }), { numRuns: 500 });
});

test('a value that is changed anywhere is found there, and nowhere else', () => {
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.string({ minLength: 1 }),
      fc.dictionary(fc.string({ minLength: 1 }), tie('node'), { minKeys: 1, maxKeys: 4 }),
    ),
  })).node;
  const leaves = (value: unknown, path: string[] = []): string[][] =>
    (typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key])) : [path]);
  const set = (value: unknown, [first, ...rest]: string[], to: unknown): unknown =>
    (first === undefined ? to : { ...(value as object), [first]: set((value as Record<string, unknown>)[first], rest, to) });
  fc.assert(fc.property(fc.dictionary(fc.string({ minLength: 1 }), tree, { minKeys: 1, maxKeys: 4 }), fc.nat(), (properties, pick) => {
    const places = leaves(properties);
    const place = places[pick % places.length];
    const pointer = `/properties/${place!.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`;
    fc.pre(!place!.includes('__proto__'));
    expect(paths({ properties }, { properties: set(properties, place!, '\u0000other') }, {} as typeof ACCOUNT)).toEqual([pointer]);
  }), { numRuns: 500 });
});
