import { byId, inGroup, ownerNamed, secretOfV1, spelledAs, unlessEmpty, unlessNone, type Mapping, type OldObject } from './mapping';

/** Databases. */
export const DATABASES: Readonly<Record<string, Mapping>> = {
  AzureSqlServer: sqlServer,
  SqlServer: sqlServer,
  AzureSqlDatabase: sqlDatabase,
  SqlDatabase: sqlDatabase,
  AzureSqlFirewallRule: (old) => firewallRule(old, 'sql/ServersFirewallRule'),
  SqlFirewallRule: (old) => firewallRule(old, 'sql/ServersFirewallRule'),
  MySQLFirewallRule: (old) => firewallRule(old, 'dbformysql/FlexibleServersFirewallRule'),
  PostgreSQLFirewallRule: (old) => firewallRule(old, 'dbforpostgresql/FlexibleServersFirewallRule'),
  AzureSqlFailoverGroup: failoverGroup,
  AzureSQLVNetRule: networkRule,
  AzureSQLUser: (old) => user(old, 'sql/User', old.spec.text('dbName'), 'azuresqlserver'),
  MySQLUser: (old) => user(old, 'dbformysql/User', undefined, 'mysqlserver'),
  PostgreSQLUser: (old) => user(old, 'dbforpostgresql/User', undefined, 'postgresqlserver'),
  MySQLServer: (old) => flexibleServer(old, 'dbformysql/FlexibleServer'),
  PostgreSQLServer: (old) => flexibleServer(old, 'dbforpostgresql/FlexibleServer'),
  MySQLDatabase: (old) => ofServer(old, 'dbformysql/FlexibleServersDatabase'),
  PostgreSQLDatabase: (old) => ofServer(old, 'dbforpostgresql/FlexibleServersDatabase'),
  CosmosDB: cosmosAccount,
  CosmosDBSQLDatabase: ({ name, spec }) => {
    const maxThroughput = spec.take('autoscaleSettings.maxThroughput');
    return {
      objects: [{
        kind: 'documentdb/SqlDatabase',
        name,
        spec: {
          azureName: name,
          owner: ownerNamed(spec.text('cosmosDBAccount')),
          resource: { id: name },
          options: unlessEmpty({
            throughput: spec.take('throughput'),
            autoscaleSettings: maxThroughput === undefined ? undefined : { maxThroughput },
          }),
          tags: spec.take('tags'),
        },
      }],
    };
  },
};

function sqlServer(old: OldObject) {
  return {
    objects: [{ kind: 'sql/Server', name: old.name, spec: inGroup(old) }],
    notes: [`v1 made administratorLogin and administratorLoginPassword, and has them in the Secret ${secretOfV1(old.kind, old.name)} `
      + '(username, password), which goes with its object: copy the password to a Secret of your own, and give both here'],
  };
}

/** v1's numbers of editions. */
const EDITIONS = ['Basic', 'Business', 'BusinessCritical', 'DataWarehouse', 'Free', 'GeneralPurpose', 'Hyperscale', 'Premium', 'PremiumRS',
  'Standard', 'Stretch', 'System', 'System2', 'Web'];

function sqlDatabase({ name, spec }: OldObject) {
  const edition = spec.text('edition');
  const sku = unlessEmpty({
    name: spec.text('sku.name'),
    tier: spec.text('sku.tier'),
    capacity: spec.take('sku.capacity'),
    family: spec.text('sku.family'),
    size: spec.text('sku.size'),
  });
  const note = `v1 had edition ${edition}${/^\d+$/.test(edition ?? '') ? ` (${EDITIONS[Number(edition)] ?? 'unknown'})` : ''}: `
    + 'v2 has name and tier of a sku: az sql db show --query sku';
  return {
    objects: [{
      kind: 'sql/ServersDatabase',
      name,
      spec: { azureName: spec.text('dbName') ?? name, owner: ownerNamed(spec.text('server')), location: spec.text('location'), sku },
    }],
    notes: edition === undefined ? [] : [note],
  };
}

function firewallRule({ name, spec }: OldObject, kind: string) {
  const [startIpAddress, endIpAddress] = [spec.text('startIpAddress'), spec.text('endIpAddress')];
  return { objects: [{ kind, name, spec: { azureName: name, owner: ownerNamed(spec.text('server')), startIpAddress, endIpAddress } }] };
}

function ofServer({ name, spec }: OldObject, kind: string) {
  return { objects: [{ kind, name, spec: { azureName: name, owner: ownerNamed(spec.text('server')) } }] };
}

function failoverGroup({ name, spec }: OldObject) {
  const secondary = spec.text('secondaryServer');
  const databases = spec.list('databaseList').flatMap((database) => database.text('value') ?? []);
  const references = databases.map((database) => ({ group: 'sql.azure.com', kind: 'ServersDatabase', name: database }));
  return {
    objects: [{
      kind: 'sql/ServersFailoverGroup',
      name,
      spec: {
        azureName: name,
        owner: ownerNamed(spec.text('server')),
        partnerServers: secondary === undefined ? undefined : [{ reference: { group: 'sql.azure.com', kind: 'Server', name: secondary } }],
        databasesReferences: unlessNone(references),
        readWriteEndpoint: {
          failoverPolicy: spelledAs(spec.text('failoverPolicy'), ['Automatic', 'Manual']) ?? 'Manual',
          failoverWithDataLossGracePeriodMinutes: spec.take('failoverGracePeriod'),
        },
      },
    }],
  };
}

function networkRule({ name, spec }: OldObject) {
  const group = spec.text('vNetResourceGroup') ?? spec.text('resourceGroup') ?? '<RESOURCE_GROUP>';
  const subscription = spec.text('vNetSubscriptionID') ?? '<SUBSCRIPTION_ID>';
  const network = `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/virtualNetworks/${spec.text('vNetName') ?? ''}`;
  return {
    objects: [{
      kind: 'sql/ServersVirtualNetworkRule',
      name,
      spec: {
        azureName: name,
        owner: ownerNamed(spec.text('server')),
        virtualNetworkSubnetReference: byId(`${network}/subnets/${spec.text('subnetName') ?? ''}`),
        ignoreMissingVnetServiceEndpoint: spec.take('ignoreMissingServiceEndpoint'),
      },
    }],
  };
}

function user({ name, kind, spec }: OldObject, newKind: string, database: string | undefined, serverKind: string) {
  // The owner of a user of Azure SQL is the database.
  const server = database === undefined ? spec.text('server') : spec.read('server');
  const admin = spec.text('adminSecret') ?? secretOfV1(serverKind, server ?? '');
  const isMySql = newKind.startsWith('dbformysql');
  const roles = isMySql && spec.read('dbName') === undefined ? undefined : spec.take('roles');
  return {
    objects: [{
      kind: newKind,
      name,
      spec: {
        azureName: spec.text('username') ?? name,
        owner: ownerNamed(database ?? server),
        ...(isMySql ? { databasePrivileges: roles === undefined ? undefined : { [spec.text('dbName')!]: roles } } : { roles }),
        localUser: {
          serverAdminUsername: '<SERVER_ADMIN_USERNAME>',
          serverAdminPassword: { name: admin, key: 'password' },
          password: { name: secretOfV1(kind, name), key: 'password' },
        },
      },
    }],
    notes: [`v1 has the names and passwords in the Secrets ${admin} and ${secretOfV1(kind, name)}, which go with its objects: copy the `
      + 'passwords to Secrets of your own, and name them here'],
  };
}

function flexibleServer(old: OldObject, kind: string) {
  return {
    objects: [{ kind, name: old.name, spec: inGroup(old) }],
    notes: [
      'v1 had single servers, which Azure has retired: this object reads the flexible server of that name, once the server is migrated to one',
      `v1 has administratorLogin and its password in the Secret ${secretOfV1(old.kind, old.name)}, which goes with its object`,
    ],
  };
}

function cosmosAccount(old: OldObject) {
  const { spec, name } = old;
  const base = inGroup(old);
  const locations = spec.list('locations').map((location) => ({
    locationName: location.text('locationName'), failoverPriority: location.take('failoverPriority'), isZoneRedundant: location.take('isZoneRedundant'),
  }));
  const version = spec.text('properties.mongoDBVersion');
  return {
    objects: [{
      kind: 'documentdb/DatabaseAccount',
      name,
      spec: {
        ...base,
        kind: spec.text('kind'),
        databaseAccountOfferType: spec.text('properties.databaseAccountOfferType') ?? 'Standard',
        locations: locations.length > 0 ? locations : [{ locationName: base.location, failoverPriority: 0 }],
        isVirtualNetworkFilterEnabled: spec.take('properties.isVirtualNetworkFilterEnabled'),
        enableMultipleWriteLocations: spec.take('properties.enableMultipleWriteLocations'),
        apiProperties: version === undefined ? undefined : { serverVersion: version },
        capabilities: unlessNone(spec.list('properties.capabilities').map((capability) => ({ name: capability.text('name') }))),
        virtualNetworkRules: unlessNone(spec.list('virtualNetworkRules').map((rule) => ({
          reference: byId(rule.text('subnetID')), ignoreMissingVNetServiceEndpoint: rule.take('ignoreMissingVNetServiceEndpoint'),
        }))),
        ipRules: unlessNone(spec.list('ipRules').map((rule) => ({ ipAddressOrRange: rule.text('value') }))),
      },
    }],
    notes: [`v1 wrote keys into the Secret ${secretOfV1(old.kind, name)}, which goes with its object: operatorSpec.secrets writes them`],
  };
}
