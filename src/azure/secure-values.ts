/** A value that is safer than Azure's own default. */
export interface SecureValue {
  readonly kind: string;
  /** Path in the props. */
  readonly path: readonly string[];
  readonly value: boolean | string;
  readonly why: string;
  readonly see: string;
  /** Whether the parents of the property are created where they are missing. */
  readonly creates?: true;
  /** A case in which the value is not set, in words, and the test for it. */
  readonly except?: { readonly text: string; applies(props: Readonly<Record<string, unknown>>, exportsSecrets: boolean): boolean };
}

const LEARN = 'https://learn.microsoft.com/azure';
const KEYS = { text: 'the object exports keys or connection strings', applies: (_: object, exportsSecrets: boolean) => exportsSecrets };
const OLD_TLS = 'TLS 1.0 and 1.1 have known weaknesses.';
const NO_KEYS = 'Keys cannot be traced to a person or an application; with this, only identities of Entra get in.';

/** The values of `SecureDefaults`, by kind. */
export const SECURE_VALUES: readonly SecureValue[] = [
  { kind: 'cache.azure.com/Redis', path: ['enableNonSslPort'], value: false, why: 'Port 6379 has no encryption.', see: `${LEARN}/azure-cache-for-redis/cache-configure#access-ports` },
  { kind: 'cache.azure.com/Redis', path: ['minimumTlsVersion'], value: '1.2', why: OLD_TLS, see: `${LEARN}/azure-cache-for-redis/cache-remove-tls-10-11` },
  { kind: 'cache.azure.com/RedisEnterprise', path: ['minimumTlsVersion'], value: '1.2', why: OLD_TLS, see: `${LEARN}/redis/tls-configuration` },
  { kind: 'cache.azure.com/RedisEnterpriseDatabase', path: ['clientProtocol'], value: 'Encrypted', why: 'Clients connect with TLS only.', see: `${LEARN}/redis/tls-configuration` },
  { kind: 'containerregistry.azure.com/Registry', path: ['adminUserEnabled'], value: false, why: 'The admin user is one password for everybody.', see: `${LEARN}/container-registry/container-registry-authentication#admin-account` },
  {
    kind: 'containerservice.azure.com/ManagedCluster',
    path: ['disableLocalAccounts'],
    value: true,
    why: 'Local accounts are certificates that nobody can revoke one by one.',
    see: `${LEARN}/aks/manage-local-accounts-managed-azure-ad`,
    except: { text: 'there is no `aadProfile`, without which nobody could sign in', applies: ({ aadProfile }) => aadProfile === undefined },
  },
  {
    kind: 'documentdb.azure.com/DatabaseAccount',
    path: ['disableLocalAuth'],
    value: true,
    why: NO_KEYS,
    see: `${LEARN}/cosmos-db/nosql/how-to-connect-role-based-access-control`,
    except: {
      text: 'the object exports keys, or the API is not that for NoSQL, which alone takes identities of Entra',
      applies: ({ kind, capabilities }, exportsSecrets) => exportsSecrets || kind === 'MongoDB' || capabilities !== undefined,
    },
  },
  { kind: 'documentdb.azure.com/DatabaseAccount', path: ['minimalTlsVersion'], value: 'Tls12', why: OLD_TLS, see: `${LEARN}/cosmos-db/self-serve-minimum-tls-enforcement` },
  { kind: 'eventhub.azure.com/Namespace', path: ['disableLocalAuth'], value: true, why: NO_KEYS, see: `${LEARN}/event-hubs/authenticate-shared-access-signature#disabling-localsas-key-authentication`, except: KEYS },
  { kind: 'eventhub.azure.com/Namespace', path: ['minimumTlsVersion'], value: '1.2', why: OLD_TLS, see: `${LEARN}/event-hubs/transport-layer-security-configure-minimum-version` },
  {
    kind: 'keyvault.azure.com/Vault',
    path: ['properties', 'enableRbacAuthorization'],
    value: true,
    why: 'Roles say who may read which secret, and are granted and audited like all others; access policies are not.',
    see: `${LEARN}/key-vault/general/rbac-guide`,
    except: {
      text: 'the vault has `accessPolicies`, which Azure would then ignore',
      applies: ({ properties }) => (properties as { accessPolicies?: unknown } | undefined)?.accessPolicies !== undefined,
    },
  },
  {
    kind: 'keyvault.azure.com/Vault',
    path: ['properties', 'enablePurgeProtection'],
    value: true,
    why: 'Nobody can delete a secret for good before its retention ends. It cannot be switched off again.',
    see: `${LEARN}/key-vault/general/soft-delete-overview#purge-protection`,
  },
  { kind: 'servicebus.azure.com/Namespace', path: ['disableLocalAuth'], value: true, why: NO_KEYS, see: `${LEARN}/service-bus-messaging/disable-local-authentication`, except: KEYS },
  { kind: 'servicebus.azure.com/Namespace', path: ['minimumTlsVersion'], value: '1.2', why: OLD_TLS, see: `${LEARN}/service-bus-messaging/transport-layer-security-configure-minimum-version` },
  { kind: 'sql.azure.com/Server', path: ['minimalTlsVersion'], value: '1.2', why: OLD_TLS, see: `${LEARN}/azure-sql/database/connectivity-settings#configure-minimum-tls-version` },
  { kind: 'storage.azure.com/StorageAccount', path: ['allowBlobPublicAccess'], value: false, why: 'No container can be made readable without signing in.', see: `${LEARN}/storage/blobs/anonymous-read-access-prevent` },
  { kind: 'storage.azure.com/StorageAccount', path: ['allowCrossTenantReplication'], value: false, why: 'Nobody can copy objects to an account of another tenant by a replication policy.', see: `${LEARN}/storage/blobs/object-replication-prevent-cross-tenant-policies` },
  { kind: 'storage.azure.com/StorageAccount', path: ['allowSharedKeyAccess'], value: false, why: NO_KEYS, see: `${LEARN}/storage/common/shared-key-authorization-prevent`, except: KEYS },
  { kind: 'storage.azure.com/StorageAccount', path: ['minimumTlsVersion'], value: 'TLS1_2', why: OLD_TLS, see: `${LEARN}/storage/common/transport-layer-security-configure-minimum-version` },
  {
    kind: 'storage.azure.com/StorageAccount',
    path: ['supportsHttpsTrafficOnly'],
    value: true,
    why: 'Requests over HTTP are refused.',
    see: `${LEARN}/storage/common/storage-require-secure-transfer`,
    except: {
      text: 'the account serves NFS (`isNfsV3Enabled`, or the kind `FileStorage`), which has no HTTPS',
      applies: ({ isNfsV3Enabled, kind }) => isNfsV3Enabled === true || kind === 'FileStorage',
    },
  },
  { kind: 'web.azure.com/Site', path: ['httpsOnly'], value: true, why: 'Requests over HTTP are redirected to HTTPS.', see: `${LEARN}/app-service/configure-ssl-bindings#enforce-https` },
  { kind: 'web.azure.com/Site', path: ['siteConfig', 'ftpsState'], value: 'FtpsOnly', creates: true, why: 'FTP has no encryption.', see: `${LEARN}/app-service/deploy-ftp#enforce-ftps` },
  { kind: 'web.azure.com/Site', path: ['siteConfig', 'minTlsVersion'], value: '1.2', creates: true, why: OLD_TLS, see: `${LEARN}/app-service/configure-ssl-bindings#enforce-tls-versions` },
];
