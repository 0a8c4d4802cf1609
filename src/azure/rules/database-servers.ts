import { betweenOr, noneOf, onlyIf } from './finders';
import { advice, LEARN, rule, violation, type AzureRule, type AzureSubject } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';

const POSTGRESQL = 'dbforpostgresql.azure.com/FlexibleServer';
const MYSQL = 'dbformysql.azure.com/FlexibleServer';
const SERVERS = [POSTGRESQL, MYSQL];
const RULES = ['dbforpostgresql.azure.com/FlexibleServersFirewallRule', 'dbformysql.azure.com/FlexibleServersFirewallRule'];
const DATABASES = ['dbforpostgresql.azure.com/FlexibleServersDatabase', 'dbformysql.azure.com/FlexibleServersDatabase'];
const PRIVATE = [`${LEARN}/postgresql/flexible-server/concepts-networking-private`, 'InvalidParameterValue'] as const;
const STORAGE = [`${LEARN}/postgresql/flexible-server/concepts-storage`, 'InvalidParameterValue'] as const;
const CREATE = [`${LEARN}/postgresql/flexible-server/quickstart-create-server-arm-template`, 'InvalidParameterValue'] as const;
const ENTRA = [`${LEARN}/postgresql/flexible-server/concepts-azure-ad-authentication`, 'InvalidParameterValue'] as const;
const FIREWALL = `${LEARN}/postgresql/flexible-server/concepts-firewall-rules`;

/** Performance tiers, lowest first, and the one that a disk of a size has at least. */
const TIERS = ['p1', 'p2', 'p3', 'p4', 'p6', 'p10', 'p15', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80'];
const BASE: Readonly<Record<number, string>> = {
  32: 'p4', 64: 'p6', 128: 'p10', 256: 'p15', 512: 'p20', 1024: 'p30', 2048: 'p40', 4095: 'p50', 4096: 'p50', 8192: 'p60', 16384: 'p70', 32767: 'p80',
};
/** Databases that a server has for itself. */
const OWN_OF_POSTGRESQL = ['template0', 'template1', 'azure_maintenance', 'azure_sys'];
const OWN_OF_MYSQL = ['information_schema', 'performance_schema', 'mysql', 'sys'];
const isPrivate = (spec: AzureSubject['spec']) => valueAtPath(spec, 'network.delegatedSubnetResourceReference') !== undefined;
const isNew = ({ spec }: AzureSubject) => ['', 'default', 'create'].includes(wordAt(spec, 'createMode') ?? '');
const serviceOf = (kind: string) => (kind === POSTGRESQL ? 'microsoft.dbforpostgresql/flexibleservers' : 'microsoft.dbformysql/flexibleservers');

export const DATABASE_SERVER_RULES: readonly AzureRule[] = [
  rule('database-server-size', SERVERS, 'The size of a server is the name of a machine size.', [`${LEARN}/postgresql/flexible-server/concepts-compute`, 'InvalidParameterValue'], ({ spec }) => {
    const name = valueAtPath(spec, 'sku.name');
    return typeof name === 'string' && !/^Standard_[A-Z]+\d[A-Za-z\d_]*$/i.test(name) ? violation('sku.name', `'${name}' is no size of a machine`, 'write it like Standard_D2ds_v5') : [];
  }),
  rule('database-server-private', SERVERS, 'A server in a subnet of its own has no public access.', [PRIVATE[0], 'ConflictingPublicNetworkAccessAndVirtualNetworkConfiguration'], ({ spec }) =>
    (isPrivate(spec) && wordAt(spec, 'network.publicNetworkAccess') === 'enabled'
      ? violation('network.publicNetworkAccess', 'is Enabled, but the server has delegatedSubnetResourceReference', 'write Disabled, or remove it') : [])),
  rule('database-server-zone', POSTGRESQL, 'A server in a subnet of its own has a private DNS zone.', [PRIVATE[0], 'EmptyPrivateDnsZoneArmResourceId'], ({ spec }) =>
    (isPrivate(spec) && valueAtPath(spec, 'network.privateDnsZoneArmResourceReference') === undefined
      ? violation('network.privateDnsZoneArmResourceReference', 'is missing, but the server has delegatedSubnetResourceReference', 'name a private DNS zone') : [])),
  rule('database-server-subnet', SERVERS, 'The subnet of a server is delegated to its service.', PRIVATE, (subject) => {
    const path = 'network.delegatedSubnetResourceReference';
    const subnet = subject.referenced(valueAtPath(subject.spec, path));
    if (!subnet) return [];
    const services = valuesAt(subnet.spec, 'delegations[].serviceName').map(({ value }) => String(value).toLowerCase());
    return services.includes(serviceOf(subject.kind)) ? []
      : violation(path, `is the subnet '${subnet.name}', which is not delegated to ${subject.kind === POSTGRESQL ? 'Microsoft.DBforPostgreSQL' : 'Microsoft.DBforMySQL'}/flexibleServers`, 'add the delegation to the subnet');
  }),
  advice('database-server-private-firewall', RULES, 'A server in a subnet of its own, or without public access, has no use for firewall rules.', FIREWALL,
    onlyIf(['startIpAddress'], ({ owner }) => owner && !isPrivate(owner.spec) && wordAt(owner.spec, 'network.publicNetworkAccess') !== 'disabled', 'is a rule of a server without public access', 'remove the rule; network security groups apply')),
  rule('database-server-login', SERVERS, 'A new server with passwords has an administrator.', [CREATE[0], 'MissingRequiredParameter'], (subject) =>
    (isNew(subject) && valueAtPath(subject.spec, 'administratorLogin') === undefined && wordAt(subject.spec, 'authConfig.passwordAuth') !== 'disabled'
      ? violation('administratorLogin', 'is missing', subject.kind === POSTGRESQL ? 'give it, or write authConfig.passwordAuth: Disabled' : 'give it') : [])),
  rule('postgresql-authentication', POSTGRESQL, 'Passwords or Entra ID are on.', ENTRA, ({ spec }) =>
    (wordAt(spec, 'authConfig.passwordAuth') === 'disabled' && wordAt(spec, 'authConfig.activeDirectoryAuth') !== 'enabled'
      ? violation('authConfig.activeDirectoryAuth', 'is not Enabled, and passwordAuth is Disabled', 'write Enabled for one of them') : [])),
  advice('postgresql-password-unused', POSTGRESQL, 'A server without passwords has no password of an administrator.', ENTRA[0],
    onlyIf(['administratorLoginPassword'], ({ spec }) => wordAt(spec, 'authConfig.passwordAuth') !== 'disabled',
      'is given, but authConfig.passwordAuth is Disabled, so nobody signs in with it', 'remove it, or write passwordAuth: Enabled')),
  rule('postgresql-disk-tier', POSTGRESQL, 'The performance tier is not below that of the size of the disk.', STORAGE, ({ spec }) => {
    const [size, tier] = [valueAtPath(spec, 'storage.storageSizeGB'), wordAt(spec, 'storage.tier')];
    const base = typeof size === 'number' ? BASE[size] : undefined;
    return tier !== undefined && base !== undefined && TIERS.includes(tier) && TIERS.indexOf(tier) < TIERS.indexOf(base)
      ? violation('storage.tier', `is ${tier.toUpperCase()}, below ${base.toUpperCase()} of a disk of ${String(size)} GiB`, `write ${base.toUpperCase()} or higher`) : [];
  }),
  rule('postgresql-disk-performance', POSTGRESQL, 'Throughput is set for Premium SSD v2 and Ultra disks alone.', STORAGE, ({ spec }) =>
    (wordAt(spec, 'storage.type') === 'premium_lrs' && Number(valueAtPath(spec, 'storage.throughput') ?? 0) > 0
      ? violation('storage.throughput', 'is for type PremiumV2_LRS', 'remove it') : [])),
  rule('mysql-version', MYSQL, 'A server has MySQL 5.7, 8.0, 8.4 or 9.', [`${LEARN}/mysql/flexible-server/concepts-version-policy`, 'InvalidParameterValue'], ({ spec }) => {
    const version = valueAtPath(spec, 'version');
    return typeof version === 'string' && !/^(5\.7|8\.0|8\.4|9\.\d+)(\.\d+)?$/.test(version) ? violation('version', `'${version}' is no version that there is`, 'write 8.0.21 or 8.4') : [];
  }),
  rule('mysql-operations', MYSQL, 'A server has 360 to 80000 operations a second.', [`${LEARN}/mysql/flexible-server/concepts-service-tiers-storage`, 'InvalidParameterValue'], betweenOr([0], 'storage.iops', 360, 80_000, 'operations')),
  rule('mysql-growth', MYSQL, 'The storage of a server with high availability grows by itself.', [`${LEARN}/mysql/flexible-server/concepts-high-availability`, 'InvalidParameterValue'], ({ spec }) =>
    (['samezone', 'zoneredundant'].includes(wordAt(spec, 'highAvailability.mode') ?? '') && wordAt(spec, 'storage.autoGrow') === 'disabled'
      ? violation('storage.autoGrow', 'is Disabled, but the server has high availability', 'write Enabled, or remove it') : [])),
  rule('database-reserved', DATABASES, 'A database has a name that the server does not use itself.', CREATE, ({ kind, name }) =>
    ((kind === DATABASES[0] ? OWN_OF_POSTGRESQL : OWN_OF_MYSQL).includes(name.toLowerCase()) ? violation('azureName', `'${name}' is reserved`, 'take another name') : [])),
  rule('mysql-login-sa', MYSQL, 'The administrator of a MySQL server is not called `sa`, and has 32 characters at most.', [`${LEARN}/mysql/flexible-server/quickstart-create-server-portal`, 'InvalidParameterValue'], noneOf('administratorLogin', ['sa'], 'take another name'),
    ({ spec }) => { const login = valueAtPath(spec, 'administratorLogin'); return typeof login === 'string' && login.length > 32 ? violation('administratorLogin', `has ${login.length} characters`, 'write 32 at most') : []; }),
];
