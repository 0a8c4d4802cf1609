import fc from 'fast-check';
import { bodyShape, compare, driftOf, memberShape, type Shape } from '../../../engine/compare';
import { Catalog } from '../../../src/catalog';

const shapeOf = (group: string, kind: string) => bodyShape(Catalog.default().kind(`${group}.azure.com`, kind)!.latest);
const ACCOUNT = shapeOf('storage', 'StorageAccount');
const BALANCER = shapeOf('network', 'LoadBalancer');
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
    const filled = { privateLinkResources: [{ name: 'management' }], agentPoolProfiles: [{ name: 'pool', nodeTaints: ['a=b:NoSchedule'] }] };
    for (const empty of [null, []]) {
      expect(paths({ properties: { privateLinkResources: empty, agentPoolProfiles: empty } }, { properties: filled }, CLUSTER)).toEqual([]);
    }
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
      ['/properties/networkAcls/ipRules/[value=5.6.7.8]'],
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
    const probe = (name: string, port: number) => ({ name, properties: { port } });
    const found = compare(
      { properties: { probes: [probe('a', 80), probe('b', 81)] } },
      { properties: { probes: [probe('B', 89), probe('a', 80), probe('c', 82)] } },
      BALANCER,
    );
    expect(found).toEqual([
      { path: '/properties/probes/1/properties/port', named: '/properties/probes/[name=b]/properties/port', wanted: 81, actual: 89 },
      { path: '/properties/probes/[name=c]', wanted: undefined, actual: probe('c', 82) },
    ]);
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

describe('the catalog says which texts mean the same', () => {
  type Row = readonly [what: string, shape: Shape, wanted: unknown, same: readonly unknown[], other: readonly unknown[]];
  const at = (path: string, shape: Shape): Shape => path.split('/').reduce((inner, key) => (key === '*' ? inner.element! : memberShape(inner, key)), shape);
  const ACCOUNTS = shapeOf('documentdb', 'DatabaseAccount');
  const POOL = shapeOf('containerservice', 'ManagedClustersAgentPool');
  const ROLE = '/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c';
  const SUBNET = '/subscriptions/1/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/n/subnets/s';
  const UUID = '72f988bf-86f1-41af-91ab-2d7cd011db47';
  const rows: readonly Row[] = [
    ['a region', at('location', ACCOUNT), 'westus2', ['West US 2', 'WestUS2'], ['westus', 'West US 3', 'West-US-2']],
    ['a region in a list', at('properties/locations/*/locationName', ACCOUNTS), 'UK South', ['uksouth'], ['ukwest']],
    ['a list of regions', at('properties/replicatedRegions/*', shapeOf('dataprotection', 'BackupVault')), 'eastus', ['East US'], ['eastus2']],
    ['a role', at('properties/roleDefinitionId', shapeOf('authorization', 'RoleAssignment')), `/subscriptions/1${ROLE}`,
      [ROLE, `/subscriptions/2${ROLE}`, `/subscriptions/1${ROLE.toUpperCase()}`], [`/subscriptions/1${ROLE.replace('24c', '24d')}`, SUBNET]],
    ['an id', at('properties/vnetSubnetID', POOL), SUBNET, [SUBNET.toUpperCase(), `${SUBNET}/`], [`${SUBNET}2`, SUBNET.replace('/1/', '/2/')]],
    ['a short version', at('properties/orchestratorVersion', POOL), '1.29', ['1.29.4'], ['1.2', '1.290', '1.30.1']],
    ['a full version', at('properties/orchestratorVersion', POOL), '1.29.4', [], ['1.29', '1.29.5']],
    ['a UUID', {}, UUID, [UUID.toUpperCase()], [UUID.replace('7', '8')]],
    ['a host', { spelling: 'hostName' }, 'www.Contoso.com', ['www.contoso.com', 'www.contoso.com.'], ['contoso.com']],
    ['a URL', {}, 'https://Vault.azure.net', ['https://vault.azure.net/', 'HTTPS://vault.azure.net:443/'],
      ['http://vault.azure.net/', 'https://vault.azure.net:8443', 'https://vault.azure.net/a']],
    ['a path of a URL', {}, 'https://x.net/A', [], ['https://x.net/a', 'https://x.net/A/', 'https://x.net/A?b']],
    ['a range', {}, '10.0.0.0/24', ['10.0.0.7/24'], ['10.0.0.0/25', '10.0.0.0', '10.0.1.0/24']],
    ['an address', {}, '1.2.3.4', ['1.2.3.4/32'], ['1.2.3.5', '1.2.3.4/31']],
    ['a range of IPv6', {}, 'fd00:0:0::/48', ['FD00::/48', 'fd00:0000::0/48'], ['fd00::/49', 'fd01::/48']],
    ['an address of IPv6', {}, '2001:db8::1', ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1/128'], ['2001:db8::2', '2001:db8::1/32']],
    ['a duration', {}, 'P1Y', ['P12M'], ['P365D', 'P13M']],
    ['a duration in weeks', {}, 'P1W', ['P7D', 'PT168H'], ['P8D']],
    ['a time span', { quantity: 'timespan' }, '1.06:00:00', ['30:00:00', 'P1DT6H'], ['06:00:00']],
    ['what is no time span', { quantity: 'timespan' }, 'never', [], ['always', '06:00:00']],
    ['a text like a time span', {}, '01:00', [], ['1:00', '01:00:00']],
    ['a label', at('properties/nodeLabels/x', POOL), 'true', [], ['True', 'TRUE']],
    ['a tag', at('tags/x', ACCOUNT), 'P1D', [], ['PT24H', 'p1d']],
    ['an environment variable', at('properties/template/containers/*/env/*/value', shapeOf('app', 'ContainerApp')), 'a', [], ['A']],
    ['a name of one', at('properties/template/containers/*/env/*/name', shapeOf('app', 'ContainerApp')), 'a', [], ['A']],
    ['a name of a container', at('properties/template/containers/*/name', shapeOf('app', 'ContainerApp')), 'a', ['A'], ['b']],
    ['a setting of an add-on', at('properties/addonProfiles/x/config/y', CLUSTER), SUBNET, [SUBNET.toLowerCase()], [`${SUBNET}x`]],
  ];
  test.each(rows)('%s', (_, shape, wanted, same, other) => {
    const body: Shape = { members: new Map([['it', shape]]) };
    const differs = (actual: unknown) => compare({ it: wanted }, { it: actual }, body).length > 0;
    expect(same.filter(differs)).toEqual([]);
    expect(other.filter((actual) => !differs(actual))).toEqual([]);
  });
});

describe('entries that Azure adds', () => {
  const POOL = shapeOf('containerservice', 'ManagedClustersAgentPool');
  const SPOT = 'kubernetes.azure.com/scalesetpriority';
  const pool = (nodeLabels: unknown, nodeTaints: unknown) => ({ properties: { nodeLabels, nodeTaints } });

  test('to Spot pools are no difference, whatever the spec has', () => {
    const azure = pool({ [SPOT]: 'spot', a: 'b' }, [`${SPOT}=spot:NoSchedule`, 'a=b:NoSchedule']);
    expect(paths(pool({ a: 'b' }, ['a=b:NoSchedule']), azure, POOL)).toEqual([]);
    expect(paths(pool({}, []), pool({ [SPOT]: 'spot' }, [`${SPOT}=spot:NoSchedule`]), POOL)).toEqual([]);
    expect(paths(pool(null, null), pool({ [SPOT]: 'spot' }, [`${SPOT}=spot:NoSchedule`]), POOL)).toEqual([]);
  });

  test('do not hide what is really gone or more', () => {
    expect(paths(pool({ [SPOT]: 'spot' }, []), pool({}, ['a=b:NoSchedule']), POOL)).toEqual([
      `/properties/nodeLabels/${SPOT.replaceAll('/', '~1')}`, '/properties/nodeTaints/-',
    ]);
    expect(paths(pool({ A: 'b' }, []), pool({ a: 'b' }, []), POOL)).toEqual(['/properties/nodeLabels/A', '/properties/nodeLabels/a']);
  });
});

describe('children that the parent shows', () => {
  const pools = (...names: string[]) => ({ properties: { agentPoolProfiles: names.map((name) => ({ name, count: 1 })) } });
  const own = (...names: string[]) => ({ ownChildren: () => new Map(names.map((name) => [name, `ManagedClustersAgentPool team/${name}`])) });

  test('and that the user has objects for are no difference; those that are nobody\'s are named', () => {
    expect(compare(pools('a'), pools('a', 'B', 'c'), CLUSTER, own('b')).map(({ path }) => path)).toEqual([
      '/properties/agentPoolProfiles/[name=c]',
    ]);
  });

  test('are no difference while it is not known whether the user has objects for them', () => {
    expect(compare(pools('a'), pools('a', 'b'), CLUSTER, { ownChildren: () => undefined })).toEqual([]);
  });

  test('and that two objects describe name the other one', () => {
    const [found] = compare({ properties: { agentPoolProfiles: [{ name: 'a', count: 3 }] } }, pools('a'), CLUSTER, own('a'));
    expect(found).toMatchObject({
      path: '/properties/agentPoolProfiles/0/count',
      named: '/properties/agentPoolProfiles/[name=a]/count',
      alsoIn: 'ManagedClustersAgentPool team/a',
    });
  });
});

test('elements are named by what tells them apart', () => {
  const VAULT = shapeOf('keyvault', 'Vault');
  const policy = (objectId: string, keys: string[]) => ({ tenantId: 't', objectId, permissions: { keys } });
  const vault = (...accessPolicies: unknown[]) => ({ properties: { accessPolicies } });
  const found = compare(vault(policy('1', ['get', 'list'])), vault(policy('2', []), policy('1', ['get', 'purge'])), VAULT);
  expect(found.map(({ path, named = path }) => named)).toEqual([
    '/properties/accessPolicies/[objectId=1]/permissions/keys/[list]', '/properties/accessPolicies/[objectId=2]',
  ]);
});
