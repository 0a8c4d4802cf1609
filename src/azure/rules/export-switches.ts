import { LEARN } from './rule';
import { valueAtPath, valuesAt, wordAt } from './values';
import type { Struct } from '../../util/records';

/** A setting of a resource that makes its keys useless: Azure takes none of them any more, or does not give them out. */
export interface KeySwitch {
  /** `group/Kind` of the resource with the setting. */
  readonly kind: string;
  /** Path in the spec. */
  readonly path: string;
  /** The values that turn keys off. Texts are compared without case. */
  readonly off: readonly (boolean | string)[];
  /** Kinds in the resource whose keys are turned off as well. */
  readonly within?: readonly string[];
  /** The calls of the catalog's `secretSources` whose keys are turned off. Default: all. */
  readonly calls?: readonly string[];
  /** Whether the setting is without effect on a resource. */
  readonly except?: (spec: Struct) => boolean;
  /** The advice, as an imperative. */
  readonly instead: string;
  /** The page that says so. */
  readonly see: string;
}

const ENTRA = 'let clients sign in with an identity of Entra ID';

/** APIs of Cosmos DB whose clients have no other way than keys, so that Azure does not turn them off. */
const KEY_APIS = ['enablemongo', 'enablecassandra', 'enablegremlin'];
const hasKeysOnly = (spec: Struct) => wordAt(spec, 'kind') === 'mongodb'
  || valuesAt(spec, 'capabilities[].name').some(({ value }) => KEY_APIS.includes(String(value).toLowerCase()));

/** The settings, by kind. Which exports are keys is a fact of the catalog: those that come from a call. */
export const KEY_SWITCHES: readonly KeySwitch[] = [
  { kind: 'apimanagement.azure.com/Subscription', path: 'state', off: ['cancelled', 'expired', 'rejected', 'submitted', 'suspended'], instead: 'write state: active', see: `${LEARN}/api-management/api-management-subscriptions` },
  { kind: 'appconfiguration.azure.com/ConfigurationStore', path: 'disableLocalAuth', off: [true], instead: ENTRA, see: `${LEARN}/azure-app-configuration/howto-disable-access-key-authentication` },
  { kind: 'cache.azure.com/Redis', path: 'disableAccessKeyAuthentication', off: [true], calls: ['keys'], instead: ENTRA, see: `${LEARN}/azure-cache-for-redis/cache-azure-active-directory-for-authentication#disable-access-key-authentication-on-your-cache` },
  { kind: 'cache.azure.com/RedisEnterpriseDatabase', path: 'accessKeysAuthentication', off: ['disabled'], instead: ENTRA, see: `${LEARN}/redis/entra-for-authentication` },
  { kind: 'cognitiveservices.azure.com/Account', path: 'properties.disableLocalAuth', off: [true], instead: ENTRA, see: `${LEARN}/ai-services/disable-local-auth` },
  { kind: 'containerservice.azure.com/ManagedCluster', path: 'disableLocalAccounts', off: [true], calls: ['admin'], instead: 'export userCredentials', see: `${LEARN}/aks/manage-local-accounts-managed-azure-ad` },
  { kind: 'devices.azure.com/IotHub', path: 'properties.disableLocalAuth', off: [true], instead: ENTRA, see: `${LEARN}/iot-hub/authenticate-authorize-azure-ad#enforce-azure-ad-authentication` },
  { kind: 'documentdb.azure.com/DatabaseAccount', path: 'disableLocalAuth', off: [true], except: hasKeysOnly, instead: ENTRA, see: `${LEARN}/cosmos-db/nosql/how-to-connect-role-based-access-control` },
  {
    kind: 'eventhub.azure.com/Namespace',
    path: 'disableLocalAuth',
    off: [true],
    within: ['eventhub.azure.com/NamespacesAuthorizationRule', 'eventhub.azure.com/NamespacesEventhubsAuthorizationRule'],
    instead: ENTRA,
    see: `${LEARN}/event-hubs/authenticate-shared-access-signature#disabling-localsas-key-authentication`,
  },
  { kind: 'operationalinsights.azure.com/Workspace', path: 'features.disableLocalAuth', off: [true], instead: ENTRA, see: `${LEARN}/azure-monitor/logs/azure-ad-authentication-logs` },
  { kind: 'search.azure.com/SearchService', path: 'disableLocalAuth', off: [true], instead: ENTRA, see: `${LEARN}/search/search-security-enable-roles#disable-api-key-authentication` },
  {
    kind: 'servicebus.azure.com/Namespace',
    path: 'disableLocalAuth',
    off: [true],
    within: ['servicebus.azure.com/NamespacesAuthorizationRule', 'servicebus.azure.com/TopicAuthorizationRule'],
    instead: ENTRA,
    see: `${LEARN}/service-bus-messaging/disable-local-authentication`,
  },
  { kind: 'signalrservice.azure.com/SignalR', path: 'disableLocalAuth', off: [true], instead: ENTRA, see: `${LEARN}/azure-signalr/howto-disable-local-auth` },
  { kind: 'storage.azure.com/StorageAccount', path: 'allowSharedKeyAccess', off: [false], instead: ENTRA, see: `${LEARN}/storage/common/shared-key-authorization-prevent` },
];

/** The kinds that may export such keys. */
export const KINDS_WITH_KEYS: readonly string[] = KEY_SWITCHES.flatMap(({ kind, within = [] }) => [kind, ...within]);

/** Values of a status that a resource does not have with some settings. */
export interface ExportSwitch {
  /** Paths in the status. */
  readonly status: RegExp;
  /** Whether a resource with this spec lacks them. */
  readonly lacks: (spec: Struct) => boolean;
  readonly why: string;
  readonly fix: string;
  /** The page that says so. */
  readonly see: string;
}

const IDENTITIES = 'https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/overview';
const OF_SYSTEM: Omit<ExportSwitch, 'lacks'> = {
  status: /^identity\.(principalId|tenantId)$/,
  why: 'the resource has no identity of its own, only a system-assigned one has these ids in the status',
  fix: 'write identity.type: SystemAssigned, or read the ids from the UserAssignedIdentity',
  see: IDENTITIES,
};
const isOther = (spec: Struct) => wordAt(spec, 'identity.type')?.includes('systemassigned') === false;
const IDENTITY: ExportSwitch = { ...OF_SYSTEM, lacks: (spec) => isOther(spec) || valueAtPath(spec, 'identity') === undefined };

const ENDPOINTS = {
  why: 'an account of this kind does not have the service',
  fix: 'remove the export, or use kind StorageV2',
  see: 'https://learn.microsoft.com/azure/storage/common/storage-account-overview',
};

/** By kind (`group/Kind`). */
export const EXPORT_SWITCHES: ReadonlyMap<string, readonly ExportSwitch[]> = new Map([
  ['app.azure.com/ContainerApp', [{
    status: /^latestRevisionFqdn$/,
    lacks: (spec) => valueAtPath(spec, 'configuration.ingress') === undefined,
    why: 'the app has no ingress, and so no host name',
    fix: 'give configuration.ingress, or remove the export',
    see: 'https://learn.microsoft.com/azure/container-apps/ingress-overview',
  }]],
  ['containerservice.azure.com/ManagedCluster', [
    // A cluster without identity in the spec gets one, or has a service principal.
    { ...OF_SYSTEM, lacks: isOther },
    {
      status: /^oidcIssuerProfile\./,
      lacks: (spec) => valueAtPath(spec, 'oidcIssuerProfile.enabled') === false,
      why: 'oidcIssuerProfile.enabled is false, so the cluster has no issuer',
      fix: 'write true',
      see: 'https://learn.microsoft.com/azure/aks/use-oidc-issuer',
    },
  ]],
  ['dataprotection.azure.com/BackupVault', [IDENTITY]],
  ['kusto.azure.com/Cluster', [IDENTITY]],
  ['search.azure.com/SearchService', [IDENTITY]],
  ['storage.azure.com/StorageAccount', [
    { ...ENDPOINTS, status: /^primaryEndpoints\.(blob|dfs|queue|table|web)$/, lacks: (spec) => wordAt(spec, 'kind') === 'filestorage' },
    { ...ENDPOINTS, status: /^primaryEndpoints\.(file|queue|table)$/, lacks: (spec) => wordAt(spec, 'kind') === 'blockblobstorage' },
  ]],
] satisfies [string, ExportSwitch[]][]);
