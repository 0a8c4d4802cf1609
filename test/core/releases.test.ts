import { App, Chart } from 'cdk8s';
import fc from 'fast-check';
import { findings, Identity, FederatedCredential, Props, ResourceGroup, StorageAccount } from './kinds';
import { Catalog, PropertyFacts } from '../../src/catalog';
import { propertyNameOf } from '../../src/catalog/property-names';
import { AsoRelease, AzureResource } from '../../src/core';
import { isPreview, isUpTo, servedVersion, writtenVersions } from '../../src/core/versions/served-version';
import { Account, Project } from '../../src/services/cognitiveservices';
import { DiagnosticSetting } from '../../src/services/insights';

function chart(release?: AsoRelease): Chart {
  const app = new App();
  release?.applyTo(app);
  return new Chart(app, 'chart');
}

function account(scope: Chart, props: Props = {}) {
  const owner = new ResourceGroup(scope, 'rg', { location: 'uksouth' });
  return new StorageAccount(scope, 'account', { owner, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, ...props });
}

const of = (name: string) => AsoRelease.of(name);

describe('the releases', () => {
  test('are those that the catalog mentions', () => {
    const mentioned = new Set(
      Catalog.default().allKinds.flatMap((kind) => kind.versionNames.map((version) => kind.facts.versions[version]!.since))
        // Kinds that ASO has not belong to no release.
        .filter((since) => since !== undefined),
    );
    const sorted = [...mentioned].sort((a, b) => (isUpTo(a!, b!) ? -1 : 1));
    expect(AsoRelease.all.map(String)).toEqual(sorted);
    expect(AsoRelease.LATEST.name).toBe(sorted[sorted.length - 1]);
  });

  test.each(['v2.11.0', '2.11.0', 'v2.11', '2.11.3'])('%s', (text) => expect(of(text)).toBe(AsoRelease.V2_11_0));

  test.each([
    ['2.99.0', /it knows v2\.0\.0 to v2\.\d+\.0/],
    ['v1.0.0', /no release/],
    ['newest', /is not a version/],
    ['', /is not a version/],
    [undefined, /undefined is not a version/],
  ])('%j is none', (text, message) => {
    expect(() => of(text as string)).toThrow(message);
  });

  test('order', () => {
    expect([isUpTo('v2.9.0', 'v2.11.0'), isUpTo('v2.11.0', 'v2.9.0'), isUpTo('v2.9.0', 'v2.9.0')]).toEqual([true, false, true]);
  });
});

describe('the version of an object', () => {
  test.each([
    [undefined, 'v20250601'], ['v2.21.0', 'v20250601'], ['v2.18.0', 'v20250601'], ['v2.17.0', 'v1api20230101'], ['v2.5.0', 'v1api20230101'],
    ['v2.4.0', 'v1api20220901'], ['v2.0.0', 'v1api20210401'],
  ])('under %s is the newest stable one that it serves: %s', (release, version) => {
    const made = account(chart(release === undefined ? undefined : of(release)));
    const json = made.toJson() as { apiVersion: string };
    expect([made.apiVersion, json.apiVersion, made.node.validate()]).toEqual([
      `storage.azure.com/${version}`,
      `storage.azure.com/${version}`,
      [],
    ]);
  });

  test('the newest release writes what the classes say, for every kind', () => {
    const { allKinds } = Catalog.default();
    expect(allKinds.map((kind) => servedVersion(kind, AsoRelease.LATEST.name))).toEqual(allKinds.map((kind) => kind.latest.name));
  });

  test('never a preview where there is a stable one, never one that comes later, never an older one for a newer release', () => {
    const kinds = Catalog.default().allKinds.filter(({ group }) => group.endsWith('.azure.com'));
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.constantFrom(...AsoRelease.all), fc.constantFrom(...AsoRelease.all), (kind, one, other) => {
        const [early, late] = isUpTo(one.name, other.name) ? [one, other] : [other, one];
        const [before, after] = [servedVersion(kind, early.name), servedVersion(kind, late.name)];
        if (before === undefined) return;
        expect(isUpTo(kind.facts.versions[before]!.since!, early.name)).toBe(true);
        expect(isPreview(before)).toBe(kind.versionNames.every(isPreview));
        expect(kind.versionNames.indexOf(after!)).toBeLessThanOrEqual(kind.versionNames.indexOf(before));
      }),
    );
  });

  test('of its own counts more, also a preview', () => {
    const scope = chart(AsoRelease.V2_11_0);
    expect(account(scope, { apiVersion: 'v20250601' }).apiVersion).toBe('storage.azure.com/v20250601');
    const identity = new Identity(scope, 'identity', { owner: ResourceGroup.named('rg'), location: 'uksouth' });
    const token = { issuer: 'https://a', subject: 'b', audiences: ['c'] };
    const credential = new FederatedCredential(scope, 'credential', { apiVersion: 'v1api20220131preview', owner: identity, ...token });
    expect(credential.apiVersion).toBe('managedidentity.azure.com/v1api20220131preview');
    expect(findings(scope)).toEqual([]);
  });

  test('goes by the nearest scope', () => {
    const app = new App();
    AsoRelease.V2_4_0.applyTo(app);
    const old = new Chart(app, 'old');
    const recent = new Chart(app, 'recent');
    AsoRelease.LATEST.applyTo(recent);
    expect([account(old).apiVersion, account(recent).apiVersion]).toEqual([
      'storage.azure.com/v1api20220901',
      'storage.azure.com/v20250601',
    ]);
    expect([old, recent, new App()].map((scope) => AsoRelease.appliedTo(scope))).toEqual([AsoRelease.V2_4_0, AsoRelease.LATEST, undefined]);
  });

  test('cannot be changed any more', () => {
    const scope = chart();
    account(scope);
    expect(() => AsoRelease.V2_4_0.applyTo(scope.node.root)).toThrow(/^AsoRelease\.applyTo: 'chart\/rg' was made before.*'the app'/);
    const other = chart(AsoRelease.V2_4_0);
    account(other);
    expect(() => AsoRelease.V2_4_0.applyTo(other)).not.toThrow();
  });

  test('is a preview for kinds that have nothing else', () => {
    const setting = new DiagnosticSetting(chart(AsoRelease.LATEST), 'setting', { owner: ResourceGroup.named('rg') });
    expect(setting.apiVersion).toBe('insights.azure.com/v1api20210501preview');
  });
});

describe('what the release lacks', () => {
  test('a property', () => {
    const scope = chart(AsoRelease.V2_4_0);
    account(scope, { dnsEndpointType: 'Standard', enableExtendedGroups: true });
    expect(findings(scope)).toEqual([
      '[chart/account] StorageAccount enableExtendedGroups: there is no such property. Azure Service Operator v2.4.0 has StorageAccount in version v1api20220901, which lacks it; v2.18.0 is the first release that has it (version v20250601).',
    ]);
  });

  test('a property of a property', () => {
    const scope = chart(AsoRelease.V2_0_0);
    account(scope, { immutableStorageWithVersioning: { enabled: true, immutabilityPolicy: { state: 'Locked' } } });
    expect(findings(scope)).toEqual([expect.stringMatching(/immutableStorageWithVersioning: there is no such property\. .*; v2\.1\.0 is the first release that has it \(version v1api20220901\)\.$/)]);
  });

  test('a value', () => {
    const scope = chart(AsoRelease.V2_4_0);
    account(scope, { sku: { name: 'StandardV2_LRS' }, minimumTlsVersion: 'TLS1_3' });
    expect(findings(scope)).toEqual([
      expect.stringMatching(/^\[chart\/account\] StorageAccount sku\.name: 'StandardV2_LRS' is not an allowed value;.* Azure Service Operator v2\.4\.0 has StorageAccount in version v1api20220901, which does not allow that; v2\.18\.0 is the first release that allows it \(version v20250601\)\.$/),
      expect.stringMatching(/minimumTlsVersion: 'TLS1_3' is not an allowed value.* v2\.18\.0 is the first/),
    ]);
  });

  test('what no release has is answered as ever', () => {
    const scope = chart(AsoRelease.V2_4_0);
    account(scope, { accesTier: 'Hot', sku: { name: 'Standard_XYZ' } });
    expect(findings(scope)).toEqual([
      expect.stringMatching(/^(?!.*Operator).*Standard_XYZ/),
      expect.stringMatching(/accesTier: there is no such property\. Did you mean 'accessTier'\?$/),
    ]);
  });

  test('a kind', () => {
    const scope = chart(AsoRelease.V2_11_0);
    new Project(scope, 'project', { owner: Account.fromName('account'), location: 'uksouth' });
    expect(findings(scope)).toEqual([expect.stringMatching(/^\[chart\/project\] Project apiVersion: Azure Service Operator v2\.11\.0 does not have this kind; v2\.\d+\.0 is the first release that has it\. Move the clusters/)]);
  });

  test('a stable version of a kind', () => {
    const scope = chart(AsoRelease.V2_3_0);
    new FederatedCredential(scope, 'credential', {
      owner: Identity.named('identity'),
      issuer: 'https://a',
      subject: 'b',
      audiences: ['c'],
    });
    expect(findings(scope)).toEqual([
      expect.stringMatching(
        /^\[chart\/credential\] FederatedIdentityCredential apiVersion: Azure Service Operator v2\.3\.0 has this kind only as a preview \(v1api20220131preview\); v2\.5\.0 is the first release that has a stable version \(v1api20230131\)\. Ask for the preview with apiVersion: 'v1api20220131preview'/,
      ),
    ]);
  });

  test('a version of its own: which release would have it', () => {
    const scope = chart();
    account(scope, { apiVersion: 'v1api20210401', dnsEndpointType: 'Standard' });
    expect(findings(scope)).toEqual([expect.stringMatching(/dnsEndpointType: there is no such property\. apiVersion asks for v1api20210401 \(since Azure Service Operator v2\.0\.0\), which lacks it; v2\.1\.0 is the first/)]);
  });
});

test('every property that a version lacks leads to a release that has it', () => {
  const values: Record<string, unknown> = { string: 'x', boolean: true, integer: 1 };
  const valueFor = (facts: PropertyFacts) =>
    typeof facts.type === 'string' && !facts.enum && !facts.pattern && !facts.minimum ? values[facts.type] : undefined;
  let looked = 0;
  for (const kind of Catalog.default().allKinds) {
    const written = writtenVersions(kind);
    for (const [i, { release, version }] of written.entries()) {
      const own = kind.version(version)!.specType.props;
      const next = written[i + 1];
      const later = next ? Object.entries(kind.version(next.version)!.specType.props) : [];
      for (const [name, facts] of later.filter(([added, added_]) => !own[added] && valueFor(added_) !== undefined)) {
        looked++;
        const scope = chart(of(release));
        const Made = classOf(kind.group, kind.kind, kind.latest.name);
        new Made(scope, 'x', { [propertyNameOf(name, true)]: valueFor(facts) });
        expect(findings(scope).filter((text) => text.includes('no such property'))).toEqual([
          expect.stringContaining(`; ${next!.release} is the first release that has it (version ${next!.version}).`),
        ]);
      }
    }
  }
  expect(looked).toBeGreaterThan(40);
});

function classOf(group: string, kind: string, version: string) {
  return class extends AzureResource {
    public constructor(scope: Chart, id: string, props: Props) {
      super(scope, id, { group, kind, version }, props);
    }
  };
}

test('an output that the version does not export', () => {
  // Found in the catalog, so that the test lasts.
  const missing = Catalog.default().allKinds.flatMap((kind) => {
    const [old, ...newer] = writtenVersions(kind);
    const outputs = (version: string) => Object.keys(kind.version(version)!.facts.exports?.configMaps ?? {});
    const found = newer.flatMap(({ release, version }) => outputs(version).map((name) => ({ release, name })));
    const first = found.find(({ name }) => !outputs(old!.version).includes(name));
    return first ? [{ kind, old, ...first }] : [];
  });
  expect(missing.length).toBeGreaterThan(0);
  for (const { kind, old, release, name } of missing) {
    const Made = classOf(kind.group, kind.kind, kind.latest.name);
    const resource = new Made(chart(of(old!.release)), 'x', {});
    expect(() => resource.output(name)).toThrow(
      `has no output '${name}'. Azure Service Operator ${release} is the first release that has it`,
    );
  }
});
