import { LEARN } from './rule';
import { wordAt, valuesAt } from './values';
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
