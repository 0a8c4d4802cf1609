// Domains and routes in a shared Front Door, and DNS records in shared zones.
import { App, Chart, Yaml } from 'cdk8s';
import { environment, objectOf, objectsOf, role, services, shared } from './service-fixture';
import { AzureReference } from 'cdk8s-aso';
import { DnsRecordType, PlatformPreset, Service, SharedService, Team, TeamOnboarding } from 'cdk8s-aso/platform';
import type { DomainRequest, Environment, ServiceProps, TeamInEnvironment, TeamOverrides } from 'cdk8s-aso/platform';

const ENDPOINT = 'Microsoft.Cdn/profiles/afd/afdEndpoints/edge';
const frontDoor = SharedService.frontDoorEndpoint({ resource: shared(ENDPOINT), role });
const zone = SharedService.dnsZone({ resource: shared('Microsoft.Network/dnsZones/example.com') });
const env = environment({ shared: { services: [...services(), frontDoor, zone] } });
const EDGE = 'edge-a1b2.z01.azurefd.net';
const named = environment({
  shared: { services: [SharedService.frontDoorEndpoint({ resource: shared(ENDPOINT), role, hostName: EDGE }), zone] },
});
const HOST_NAMES = ['shop.example.com', '*.ledger.example.com'];

function teamOf(overrides: TeamOverrides = {}): TeamInEnvironment {
  return new Team({ name: 'ledger', uses: ['front-door', 'dns-zone'], hostNames: HOST_NAMES }).in(env, overrides);
}

function serviceOf(props: Partial<ServiceProps> = {}): { readonly app: App; readonly service: Service } {
  const app = new App();
  return { app, service: new Service(new Chart(app, 'chart'), 'service', { team: teamOf(), name: 'postings', ...props }) };
}

const shop: DomainRequest = { hostName: 'shop.example.com' };
const origin = { hostName: 'ingress.example.net' };

test('a shop with a domain, a route and records, by default names', () => {
  const { app } = serviceOf({
    domains: [{ ...shop, validationToken: 'token-of-azure' }, { hostName: 'api.ledger.example.com', certificate: 'wildcard', dnsRecords: false }],
    routes: [
      { name: 'web', domains: ['shop.example.com'], origin: { ...origin, probePath: '/healthz' } },
      {
        name: 'api',
        domains: ['shop.example.com', 'api.ledger.example.com'],
        origin,
        patterns: ['/api/*'],
        originPath: '/v1',
        httpsRedirect: false,
        caching: true,
      },
    ],
    dnsRecords: [
      { name: 'mail.ledger.example.com', type: DnsRecordType.A, values: ['192.0.2.10', '192.0.2.11'], ttl: 300 },
      { name: 'mail.ledger.example.com', type: DnsRecordType.AAAA, values: ['2001:db8::10'] },
      { name: '*.apps.ledger.example.com', type: DnsRecordType.CNAME, values: ['ingress.example.net'] },
      { name: '_dmarc.shop.example.com', type: DnsRecordType.TXT, values: ['v=DMARC1; p=none', 'x'.repeat(300)] },
    ],
  });
  expect(Yaml.stringify(...objectsOf(app).filter(({ kind }) => /^(Afd|Route|DnsZones)/.test(kind)))).toMatchSnapshot();
});

test('the same by methods', () => {
  const asProps = serviceOf({
    domains: [shop],
    routes: [{ name: 'web', domains: ['shop.example.com'], origin }],
    dnsRecords: [{ name: 'a.ledger.example.com', type: DnsRecordType.A, values: ['192.0.2.1'] }],
  });
  const { app, service } = serviceOf();
  const domain = service.addDomain('shop.example.com');
  const route = service.addRoute('web', { domains: [domain.hostName], origin });
  service.addDnsRecord('a.ledger.example.com', { type: DnsRecordType.A, values: ['192.0.2.1'] });
  expect(objectsOf(app)).toEqual(objectsOf(asProps.app));
  expect(service.domains).toEqual([domain]);
  expect(service.routes).toEqual([route]);
  expect(domain.records).toHaveLength(1);
});

test('the validation token is in a ConfigMap of the team', () => {
  const { app, service } = serviceOf({ domains: [shop] });
  const token = service.domains[0]!.validationToken!;
  const { configMapName, key } = token;
  const { metadata, spec } = objectOf(app, 'AfdCustomDomain');
  expect(metadata.namespace).toBe('ledger');
  expect(spec.operatorSpec.configMapExpressions).toEqual([{ name: configMapName, key, value: 'self.status.validationProperties.validationToken' }]);
  expect(objectsOf(app).filter(({ kind }) => kind === 'DnsZonesTXTRecord')).toEqual([]);
});

test('a token that is known later gives the same record', () => {
  const { app, service } = serviceOf({ domains: [shop] });
  const record = service.domains[0]!.addValidationRecord('token-of-azure');
  expect(service.domains[0]!.records).toContain(record);
  expect(objectsOf(app)).toEqual(objectsOf(serviceOf({ domains: [{ ...shop, validationToken: 'token-of-azure' }] }).app));
  expect(() => service.domains[0]!.addValidationRecord('other')).toThrow(/Domain 'shop\.example\.com': validationToken: there is a record set/);
  expect(() => service.domains[0]!.addValidationRecord('')).toThrow(/validationToken: required/);
  const stranger = serviceOf({ domains: [{ ...shop, owned: false }] }).service;
  expect(() => stranger.domains[0]!.addValidationRecord('token')).toThrow(/belongs to the service that owns the domain/);
  const elsewhere = serviceOf({ team: new Team({ name: 'ledger', uses: ['front-door'], hostNames: HOST_NAMES }).in(env), domains: [shop] }).service;
  expect(() => elsewhere.domains[0]!.addValidationRecord('token')).toThrow(/there is no shared DNS zone for 'shop\.example\.com'/);
});

test("a kind of the platform's own reads the token from the domain's status", () => {
  type Status = { readonly validationProperties?: { readonly validationToken?: string } };
  const compose = (chart: Chart, read: (name: string) => { readonly status?: Status } | undefined) => {
    const { domains } = new Service(chart, 'service', { team: teamOf(), name: 'postings', domains: [shop] });
    for (const domain of domains) {
      const token = read(domain.resource!.name)?.status?.validationProperties?.validationToken;
      if (token) domain.addValidationRecord(token);
    }
  };
  const records = (status?: Status) => {
    const app = new App();
    compose(new Chart(app, 'chart'), () => status && { status });
    return objectsOf(app).filter(({ kind }) => kind === 'DnsZonesTXTRecord').map(({ spec }) => spec.TXTRecords);
  };
  expect(records()).toEqual([]);
  expect(records({ validationProperties: {} })).toEqual([]);
  expect(records({ validationProperties: { validationToken: 'one' } })).toEqual([[{ value: ['one'] }]]);
});

test('records in a zone of another subscription are written with its credential', () => {
  const other = '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52';
  const hub = SharedService.dnsZone({
    resource: AzureReference.fromArmId(`/subscriptions/${other}/resourceGroups/rg-hub/providers/Microsoft.Network/dnsZones/example.com`),
  });
  const { app } = serviceOf({ team: teamIn(environment({ shared: { services: [frontDoor, hub] } })), domains: [shop] });
  expect(objectOf(app, 'DnsZonesCNAMERecord').metadata.annotations).toEqual({ 'serviceoperator.azure.com/credential-from': `aso-credential-${other}` });
});

test('a Front Door of another subscription is refused: the operator could create nothing there', () => {
  const uses = { name: 'ledger', uses: ['front-door'], subscriptionId: '2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52' };
  expect(() => new Team(uses).in(env)).toThrow(/uses: 'front-door' is in subscription 4522538c-3f65-5b38-abd9-b80113019d32, and the team in 2b8a5c1d/);
});

test('a domain at the apex of its zone gets addresses, because a CNAME cannot be there', () => {
  const { app } = serviceOf({ team: teamOf({ hostNames: ['example.com'] }), domains: [{ hostName: 'example.com', validationToken: 't' }] });
  const records = objectsOf(app).filter(({ kind }) => kind.startsWith('DnsZones'));
  expect(records.map(({ kind, spec }) => [kind, spec.azureName])).toEqual([
    ['DnsZonesARecord', '@'], ['DnsZonesAAAARecord', '@'], ['DnsZonesTXTRecord', '_dnsauth'],
  ]);
});

test('the longest of two zones has the records, and without a zone there are none', () => {
  const below = SharedService.dnsZone({ name: 'ledger-zone', resource: shared('Microsoft.Network/dnsZones/ledger.example.com') });
  const both = environment({ shared: { services: [frontDoor, zone, below] } });
  const team = (uses: string[]) => new Team({ name: 'ledger', uses, hostNames: HOST_NAMES }).in(both);
  const domains = [{ hostName: 'api.ledger.example.com' }];
  const { app } = serviceOf({ team: team(['front-door', 'dns-zone', 'ledger-zone']), domains });
  expect(objectOf(app, 'DnsZonesCNAMERecord').spec).toMatchObject({ azureName: 'api', owner: { armId: expect.stringMatching(/ledger\.example\.com$/) } });
  const { service } = serviceOf({ team: team(['front-door']), domains });
  expect(service.domains[0]!.records).toEqual([]);
});

test("with the endpoint's host name, CNAME records have it as value: Azure allows 20 aliases of one resource only", () => {
  const { app } = serviceOf({ team: teamIn(named), domains: [shop] });
  expect(objectOf(app, 'DnsZonesCNAMERecord').spec).toMatchObject({ azureName: 'shop', CNAMERecord: { cname: EDGE } });
});

test('a route for the host name of the endpoint, which the platform gives like any other', () => {
  const { app } = serviceOf({ team: teamIn(named, [EDGE]), routes: [{ name: 'web', defaultDomain: true, origin }] });
  expect(objectOf(app, 'Route').spec).toMatchObject({ linkToDefaultDomain: 'Enabled' });
  expect(objectOf(app, 'Route').spec).not.toHaveProperty('customDomains');
});

test('a wildcard domain is validated by a record of the domain below which it is', () => {
  const { app, service } = serviceOf({ domains: [{ hostName: '*.ledger.example.com', validationToken: 'token' }] });
  expect(service.domains[0]!.azureName).toMatch(/^ledger-.*all-ledger-example-com-/);
  expect(objectOf(app, 'DnsZonesCNAMERecord').spec.azureName).toBe('*.ledger');
  expect(objectOf(app, 'DnsZonesTXTRecord').spec).toMatchObject({ azureName: '_dnsauth.ledger', TXTRecords: [{ value: ['token'] }] });
});

test('the host name of an endpoint is checked with the environment', () => {
  const bad = SharedService.frontDoorEndpoint({ resource: shared(ENDPOINT), role, hostName: 'https://Edge.azurefd.net' });
  expect(() => environment({ shared: { services: [bad] } })).toThrow(/shared\.services\[0\]\.hostName: 'https:\/\/Edge\.azurefd\.net' is no host name/);
});

test("a route for another service's domain refers to it by its id", () => {
  const { app } = serviceOf({ domains: [{ ...shop, owned: false }], routes: [{ name: 'api', domains: ['shop.example.com'], origin }] });
  const owner = serviceOf({ domains: [shop] });
  expect(objectsOf(app).filter(({ kind }) => kind === 'AfdCustomDomain' || kind.startsWith('DnsZones'))).toEqual([]);
  expect(objectOf(app, 'Route').spec.customDomains).toEqual([{ reference: { armId: owner.service.domains[0]!.armId } }]);
});

test('a static website gets its own name as host header, an ingress that of the request', () => {
  const { app } = serviceOf({
    domains: [shop],
    routes: [
      { name: 'site', domains: ['shop.example.com'], origin: { hostName: 'stdocs.z33.web.core.windows.net' } },
      { name: 'own', domains: ['shop.example.com'], origin: { ...origin, hostHeader: 'inner.example.net' }, patterns: ['/own'] },
      { name: 'api', domains: ['shop.example.com'], origin, patterns: ['/api/*'] },
    ],
  });
  const headers = ['site', 'own', 'api'].map((name) => objectOf(app, 'AfdOrigin', name).spec.originHostHeader);
  expect(headers).toEqual(['stdocs.z33.web.core.windows.net', 'inner.example.net', undefined]);
});

test('names of host names that differ in a dot only differ', () => {
  const { service } = serviceOf({ domains: [{ hostName: 'a-b.ledger.example.com' }, { hostName: 'a.b.ledger.example.com' }] });
  const [one, other] = service.domains.map(({ azureName }) => azureName);
  expect(one).toMatch(/^ledger--a-b-ledger-example-com-/);
  expect(one).not.toBe(other);
});

test('the names of prefixed platforms', () => {
  const preset = PlatformPreset.prefixedNames({ identityPrefix: 'devid', sharedResourceGroup: 'rg-shared' });
  const prefixed = environment({ ...preset.props, shared: { services: [frontDoor, zone] } });
  const team = new Team({ name: 'ledger', uses: ['front-door', 'dns-zone'], hostNames: HOST_NAMES }).in(prefixed);
  const { app } = serviceOf({ team, domains: [shop] });
  expect(objectOf(app, 'AfdCustomDomain').spec.azureName).toMatch(/^ledger-shop-example-com-/);
  expect(objectOf(app, 'DnsZonesCNAMERecord').metadata.name).toBe('example.com-shop-cname');
});

test('a team gets its role on the profile, where domains and origins are', () => {
  const app = new App();
  new TeamOnboarding(new Chart(app, 'teams'), 'ledger', { team: teamOf() });
  const { spec } = objectOf(app, 'RoleAssignment', 'front-door');
  expect(spec.owner.armId).toMatch(/\/profiles\/afd$/);
});

test('two endpoints of a profile are one role', () => {
  const other = SharedService.frontDoorEndpoint({ name: 'apps', resource: shared('Microsoft.Cdn/profiles/AFD/afdEndpoints/apps'), role });
  const both = environment({ shared: { services: [frontDoor, other] } });
  expect(new Team({ name: 'ledger', uses: ['front-door', 'apps'] }).in(both).grants.map(({ id }) => id)).toEqual(['front-door']);
});

test.each<[why: string, props: Partial<ServiceProps>, problems: RegExp[]]>([
  ['no host name', { domains: [{} as DomainRequest] }, [/domains\[0\]\.hostName: required/]],
  ['an unknown field', { domains: [{ ...shop, certficate: 'x' } as DomainRequest] }, [/domains\[0\]\.certficate: there is no such field\. Did you mean 'certificate'\?/]],
  ['upper case', { domains: [{ hostName: 'Shop.example.com' }] }, [/domains\[0\]\.hostName: 'Shop\.example\.com' is no host name/]],
  ['a dot at the end', { domains: [{ hostName: 'shop.example.com.' }] }, [/is no host name/]],
  ['another script', { domains: [{ hostName: 'sh\u043ep.example.com' }] }, [/is no host name/]],
  ['a wildcard for a whole zone', { domains: [{ hostName: '*.example.com' }] }, [/has to be a host name that the team may have/]],
  ['a wildcard below one name', { domains: [{ hostName: '*.shop.example.com' }] }, [/has to be a host name that the team may have/]],
  ['a wildcard in the middle', { domains: [{ hostName: 'a.*.ledger.example.com' }] }, [/is no host name/]],
  ['a name that no certificate of Azure takes', { domains: [{ hostName: `${'a'.repeat(50)}.ledger.example.com` }] }, [/has 69 characters, and a certificate of Azure takes 64/]],
  [
    "another team's name", { domains: [{ hostName: 'shop.exmple.com' }] },
    [/'shop\.exmple\.com' has to be a host name that the team may have: shop\.example\.com or \*\.ledger\.example\.com\. Did you mean 'shop\.example\.com'\? The platform team gives the names: hostNames of team 'ledger' in 'dev'\./],
  ],
  ['a name that ends as its own', { domains: [{ hostName: 'notledger.example.com' }] }, [/has to be a host name that the team may have/]],
  ['the domain above', { domains: [{ hostName: 'ledger.example.com' }] }, [/has to be a host name that the team may have/]],
  ['a team without host names', { team: teamWithout(), domains: [shop] }, [/may have: none\. The platform team gives the names: hostNames of team/]],
  ['the same twice', { domains: [shop, shop] }, [/domains\[1\]\.hostName: 'shop\.example\.com' is there already/]],
  ['a certificate by id', { domains: [{ ...shop, certificate: '/subscriptions/x' }] }, [/domains\[0\]\.certificate: .* is no name of a secret/]],
  ['settings of what it does not own', { domains: [{ ...shop, owned: false, certificate: 'x' }] }, [/domains\[0\]\.certificate: belongs to the service/]],
  [
    'records without a zone', { team: new Team({ name: 'ledger', uses: ['front-door'], hostNames: HOST_NAMES }).in(env), domains: [{ ...shop, dnsRecords: true }] },
    [/domains\[0\]\.dnsRecords: there is no shared DNS zone for 'shop\.example\.com'/],
  ],
  ['no Front Door', { team: new Team({ name: 'ledger', hostNames: HOST_NAMES }).in(env), domains: [shop] }, [/domains\[0\]\.on: team 'ledger' does not use 'front-door'/]],
  [
    'a route without anything', { routes: [{ name: 'Web_1', origin: {} } as never] },
    [/routes\[0\]\.name: 'Web_1' is no name/, /routes\[0\]\.domains: required/, /routes\[0\]\.origin\.hostName: required/],
  ],
  ['a domain that is not there', { domains: [shop], routes: [{ name: 'web', domains: ['shp.example.com'], origin }] }, [/routes\[0\]\.domains\[0\]: 'shp\.example\.com' is no domain of the service\. Did you mean 'shop\.example\.com'\?/]],
  ['a domain twice', { domains: [shop], routes: [{ name: 'web', domains: ['shop.example.com', 'shop.example.com'], origin }] }, [/routes\[0\]\.domains\[1\]: .* is given twice/]],
  ['an origin with a scheme', { domains: [shop], routes: [{ name: 'web', domains: ['shop.example.com'], origin: { hostName: 'https://x.net/' } }] }, [/routes\[0\]\.origin\.hostName: 'https:\/\/x\.net\/' is no host name/]],
  ['a port', { domains: [shop], routes: [{ name: 'web', domains: ['shop.example.com'], origin: { ...origin, httpsPort: 0 } }] }, [/routes\[0\]\.origin\.httpsPort: 0 is no port/]],
  [
    'paths', { domains: [shop], routes: [{ name: 'web', domains: ['shop.example.com'], origin: { ...origin, probePath: 'x' }, patterns: ['api', '/a*/b'], originPath: '/*' }] },
    [/origin\.probePath: 'x'/, /patterns\[0\]: 'api'/, /patterns\[1\]: '\/a\*\/b'/, /originPath: '\/\*'/],
  ],
  [
    'two routes for one place', { domains: [shop], routes: [{ name: 'web', domains: ['shop.example.com'], origin, patterns: ['/a', '/Api/*'] }, { name: 'api', domains: ['shop.example.com'], origin, patterns: ['/api/*'] }] },
    [/routes\[1\]\.patterns: route 'web' has 'shop\.example\.com\/api\/\*' already/],
  ],
  ["the endpoint's host name, unknown", { routes: [{ name: 'web', defaultDomain: true, origin }] }, [/routes\[0\]\.defaultDomain: the environment does not say the host name of 'front-door'/]],
  ["the endpoint's host name, not given", { team: teamIn(named), routes: [{ name: 'web', defaultDomain: true, origin }] }, [/routes\[0\]\.defaultDomain: 'edge-a1b2\.z01\.azurefd\.net' has to be a host name that the team may have/]],
  ['two routes of one name', { domains: [shop], routes: [{ name: 'web', domains: ['shop.example.com'], origin }, { name: 'web', domains: ['shop.example.com'], origin }] }, [/routes\[1\]\.name: 'web' is there already/]],
  ['a type', { dnsRecords: [{ name: 'shop.example.com', type: 'CNAM' as DnsRecordType, values: ['x.net'] }] }, [/dnsRecords\[0\]\.type: 'CNAM' is no type .* Did you mean 'CNAME'\?/]],
  ['no values', { dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.TXT, values: [] }] }, [/dnsRecords\[0\]\.values: required/]],
  [
    'values', { dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.A, values: ['2001:db8::1'] }, { name: 'shop.example.com', type: DnsRecordType.CNAME, values: ['a.net', 'B.net'] }] },
    [/dnsRecords\[0\]\.values\[0\]: .* is no IPv4 address/, /dnsRecords\[1\]\.values: a CNAME has one value/, /dnsRecords\[1\]\.values\[1\]: 'B\.net' is no host name/],
  ],
  ['what speaks for another', { dnsRecords: [{ name: '_dnsauth.ledger.example.com', type: DnsRecordType.TXT, values: ['t'] }] }, [/dnsRecords\[0\]\.name: '_dnsauth\.ledger\.example\.com' has to be a host name that the team may have/]],
  ['a wildcard below one name', { dnsRecords: [{ name: '*.shop.example.com', type: DnsRecordType.A, values: ['192.0.2.1'] }] }, [/has to be a host name that the team may have/]],
  ['the record of its domain', { domains: [shop], dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.CNAME, values: ['x.net'] }] }, [/dnsRecords\[0\]: there is a record set 'shop\.example\.com' of type CNAME already/]],
  ['a CNAME of the zone itself', { team: teamOf({ hostNames: ['example.com'] }), dnsRecords: [{ name: 'example.com', type: DnsRecordType.CNAME, values: ['x.net'] }] }, [/dnsRecords\[0\]: 'example\.com' is the zone itself, where no CNAME can be/]],
  ['texts beside a CNAME', { domains: [shop], dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.TXT, values: ['x'] }] }, [/dnsRecords\[0\]: 'shop\.example\.com' has a record set of type CNAME, and a CNAME can have none beside it/]],
  ['a CNAME beside addresses', { dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.A, values: ['192.0.2.1'] }, { name: 'shop.example.com', type: DnsRecordType.CNAME, values: ['x.net'] }] }, [/dnsRecords\[1\]: .* has a record set of type A, and a CNAME/]],
  ['a wildcard as value', { dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.CNAME, values: ['*.x.net'] }] }, [/values\[0\]: '\*\.x\.net' is no host name/]],
  ['too many values', { dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.TXT, values: Array.from({ length: 21 }, String) }] }, [/dnsRecords\[0\]\.values: 21 values, and Azure takes 20/]],
  [
    'a record without a zone', { team: new Team({ name: 'ledger', hostNames: HOST_NAMES }).in(env), dnsRecords: [{ name: 'shop.example.com', type: DnsRecordType.A, values: ['192.0.2.1'] }] },
    [/dnsRecords\[0\]\.name: 'shop\.example\.com' is in no shared DNS zone that the team uses\. Add its zone to the team's uses: there is 'dns-zone'/],
  ],
])('refused: %s', (_, props, problems) => {
  for (const problem of problems) expect(() => serviceOf(props)).toThrow(problem);
});

test.each(['*', '*.com', 'shop.example.com.', 'Shop.example.com', 'a.*.example.com', 'sh\u043ep.example.com', 'shop', '', 'a..b.com', '-a.example.com'])(
  'no host name of a team: %s',
  (hostName) => {
    expect(() => teamOf({ hostNames: [hostName] })).toThrow(/hostNames\[2\]: '.*' is no host name/);
  },
);

test('a workspace has the host names of its team', () => {
  expect(new Team({ name: 'ledger', hostNames: ['a.example.com'] }).workspace('alice', { hostNames: ['b.example.com'] }).in(env).hostNames)
    .toEqual(['a.example.com', 'b.example.com']);
});

function teamIn(where: Environment, hostNames = HOST_NAMES): TeamInEnvironment {
  return new Team({ name: 'ledger', uses: ['front-door', 'dns-zone'], hostNames }).in(where);
}

function teamWithout(): TeamInEnvironment {
  return new Team({ name: 'ledger', uses: ['front-door'] }).in(env);
}
