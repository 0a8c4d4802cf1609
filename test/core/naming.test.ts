import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import fc from 'fast-check';
import {
  account,
  chart,
  Container,
  BlobService,
  findings,
  group,
  GROUP_ID,
  identity,
  Props,
  ResourceGroup,
  StorageAccount,
  synth,
  VirtualNetwork,
} from './kinds';
import { CAF_ABBREVIATIONS } from '../../src/azure/names/abbreviations';
import { NAME_FACTS, nameProblem, nameScopeOf } from '../../src/azure/names/name-facts';
import { isTellingName } from '../../src/azure/names/telling-names';
import { Catalog } from '../../src/catalog';
import {
  AzureNameRequest,
  AzureNameRules,
  AzureNaming,
  AzureReference,
  AzureResource,
  DefaultAzureName,
  NameUniqueness,
} from '../../src/core';
import { CommunicationService } from '../../src/services/communication';
import { DnsZone } from '../../src/services/network';

const PROD = { workload: 'shop', environment: 'prod' };
const owner = AzureReference.fromArmId(GROUP_ID);
const nameable = Catalog.default().allKinds.filter((kind) => kind.latest.isArm && kind.latest.facts.name === 'azureName');
const armTypes = new Set(
  Catalog.default().allKinds.flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!.facts.arm?.type.toLowerCase())),
);

/** Names as they stand in the manifest, by construct id. */
const names = (scope: Chart) => Object.fromEntries(synth(scope).map((object) => [object.metadata.name, object.spec.azureName]));

describe('the tables', () => {
  test.each([
    ['name facts', NAME_FACTS],
    ['abbreviations', CAF_ABBREVIATIONS],
  ])('%s: every ARM type is one of the catalog, in lower-case letters', (_, table) => {
    expect(Object.keys(table).filter((type) => !armTypes.has(type))).toEqual([]);
  });

  test('abbreviations stand for one type each', () => {
    expect(new Set(Object.values(CAF_ABBREVIATIONS)).size).toBe(Object.keys(CAF_ABBREVIATIONS).length);
  });
});

describe('Azure\'s rules', () => {
  test.each([
    ['Microsoft.KeyVault/vaults', 'kv-shop', 'kv--shop', '1shop', 'shop-', 'kv'],
    ['Microsoft.Storage/storageAccounts', 'stshop1', 'StShop', 'st-shop', 'st', 'a'.repeat(25)],
    ['Microsoft.Storage/storageAccounts/blobServices/containers', '$web', '$other', 'a--b', '-ab', 'Images'],
    ['Microsoft.Resources/resourceGroups', 'Shop_(1).ü', 'shop.', 'a/b', '', 'a'.repeat(91)],
    ['Microsoft.Network/virtualNetworks', 'vnet_1.a_', 'v', 'vnet-', 'vnet.', '_vnet'],
    ['Microsoft.ServiceBus/namespaces', 'sbns-shop', 'shop-sb', 'shop-mgmt', '1shops', 'shop'],
    ['Microsoft.Search/searchServices', 'srch-a', 's-rch', 'srch--a', 'Srch', 'srch-'],
    ['Microsoft.Synapse/workspaces', 'synw-a', 'a-ondemand', 'A', '-a', 'a'.repeat(51)],
    ['Microsoft.DocumentDB/databaseAccounts', 'cosmos-a', 'co', 'Cosmos', '-abc', 'a'.repeat(45)],
    ['Microsoft.Web/sites', 'app-ä', 'a', '-app', 'app-', 'a.b'],
    ['Microsoft.Sql/servers/databases', 'My db (1)', 'db.', 'db ', 'a/b', 'a?b'],
    [
      'Microsoft.Authorization/roleAssignments',
      '0B7A1c1e-5f2e-4a55-9f0a-2b8f4c1d9e77',
      'reader',
      '0b7a1c1e5f2e4a559f0a2b8f4c1d9e77',
      '',
      'x'.repeat(36),
    ],
  ])('%s: %j is a name, %j and others are none', (type, good, ...bad) => {
    expect(nameProblem(type, good)).toBeUndefined();
    expect(bad.filter((name) => nameProblem(type, name) === undefined)).toEqual([]);
    expect(nameProblem(type.toUpperCase(), bad[0])).toContain(`'${bad[0]}' is no name that Azure takes for`);
  });

  test('are checked at synth, whether the name is given or taken from metadata.name', () => {
    const scope = chart();
    new VirtualNetwork(scope, 'v', { owner, location: 'uksouth', addressSpace: { addressPrefixes: ['10.0.0.0/8'] } });
    new VirtualNetwork(scope, 'vnet', {
      owner,
      location: 'uksouth',
      addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      azureName: 'vnet.',
    });
    expect(findings(scope)).toEqual([
      '[chart/v] VirtualNetwork azureName: \'v\' is no name that Azure takes for Microsoft.Network/virtualNetworks: 2 to 64 letters, digits, underscores, periods and hyphens, a letter or digit first, no period or hyphen last. It is the object\'s metadata.name, for want of an azureName: give azureName.',
      expect.stringMatching(/^\[chart\/vnet\] VirtualNetwork azureName: 'vnet\.' is no name .* last\.$/),
    ]);
  });

  test('of a kind', () => {
    const rules = AzureNameRules.of('storage.azure.com', 'StorageAccount');
    expect([rules.armType, rules.uniqueness, rules.minLength, rules.maxLength]).toEqual([
      'Microsoft.Storage/storageAccounts',
      NameUniqueness.GLOBAL,
      3,
      24,
    ]);
    expect(AzureNameRules.of('network.azure.com', 'VirtualNetworksSubnet').uniqueness).toBe(NameUniqueness.PARENT);
    expect(AzureNameRules.of('network.azure.com', 'VirtualNetwork').uniqueness).toBe(NameUniqueness.RESOURCE_GROUP);
    expect(rules.problemOf('my-account')).toContain('does not match the pattern');
    expect(rules.problemOf('account')).toBeUndefined();
    expect(() => AzureNameRules.of('storage.azure.com', 'Nothing')).toThrow('the catalog has no Nothing');
    expect(() => AzureNameRules.of('storage.azure.com', 'StorageAccountsBlobService')).toThrow('no Azure name that one could choose');
  });

  test('taken once only in all of Azure, whoever owns it; not where an object only reads', () => {
    const app = new App();
    const [one, two] = ['one', 'two'].map((namespace) => chart(namespace, namespace, app));
    account(one!, 'a', owner, { azureName: 'shopfiles' });
    account(two!, 'b', AzureReference.fromName('resources.azure.com', 'ResourceGroup', 'other'), { azureName: 'ShopFiles'.toLowerCase() });
    expect(findings(one!)).toEqual([
      expect.stringMatching(/^\[two\/b\] .*'shopfiles' is also the Azure name of 'one\/a'; the name is part of a host name/),
    ]);
    const reads = chart('three', 'three', app);
    account(reads, 'c', AzureReference.fromName('resources.azure.com', 'ResourceGroup', 'other'), {
      azureName: 'shopfiles',
      reconcilePolicy: 'skip',
    });
    expect(findings(one!)).toHaveLength(1);
  });
});

describe('names by the Cloud Adoption Framework', () => {
  function shop(naming: AzureNaming = AzureNaming.cloudAdoptionFramework(PROD)) {
    const scope = chart();
    naming.applyTo(scope);
    return scope;
  }

  test('abbreviation, workload, ids, environment; nothing changes in Kubernetes', () => {
    const scope = shop(AzureNaming.cloudAdoptionFramework({ ...PROD, region: 'uksouth', instance: '001' }));
    const rg = group(scope, 'rg');
    const files = account(scope, 'files', rg);
    const service = new BlobService(scope, 'blobs', { owner: files });
    new Container(scope, 'images', { owner: service });
    identity(scope, 'id', rg, { metadata: { name: 'Id-of-shop'.toLowerCase() } });
    new VirtualNetwork(scope, 'hub', { owner: rg, location: 'uksouth', addressSpace: { addressPrefixes: ['10.0.0.0/8'] } });
    new CommunicationService(scope, 'mail', { metadata: { name: 'mail' }, owner: rg as never, location: 'global', dataLocation: 'UK' });
    expect(names(scope)).toEqual({
      'rg': 'rg-shop-rg-prod-uksouth-001',
      'files': expect.stringMatching(/^stshopfilesprodukso[a-z0-9]{6}$|^stshopfilesproduks[a-z0-9]{6}$/),
      'blobs': undefined,
      'images': 'images',
      'id-of-shop': 'id-shop-id-prod-uksouth-001',
      'hub': 'vnet-shop-hub-prod-uksouth-001',
      'mail': 'acs-shop-mail-prod-uksouth-001',
    });
    expect(files.azureName).toHaveLength(24);
  });

  test('an id that only says the type is left out below another one', () => {
    const app = new App();
    AzureNaming.cloudAdoptionFramework({ environment: 'prod' }).applyTo(app);
    const scope = chart('platform', 'shop', app);
    expect(group(scope, 'rg').azureName).toBe('rg-shop-prod');
    expect(group(scope, 'ResourceGroup', { metadata: { name: 'x' } }).azureName).toBe('rg-shop-prod');
    expect(account(new Construct(scope, 'data'), 'Resource', owner, { metadata: { name: 'y' } }).azureName).toBe('stshopdataprod');
    expect(findings(scope)).toEqual([
      expect.stringContaining("[shop/ResourceGroup] ResourceGroup azureName: 'rg-shop-prod' is also the Azure name of 'shop/rg'"),
    ]);
  });

  test('names that are unique in all of Azure end with a hash of who you are', () => {
    const of = (uniqueIn: string) => {
      const scope = shop(AzureNaming.cloudAdoptionFramework({ uniqueIn }));
      return [account(scope, 'files', owner).azureName!, group(scope, 'rg').azureName!];
    };
    const [mine, yours] = [of('me'), of('you')];
    expect(mine[0]).toMatch(/^stfiles[a-z0-9]{6}$/);
    expect(mine[0]).not.toBe(yours[0]);
    expect([mine[1], of('me')]).toEqual(['rg-rg', mine]);
  });

  test('a given name counts more, a nearer naming too', () => {
    const scope = shop();
    const apart = new Construct(scope, 'apart');
    AzureNaming.kubernetesNames().applyTo(apart);
    expect(
      [account(scope, 'a', owner, { azureName: 'mine' }), account(apart, 'b12', owner), account(scope, 'c', owner)].map(
        ({ azureName }) => azureName,
      ),
    ).toEqual(['mine', 'b12', 'stshopcprod']);
  });

  test('counts for what was there before, also where default names are left out', () => {
    const scope = chart();
    const made = account(scope, 'files', owner);
    expect(made.azureName).toBe('files');
    AzureNaming.cloudAdoptionFramework().applyTo(scope);
    DefaultAzureName.leaveOut(scope);
    expect([made.azureName, names(scope).files]).toEqual(['stfiles', 'stfiles']);
  });

  test('other abbreviations, by ARM type or kind', () => {
    const scope = shop(
      AzureNaming.cloudAdoptionFramework({ abbreviations: { 'microsoft.storage/StorageAccounts': 'sa', 'ResourceGroup': '' } }),
    );
    expect([account(scope, 'files', owner).azureName, group(scope, 'shop').azureName]).toEqual(['safiles', 'shop']);
  });

  test('no names are made up where they mean something', () => {
    const scope = shop();
    const zone = new DnsZone(scope, 'zone', {
      metadata: { name: 'contoso.com' },
      owner: ResourceGroup.named('rg') as never,
      location: 'global',
    });
    expect(zone.azureName).toBe('contoso.com');
  });
});

describe('names of one\'s own', () => {
  const naming = (nameOf: (request: AzureNameRequest) => string) => {
    const scope = chart();
    AzureNaming.of({ nameOf }).applyTo(scope);
    return scope;
  };

  test('the strategy learns what it needs', () => {
    const seen: AzureNameRequest[] = [];
    const scope = naming((request) => (seen.push(request), request.rules.fit(['my', ...request.path])));
    const made = account(new Construct(scope, 'Default'), 'files', owner);
    expect(made.azureName).toBe('myfiles');
    expect(seen[0]).toMatchObject({ group: 'storage.azure.com', kind: 'StorageAccount', path: ['files'], resource: made });
  });

  test('what Azure refuses is found', () => {
    const scope = naming(() => 'No-Name');
    account(scope, 'files', owner);
    expect(findings(scope)).toEqual([expect.stringMatching(/^\[chart\/files\] StorageAccount azureName: 'No-Name' does not match .* It is what the AzureNaming makes of the construct's path: give azureName\.$/)]);
  });

  test('what the strategy throws is a finding', () => {
    const scope = naming(() => { throw new Error('not this one'); });
    account(scope, 'files', owner);
    expect(findings(scope)).toEqual(['[chart/files] StorageAccount azureName: not this one']);
  });
});

describe('laws, for every kind that has a name to choose', () => {
  const id = fc
    .oneof(
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/),
      fc.string({ minLength: 1, maxLength: 90 }),
      fc.constantFrom('a', '1', '-', 'ü', 'x'.repeat(300)),
    )
    .map((text) => text.replaceAll('/', '-'));
  const path = fc.array(id, { minLength: 1, maxLength: 4 });
  const kinds = nameable.filter((kind) => !isTellingName(kind.latest.facts.arm!.type) && !/^Role|SqlRoleAssignment/.test(kind.kind));

  test('names are valid and the same each time', () => {
    fc.assert(fc.property(fc.constantFrom(...kinds), path, ({ group: apiGroup, kind }, ids) => {
      const rules = AzureNameRules.of(apiGroup, kind);
      const name = rules.fit(['x', ...ids]);
      expect([kind, name, rules.problemOf(name)]).toEqual([kind, name, undefined]);
      expect(rules.fit(['x', ...ids])).toBe(name);
    }), { numRuns: 2000 });
  });

  test('every one of them gets one', () => {
    for (const { group: apiGroup, kind } of kinds) {
      for (const words of [['a'], ['9'], ['shop', 'Data-Files'], ['x'.repeat(400)], ['é']]) {
        expect(AzureNameRules.of(apiGroup, kind).fit(words)).toMatch(/^[a-z0-9_-]+$/);
      }
    }
  });

  test('too long names that differ anywhere keep differing', () => {
    const rules = AzureNameRules.of('storage.azure.com', 'StorageAccount');
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{30,40}$/),
        fc.stringMatching(/^[a-z]{1,9}$/),
        fc.stringMatching(/^[a-z]{1,9}$/),
        (head, a, b) => {
          fc.pre(a !== b);
          expect(rules.fit([head, a])).not.toBe(rules.fit([head, b]));
        },
      ),
    );
  });

  test('a resource and its construct path give the same name in another app', () => {
    const make = (class_: new (scope: Construct, id: string, props: Props) => AzureResource) => {
      const scope = chart();
      AzureNaming.cloudAdoptionFramework(PROD).applyTo(scope.node.root);
      return new class_(scope, 'files', { owner }).azureName;
    };
    expect(make(StorageAccount)).toBe(make(StorageAccount));
  });

  test('what is unique in all of Azure lies in a resource group or a profile', () => {
    for (const kind of nameable.filter(({ latest }) => nameScopeOf(latest.facts.arm!.type) === 'global')) {
      expect(kind.latest.facts.scope).toBe('resourcegroup');
    }
  });
});
