import { environment, objectOf, objectsOf, serviceOf, SUBSCRIPTION } from './service-fixture';
import { AzureReference } from 'cdk8s-aso';
import { StorageSubResource, Team, type TeamInEnvironment } from 'cdk8s-aso/platform';

describe('storage', () => {
  const publicly = environment({ shared: {} });
  const account = (request: object, env = environment()) =>
    objectOf(serviceOf({ storageAccounts: [{ name: 'docs', ...request }] }, env).app, 'StorageAccount').spec;
  const network = (request: object, env = environment()) => {
    const { networkAcls, publicNetworkAccess } = account(request, env);
    return { networkAcls, publicNetworkAccess };
  };

  test('who gets in', () => {
    const ipRules = [{ action: 'Allow', value: '203.0.113.0/29' }];
    const ranges = { allowedIpRanges: ['203.0.113.0/29'] };
    expect(network({})).toEqual({ publicNetworkAccess: 'Disabled', networkAcls: { bypass: 'AzureServices', defaultAction: 'Deny' } });
    expect(network({}, publicly)).toEqual({
      publicNetworkAccess: 'Enabled',
      networkAcls: { bypass: 'AzureServices', defaultAction: 'Allow', resourceAccessRules: [] },
    });
    expect(network(ranges, publicly)).toEqual({
      publicNetworkAccess: 'Enabled',
      networkAcls: { bypass: 'AzureServices', defaultAction: 'Deny', ipRules },
    });
    expect(network(ranges)).toEqual({
      publicNetworkAccess: 'Disabled',
      networkAcls: { bypass: 'AzureServices', defaultAction: 'Deny', ipRules },
    });
    expect(network({ privateAccess: false })).toMatchObject({ publicNetworkAccess: 'Enabled', networkAcls: { defaultAction: 'Allow' } });
    expect(network({ allowedIpRanges: [] }, publicly)).toMatchObject({ networkAcls: { defaultAction: 'Allow' } });
  });

  test('endpoints: blobs and tables, or those of the environment, or of the account', () => {
    const endpoints = (request: object, env = environment()) =>
      objectsOf(serviceOf({ storageAccounts: [{ name: 'docs', ...request }] }, env).app)
        .filter(({ kind }) => kind === 'PrivateEndpoint')
        .map(({ spec }) => spec.privateLinkServiceConnections[0].groupIds[0]);
    const { shared } = environment();
    const withFiles = environment({
      shared: { ...shared, privateAccess: { ...shared.privateAccess!, storage: [StorageSubResource.FILE] } },
    });
    expect(endpoints({})).toEqual(['blob', 'table']);
    expect(endpoints({}, withFiles)).toEqual(['file']);
    expect(endpoints({ privateEndpoints: [StorageSubResource.DFS, StorageSubResource.WEB, StorageSubResource.QUEUE] }, withFiles)).toEqual([
      'dfs',
      'web',
      'queue',
    ]);
    expect(endpoints({ privateAccess: false })).toEqual([]);
    expect(endpoints({}, publicly)).toEqual([]);
  });

  test('endpoints in a network of the team, which may be in another subscription', () => {
    const id = '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourceGroups/rg-network/providers/Microsoft.Network/virtualNetworks/vnet-ledger/subnets/endpoints';
    const privateAccess = { subnet: AzureReference.fromArmId(id), storage: [StorageSubResource.BLOB] };
    const subnets = (team: TeamInEnvironment) => objectsOf(serviceOf({ team, storageAccounts: [{ name: 'docs' }] }).app)
      .filter(({ kind }) => kind === 'PrivateEndpoint')
      .map(({ spec }) => spec.subnet.reference.armId);
    const ledger = new Team({ name: 'ledger', privateAccess });
    expect(subnets(ledger.in(environment()))).toEqual([id]);
    expect(subnets(ledger.in(publicly))).toEqual([id]);
    const other = id.replace('endpoints', 'other');
    const accessBy = (armId: string) => ({ ...privateAccess, subnet: AzureReference.fromArmId(armId) });
    const inDev = (armId: string) => ledger.in(environment(), { privateAccess: accessBy(armId) });
    expect(subnets(inDev(other))).toEqual([other]);
    expect(() => inDev(id.replace(/\/subnets.*/, ''))).toThrow(/privateAccess\.subnet: is a Microsoft\.Network\/virtualNetworks, and has to be a subnet/);
    expect(() => ledger.in(environment(), { privateAccess: {} as never })).toThrow(/privateAccess\.subnet: required/);
  });

  test('the zone group is of the account\'s region', () => {
    const { app } = serviceOf({ storageAccounts: [{ name: 'docs', location: 'UK West', privateEndpoints: [StorageSubResource.FILE] }] });
    expect(objectOf(app, 'PrivateEndpoint').spec.location).toBe('UK West');
    expect(objectOf(app, 'PrivateEndpointsPrivateDnsZoneGroup').spec.privateDnsZoneConfigs[0]).toEqual({
      name: 'privatelink-file-core-windows-net',
      privateDnsZoneReference: { armId: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg-dns-west/providers/Microsoft.Network/privateDnsZones/privatelink.file.core.windows.net` },
    });
  });

  test('without zones there is no zone group', () => {
    const { shared } = environment();
    const { app } = serviceOf({ storageAccounts: [{ name: 'docs' }] }, environment({ shared: { ...shared, privateDnsZones: [] } }));
    expect(objectsOf(app).filter(({ kind }) => kind === 'PrivateEndpointsPrivateDnsZoneGroup')).toEqual([]);
  });

  test('what can be chosen', () => {
    const choices = {
      accessTier: 'Cool',
      allowSharedKeyAccess: true,
      allowCrossTenantReplication: true,
      defaultToOAuthAuthentication: false,
    };
    expect(account(choices)).toMatchObject(choices);
    expect(account({ sku: 'Standard_GZRS' }).sku).toEqual({ name: 'Standard_GZRS' });
    expect(account({}, environment({ storageAccountSku: 'Standard_ZRS' })).sku).toEqual({ name: 'Standard_ZRS' });
    expect(account({ hierarchicalNamespace: true }).isHnsEnabled).toBe(true);
    expect(account({})).not.toHaveProperty('isHnsEnabled');
  });

  test('settings of blobs and files: what is not said is as by default', () => {
    const services = (request: object) => {
      const objects = objectsOf(serviceOf({ storageAccounts: [{ name: 'docs', ...request }] }).app);
      const { owner: _, ...blob } = objects.find(({ kind }) => kind === 'StorageAccountsBlobService').spec;
      return { blob, file: objects.find(({ kind }) => kind === 'StorageAccountsFileService').spec.shareDeleteRetentionPolicy };
    };
    expect(services({
      blobService: {
        changeFeed: { enabled: true, retentionInDays: 3 },
        containerDeleteRetentionPolicy: { enabled: false },
        deleteRetentionPolicy: { days: 30 },
        restorePolicy: { enabled: true, days: 2 },
        isVersioningEnabled: true,
      },
      fileService: { shareDeleteRetentionPolicy: { enabled: true } },
    })).toEqual({
      blob: {
        changeFeed: { enabled: true, retentionInDays: 3 },
        containerDeleteRetentionPolicy: { enabled: false },
        cors: {},
        deleteRetentionPolicy: { allowPermanentDelete: false, enabled: true, days: 30 },
        restorePolicy: { enabled: true, days: 2 },
        isVersioningEnabled: true,
      },
      file: { enabled: true, days: 7 },
    });
    const off = { enabled: false, allowPermanentDelete: true };
    expect(services({ blobService: { deleteRetentionPolicy: off } }).blob.deleteRetentionPolicy).toEqual(off);
    expect(services({ fileService: { shareDeleteRetentionPolicy: { enabled: false } } }).file).toEqual({ enabled: false });
  });

  test("another service's account gets contents, and no settings", () => {
    const { app } = serviceOf({
      storageAccounts: [
        {
          name: 'docs',
          owned: false,
          containers: [{ name: 'letters' }],
          tables: ['rows'],
          fileShares: [{ name: 'files', shareQuota: 0 + 5 }],
        },
      ],
    });
    const kinds = objectsOf(app)
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith('Storage'));
    expect(kinds).toEqual([
      'StorageAccountsBlobServicesContainer',
      'StorageAccountsTableServicesTable',
      'StorageAccountsFileServicesShare',
    ]);
    expect(objectOf(app, 'StorageAccountsFileServicesShare').spec).toMatchObject({
      shareQuota: 5,
      owner: { armId: expect.stringMatching(/\/fileServices\/default$/) },
    });
  });

  test('contents can be added later', () => {
    const { app, service } = serviceOf();
    const docs = service.addStorageAccount('docs');
    docs.addContainer('letters');
    docs.addTable('rows');
    docs.addTable('more');
    docs.addFileShare('files', { shareQuota: 20 });
    expect(
      objectsOf(app)
        .map(({ kind }) => kind)
        .filter((kind) => /Table|Share$|Container/.test(kind)),
    ).toEqual([
      'StorageAccountsBlobServicesContainer',
      'StorageAccountsTableService',
      'StorageAccountsTableServicesTable',
      'StorageAccountsTableServicesTable',
      'StorageAccountsFileServicesShare',
    ]);
    expect(() => docs.addContainer('Not A Name')).toThrow('containers[\'Not A Name\'].name: ');
  });

  test.each([
    [{ name: 'much-too' }, 'storageAccounts[0].name: \'much-too\' has other characters'],
    [{ name: 'abcdefghijkl' }, 'storageAccounts[0].name: \'abcdefghijkl\' is longer than 11 characters'],
    [{ name: '' }, 'storageAccounts[0].name: required'],
    [
      { location: 'francecentral' },
      "storageAccounts[0].location: environment 'dev' has no private DNS zones for 'francecentral'. It has them for uksouth, ukwest",
    ],
    [{ allowedIpRanges: ['10.0.0.0/8', 'all'] }, "storageAccounts[0].allowedIpRanges[1]: 'all' is no IPv4 address or range"],
    [{ allowedIpRanges: ['300.0.0.1'] }, 'storageAccounts[0].allowedIpRanges[0]: '],
    [{ accessTier: 'Lukewarm' }, 'storageAccounts[0].accessTier: '],
    [{ sku: 'Standard_XYZ' }, 'storageAccounts[0].sku.name: '],
    [{ privateEndpoints: ['sql'] }, 'storageAccounts[0].privateEndpoints[0]: \'sql\' is no part'],
    [{ privateEndpoints: ['blob', 'blob'] }, 'storageAccounts[0].privateEndpoints[1]: \'blob\' is given twice'],
    [{ blobService: { changeFeed: { enabled: true } } }, 'storageAccounts[0].blobService.changeFeed.retentionInDays: required'],
    [{ blobService: { restorePolicy: { enabled: true } } }, 'storageAccounts[0].blobService.restorePolicy.days: required'],
    [{ blobService: { versioning: true } }, 'storageAccounts[0].blobService.versioning: is no setting'],
    [{ blobService: { deleteRetentionPolicy: { days: 1000 } } }, 'storageAccounts[0].blobService.deleteRetentionPolicy.days: '],
    [{ fileService: { shareDeleteRetentionPolicy: { days: 'x' } } }, 'storageAccounts[0].fileService.shareDeleteRetentionPolicy.days: '],
    [{ containers: [{ name: 'a' }] }, 'storageAccounts[0].containers[0].name: '],
    [{ containers: [{ name: 'abc' }, { name: 'ABC' }] }, 'storageAccounts[0].containers[1].name: \'ABC\' is given twice'],
    [{ tables: ['good', 'not-good'] }, 'storageAccounts[0].tables[1]: '],
    [{ fileShares: [{ name: 'abc', shareQuota: 'big' }] }, 'storageAccounts[0].fileShares[0].shareQuota: '],
    [{ owned: false, accessTier: 'Cool' }, 'storageAccounts[0].accessTier: belongs to the service that has the account'],
  ])('refuses %j', (request, message) => {
    expect(() => serviceOf({ storageAccounts: [{ name: 'docs', ...request } as never] })).toThrow(message);
  });
});

describe('records in private zones', () => {
  test('of the other regions', () => {
    const record = (location?: string) =>
      objectOf(
        serviceOf({ privateDnsRecords: [{ storageAccount: 'docs', ...(location === undefined ? {} : { location }), addresses: { table: '10.0.0.9' }, ttl: 60 }] }).app,
        'PrivateDnsZonesARecord',
      ).spec;
    expect(record()).toMatchObject({
      ttl: 60,
      aRecords: [{ ipv4Address: '10.0.0.9' }],
      owner: { armId: expect.stringMatching(/rg-dns-west.*privatelink\.table\.core\.windows\.net$/) },
    });
    expect(record('ukwest').owner.armId).toContain('rg-dns-south');
  });

  test.each([
    [{ addresses: {} }, 'privateDnsRecords[0].addresses: required'],
    [{ addresses: { blob: '10.0.0' } }, 'privateDnsRecords[0].addresses.blob: \'10.0.0\' is no IPv4 address'],
    [{ addresses: { blob: '10.0.0.256' } }, 'privateDnsRecords[0].addresses.blob: '],
    [{ addresses: { sql: '10.0.0.8' } }, "privateDnsRecords[0].addresses.sql: 'sql' is no part"],
    [
      { location: 'norwayeast', addresses: { blob: '10.0.0.8' } },
      "privateDnsRecords[0].location: environment 'dev' has no private DNS zones for 'norwayeast'",
    ],
    [{ storageAccount: '', addresses: { blob: '10.0.0.8' } }, 'privateDnsRecords[0].storageAccount: required'],
    [{ ttl: 'long', addresses: { blob: '10.0.0.8' } }, 'privateDnsRecords[0].ttl: '],
  ])('refuses %j', (request, message) => {
    expect(() => serviceOf({ privateDnsRecords: [{ storageAccount: 'docs', ...request } as never] })).toThrow(message);
  });
});
