import { EXISTING_GROUP, type ScenarioEnvironment } from './scenario-environment';
import type { KubernetesObject } from '../../../engine/kubernetes';
import type { Fault } from '../../../sandbox/azure';
import { CREDENTIAL_FROM, CREDENTIAL_REQUIRED, ACCEPTS_CREDENTIALS_FROM, ADOPT, OPERATOR_NAMESPACE, PROPAGATE_TO, RECONCILE_POLICY } from '../../../src/azure/annotations';

/** One planted cause, somewhere up the chain of the object that is asked for. */
export interface Scenario {
  readonly title: string;
  /** Annotations of its namespace. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly objects: (namespace: string) => readonly KubernetesObject[];
  /** Refusals of Azure, for paths that contain the namespace's name: resource groups have it in their names. */
  readonly faults?: readonly Fault[];
  /** After the objects are there. */
  readonly then?: (environment: ScenarioEnvironment, namespace: string) => Promise<void>;
  /** The last object of the chain. */
  readonly asks: string;
  /** `Kind name` of the planted cause. */
  readonly cause: string;
  /** In the sentence about it. */
  readonly sentence: RegExp;
  /** In the advice: its text, or a command. */
  readonly advice: RegExp;
  /** Whether Azure's last answer has its request id. */
  readonly hasAnswer?: boolean;
}

const VERSIONS: Readonly<Record<string, string>> = {
  ResourceGroup: 'resources.azure.com/v1api20200601',
  StorageAccount: 'storage.azure.com/v1api20230101',
  StorageAccountsBlobService: 'storage.azure.com/v1api20230101',
  UserAssignedIdentity: 'managedidentity.azure.com/v1api20230131',
  FederatedIdentityCredential: 'managedidentity.azure.com/v1api20230131',
  RoleAssignment: 'authorization.azure.com/v1api20220401',
  VirtualNetwork: 'network.azure.com/v1api20201101',
  VirtualNetworksSubnet: 'network.azure.com/v1api20201101',
  NetworkSecurityGroup: 'network.azure.com/v1api20201101',
  FlexibleServer: 'dbforpostgresql.azure.com/v1api20221201',
  FlexibleServersDatabase: 'dbforpostgresql.azure.com/v1api20221201',
  Vault: 'keyvault.azure.com/v1api20230701',
  NamespacesQueue: 'servicebus.azure.com/v1api20211101',
};
export const KINDS = Object.keys(VERSIONS);

type Spec = Record<string, unknown>;

/** Names in Azure have the namespace's name, so that faults of a scenario hit that scenario alone. */
class Maker {
  public constructor(private readonly namespace: string) {}

  public make(kind: string, name: string, spec: Spec, annotations?: Record<string, string>): KubernetesObject {
    const metadata = { name, namespace: this.namespace, ...(annotations ? { annotations } : {}) };
    return { apiVersion: VERSIONS[kind]!, kind, metadata, spec };
  }

  public group(name = 'group', annotations?: Record<string, string>, azureName = `${this.namespace}-${name}`): KubernetesObject {
    return this.make('ResourceGroup', name, { azureName, location: 'uksouth' }, annotations);
  }

  public account(owner = 'group', annotations?: Record<string, string>): KubernetesObject {
    const spec = { azureName: `${this.namespace.replace(/-/g, '')}data`, owner: { name: owner }, location: 'uksouth', kind: 'StorageV2', sku: { name: 'Standard_LRS' } };
    return this.make('StorageAccount', 'data', spec, annotations);
  }

  public blobs(): KubernetesObject {
    return this.make('StorageAccountsBlobService', 'blobs', { owner: { name: 'data' } });
  }

  public identity(key = 'principalId', annotations?: Record<string, string>): KubernetesObject {
    const operatorSpec = { configMaps: { principalId: { name: 'ids', key } } };
    return this.make('UserAssignedIdentity', 'identity', { azureName: `${this.namespace}-id`, owner: { name: 'group' }, location: 'uksouth', operatorSpec }, annotations);
  }

  public federation(): KubernetesObject {
    return this.make('FederatedIdentityCredential', 'federation', {
      owner: { name: 'identity' }, issuer: 'https://issuer.example', subject: 'system:serviceaccount:a:b', audiences: ['api://AzureADTokenExchange'],
    });
  }

  public role(owner: Spec = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'group' }, principal: Spec = { principalIdFromConfig: { name: 'ids', key: 'principalId' } }): KubernetesObject {
    return this.make('RoleAssignment', 'role', { owner, ...principal, principalType: 'ServicePrincipal', roleDefinitionReference: { wellKnownName: 'Reader' } });
  }

  public network(): KubernetesObject {
    return this.make('VirtualNetwork', 'net', { azureName: `${this.namespace}-net`, owner: { name: 'group' }, location: 'uksouth', addressSpace: { addressPrefixes: ['10.0.0.0/16'] } });
  }

  public subnet(spec: Spec = {}): KubernetesObject {
    return this.make('VirtualNetworksSubnet', 'front', { owner: { name: 'net' }, addressPrefix: '10.0.0.0/24', ...spec });
  }

  public server(): KubernetesObject {
    return this.make('FlexibleServer', 'server', {
      azureName: `${this.namespace}-server`,
      owner: { name: 'group' },
      location: 'uksouth',
      version: '14',
      sku: { name: 'Standard_D4s_v3', tier: 'GeneralPurpose' },
      administratorLogin: 'shopadmin',
      administratorLoginPassword: { name: 'db', key: 'password' },
      storage: { storageSizeGB: 128 },
    });
  }

  public database(): KubernetesObject {
    return this.make('FlexibleServersDatabase', 'orders', { owner: { name: 'server' }, charset: 'utf8', collation: 'en_US.utf8' });
  }

  public secret(name: string, data: Record<string, string>): KubernetesObject {
    const encoded = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
    return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: this.namespace }, data: encoded };
  }
}

const of = (make: (maker: Maker) => readonly KubernetesObject[]) => (namespace: string) => make(new Maker(namespace));
const put = (code: string, status: number, message: string, more: Partial<Fault> = {}): Fault => ({ method: 'PUT', status, code, message, times: 1_000_000, ...more });
const OTHER_SUBSCRIPTION = '5f0c2f6e-3f5e-4d5b-9a53-0d6c5b8b7f10';
const credential = { AZURE_TENANT_ID: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11', AZURE_CLIENT_ID: '0c6d2f4b-8e1a-4f79-a3b5-d7c9e1f20486', AZURE_CLIENT_SECRET: 'not-a-real-secret' };
const principal = { principalId: '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11' };
const noRights = (action: string, scope: string) => `The client 'c' with object id '7f1f4a6e-50a5-4ba5-9d2b-6c0b6f2f8f11' does not have authorization to perform action '${action}' over scope '${scope}' or the scope is invalid.`;
const chain = of((maker) => [maker.group(), maker.account(), maker.blobs()]);
const accountPath = 'storageAccounts';

/** A refusal of the storage account, that its blob service waits for. */
function refusedAccount(title: string, fault: Fault, sentence: RegExp, advice: RegExp): Scenario {
  return { title, objects: chain, faults: [{ path: accountPath, ...fault }], asks: 'StorageAccountsBlobService/blobs', cause: 'StorageAccount data', sentence, advice, hasAnswer: true };
}

export const LIVE_SCENARIOS: readonly Scenario[] = [
  {
    title: 'the owner of the owner is missing',
    objects: of((maker) => [maker.account(), maker.blobs()]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /ResourceGroup \S+\/group does not exist/,
    advice: /Apply ResourceGroup/,
  },
  {
    title: 'the name of the owner has a typo',
    objects: of((maker) => [maker.group('shop-group'), maker.account('shop-grop'), maker.blobs()]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup shop-grop',
    sentence: /shop-grop does not exist/,
    advice: /Did you mean 'shop-group'\? spec\.owner\.name says 'shop-grop'/,
  },
  {
    title: 'the owner is in Error',
    objects: chain,
    faults: [put('LocationRequired', 400, 'The location property is required.', { path: 'resourceGroups/' })],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /LocationRequired: The location property is required/,
    advice: /correct the property/,
    hasAnswer: true,
  },
  {
    title: 'no rights on the resource group',
    objects: chain,
    faults: [put('AuthorizationFailed', 403, noRights('Microsoft.Resources/subscriptions/resourcegroups/write', '/subscriptions/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52/resourcegroups/x'), { path: 'resourceGroups/' })],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /AuthorizationFailed/,
    advice: /--role Contributor --scope \/subscriptions\/2b8a5c1d-9f3e-4d57-8c46-0e9d7a1b3c52$/,
    hasAnswer: true,
  },
  refusedAccount('no rights on what is linked', put('LinkedAuthorizationFailed', 403, "The client has permission to perform action 'Microsoft.Storage/storageAccounts/write' on scope '/s'; however, it does not have permission to perform action 'Microsoft.Network/virtualNetworks/subnets/joinViaServiceEndpoint/action' on the linked scope(s) '/subscriptions/x/resourceGroups/n/providers/Microsoft.Network/virtualNetworks/v/subnets/s' or the linked scope(s) are invalid."), /LinkedAuthorizationFailed/, /--role 'Network Contributor' --scope \/subscriptions\/x\/resourceGroups\/n/),
  refusedAccount('a quota', put('QuotaExceeded', 409, 'The number of storage accounts has reached the quota of 250.'), /QuotaExceeded: The number/, /quota or limit .* is used up/),
  refusedAccount('the name is taken', put('StorageAccountAlreadyTaken', 409, 'The storage account named x is already taken.'), /StorageAccountAlreadyTaken/, /Choose another azureName/),
  refusedAccount('a policy', put('RequestDisallowedByPolicy', 403, 'Resource was disallowed by policy.'), /RequestDisallowedByPolicy/, /az policy assignment list --scope \/subscriptions\/\S+\/resourceGroups\/\S+ /),
  refusedAccount('the region', put('LocationNotAvailableForResourceType', 400, 'The provided location is not available.'), /LocationNotAvailableForResourceType/, /az provider show --namespace Microsoft\.Storage/),
  refusedAccount('the SKU', put('SkuNotAvailable', 409, 'The requested size is currently not available.'), /SkuNotAvailable/, /choose another SKU, zone or region/),
  refusedAccount('the provider is not registered', put('SubscriptionNotRegistered', 409, "The subscription is not registered to use namespace 'Microsoft.Storage'."), /SubscriptionNotRegistered/, /az provider register --namespace Microsoft\.Storage --wait/),
  refusedAccount('the operation fails', { method: 'PUT', failOperation: true, code: 'AllocationFailed', message: 'No room.', times: 1_000_000 }, /AllocationFailed: No room/, /no room for this SKU/),
  refusedAccount('a spec that Azure does not accept', put('InvalidParameterValue', 400, 'The value of kind is invalid.'), /InvalidParameterValue/, /correct the property that the message names/),
  {
    ...refusedAccount('a proxy answers', put('', 403, '', { text: '<html>blocked</html>', byProxy: true }), /UnknownError/, /proxies, firewalls/),
    faults: [{ method: 'PUT', path: accountPath, status: 403, text: '<html>blocked</html>', byProxy: true, times: 1_000_000 }],
    hasAnswer: false,
  },
  {
    title: 'the vault is soft-deleted',
    objects: of((maker) => [
      maker.group(),
      maker.make('Vault', 'keys', { owner: { name: 'group' }, location: 'uksouth', properties: { sku: { family: 'A', name: 'standard' }, tenantId: credential.AZURE_TENANT_ID, accessPolicies: [] } }),
      maker.role({ group: 'keyvault.azure.com', kind: 'Vault', name: 'keys' }, principal),
    ]),
    faults: [put('ConflictError', 409, 'A vault with the same name already exists in deleted state.', { path: 'Microsoft.KeyVault/vaults' })],
    asks: 'RoleAssignment/role',
    cause: 'Vault keys',
    sentence: /ConflictError: A vault/,
    advice: /az keyvault (recover|purge) --name keys/,
    hasAnswer: true,
  },
  {
    title: 'the Secret of the password has no such key',
    objects: of((maker) => [maker.group(), maker.secret('db', { pass: 'hunter2hunter2' }), maker.server(), maker.database()]),
    asks: 'FlexibleServersDatabase/orders',
    cause: 'Secret db',
    sentence: /Secret \S+\/db has no key "password"/,
    advice: /Add the key password to Secret/,
  },
  {
    title: 'the Secret of the password is missing',
    objects: of((maker) => [maker.group(), maker.server(), maker.database()]),
    asks: 'FlexibleServersDatabase/orders',
    cause: 'Secret db',
    sentence: /Secret \S+\/db does not exist, and no object exports it/,
    advice: /kubectl create secret generic db -n \S+ --from-file=password=FILE/,
  },
  {
    title: 'the exporter of the ConfigMap waits for a refused group',
    objects: of((maker) => [maker.group(), maker.identity(), maker.account(), maker.role({ group: 'storage.azure.com', kind: 'StorageAccount', name: 'data' })]),
    faults: [put('AuthorizationFailed', 403, noRights('Microsoft.ManagedIdentity/userAssignedIdentities/write', '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i'), { path: 'userAssignedIdentities' })],
    asks: 'RoleAssignment/role',
    cause: 'UserAssignedIdentity identity',
    sentence: /AuthorizationFailed/,
    advice: /--role Contributor --scope \/subscriptions\/s\/resourceGroups\/g$/,
    hasAnswer: true,
  },
  {
    title: 'the exporter is Ready and writes another key',
    objects: of((maker) => [maker.group(), maker.identity('clientId'), maker.role()]),
    asks: 'RoleAssignment/role',
    cause: 'UserAssignedIdentity identity',
    sentence: /identity is Ready, and key principalId of ConfigMap \S+\/ids is not there/,
    advice: /its destination has another key than principalId/,
  },
  {
    title: 'the ConfigMap is missing',
    objects: of((maker) => [maker.group(), maker.role()]),
    asks: 'RoleAssignment/role',
    cause: 'ConfigMap ids',
    sentence: /ConfigMap \S+\/ids does not exist/,
    advice: /kubectl create configmap ids/,
  },
  {
    title: 'the credential of the group is absent',
    objects: of((maker) => [maker.group('group', { [CREDENTIAL_FROM]: 'dba' }), maker.account(), maker.blobs()]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'Secret dba',
    sentence: /the credential Secret \S+\/dba does not exist/i,
    advice: /kubectl create secret generic dba/,
  },
  {
    title: 'a key of the credential is missing',
    objects: of((maker) => [
      maker.secret('dba', { AZURE_SUBSCRIPTION_ID: OTHER_SUBSCRIPTION, AZURE_TENANT_ID: credential.AZURE_TENANT_ID }),
      maker.group('group', { [CREDENTIAL_FROM]: 'dba' }), maker.account(), maker.blobs(),
    ]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'Secret dba',
    sentence: /the credential Secret \S+\/dba has no key AZURE_CLIENT_ID/i,
    advice: /kubectl patch secret dba .*AZURE_CLIENT_ID/,
  },
  {
    title: 'the credential is one of another subscription',
    objects: of((maker) => [
      maker.secret('dba', { AZURE_SUBSCRIPTION_ID: OTHER_SUBSCRIPTION, ...credential }),
      maker.group(), maker.account('group', { [CREDENTIAL_FROM]: 'dba' }), maker.blobs(),
    ]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'StorageAccount data',
    sentence: /does not match parent subscription/,
    advice: /subscription/,
  },
  {
    title: 'the credential would be written by an identity of another namespace, whose group is refused',
    annotations: { [CREDENTIAL_REQUIRED]: 'true', [ACCEPTS_CREDENTIALS_FROM]: 'w-platform' },
    objects: (namespace) => {
      const platform = new Maker('w-platform');
      const maker = new Maker(namespace);
      return [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'w-platform' } },
        platform.group(), platform.identity('principalId', { [PROPAGATE_TO]: `Secret/${namespace}/aso-credential` }),
        maker.group(), maker.account(), maker.blobs(),
      ];
    },
    faults: [put('AuthorizationFailed', 403, noRights('Microsoft.Resources/subscriptions/resourcegroups/write', '/subscriptions/s/resourcegroups/g'), { path: 'w-platform-group' })],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /ResourceGroup w-platform\/group: AuthorizationFailed/,
    advice: /az role assignment create/,
  },
  {
    title: 'the parent is under skip, and Azure does not have it',
    objects: of((maker) => [maker.group('group', { [RECONCILE_POLICY]: 'skip' }), maker.account(), maker.blobs()]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /AzureResourceNotFound/,
    advice: /kubectl annotate resourcegroups\.resources\.azure\.com group .*reconcile-policy=manage --overwrite/,
  },
  {
    title: 'the namespace is under skip',
    annotations: { [RECONCILE_POLICY]: 'skip' },
    objects: chain,
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /AzureResourceNotFound/,
    advice: /it comes from the namespace/,
  },
  {
    title: 'the CRD of the owner is not installed',
    objects: of((maker) => [maker.make('NamespacesQueue', 'orders', { owner: { name: 'bus' } })]),
    asks: 'NamespacesQueue/orders',
    cause: 'Namespace bus',
    sentence: /the cluster does not serve Namespace\.servicebus\.azure\.com/i,
    advice: /cdk8s-aso crds/,
  },
  {
    title: 'a reference is missing',
    objects: of((maker) => [maker.group(), maker.network(), maker.subnet({ networkSecurityGroup: { reference: { group: 'network.azure.com', kind: 'NetworkSecurityGroup', name: 'guard' } } })]),
    asks: 'VirtualNetworksSubnet/front',
    cause: 'NetworkSecurityGroup guard',
    sentence: /NetworkSecurityGroup \S+\/guard does not exist/,
    advice: /correct spec\.networkSecurityGroup\.reference/,
  },
  {
    title: 'a reference has no id, since its owner is missing',
    objects: of((maker) => [
      maker.group(), maker.network(),
      maker.make('NetworkSecurityGroup', 'guard', { owner: { name: 'nowhere' }, location: 'uksouth' }),
      maker.subnet({ networkSecurityGroup: { reference: { group: 'network.azure.com', kind: 'NetworkSecurityGroup', name: 'guard' } } }),
    ]),
    asks: 'VirtualNetworksSubnet/front',
    cause: 'ResourceGroup nowhere',
    sentence: /ResourceGroup \S+\/nowhere does not exist/,
    advice: /Apply ResourceGroup/,
  },
  {
    title: 'objects own each other',
    objects: of((maker) => ['role-a', 'role-b'].map((name, index, names) => ({
      ...maker.role({ group: 'authorization.azure.com', kind: 'RoleAssignment', name: names[1 - index] }, principal),
      metadata: { ...maker.role().metadata, name },
    }))),
    asks: 'RoleAssignment/role-b',
    cause: 'RoleAssignment role-a',
    sentence: /objects wait for each other: RoleAssignment \S+\/role-a → RoleAssignment \S+\/role-b/i,
    advice: /Remove one of the references/,
  },
  {
    title: 'the target of an export belongs to another',
    objects: (namespace) => {
      const maker = new Maker(namespace);
      return [
        maker.group(), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ids', namespace }, data: { other: 'x' } },
        maker.identity(), maker.federation(),
      ];
    },
    asks: 'FederatedIdentityCredential/federation',
    cause: 'UserAssignedIdentity identity',
    sentence: /FailedWritingAdditionalKubernetesObjects/,
    advice: /choose another name for the destination/,
  },
  {
    title: 'the group is in Azure, and must not be taken over',
    objects: of((maker) => [maker.group('group', { [ADOPT]: 'Never' }, EXISTING_GROUP), maker.account(), maker.blobs()]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /ResourceAlreadyExists/,
    advice: /aso\.cdk8s\.io\/adopt=IfPresent/,
  },
  {
    title: 'the owner belongs to a controller that is gone',
    objects: of((maker) => [maker.group('group', { [OPERATOR_NAMESPACE]: 'old-system' }), maker.account(), maker.blobs()]),
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /belongs to the controller of namespace old-system, and none runs there/,
    advice: /operator-namespace-$/,
  },
  {
    title: 'Entra does not know the principal',
    objects: of((maker) => [maker.group(), maker.role(undefined, principal)]),
    faults: [put('PrincipalNotFound', 400, 'Principal 7f1f4a6e50a5 does not exist in the directory.', { path: 'roleAssignments' })],
    asks: 'RoleAssignment/role',
    cause: 'RoleAssignment role',
    sentence: /PrincipalNotFound/,
    advice: /set principalType: ServicePrincipal/,
    hasAnswer: true,
  },
  {
    title: 'a throttled subscription of its own',
    objects: of((maker) => [
      maker.secret('aso-credential', { AZURE_SUBSCRIPTION_ID: OTHER_SUBSCRIPTION, ...credential }),
      maker.group(), maker.account(), maker.blobs(),
    ]),
    faults: [put('SubscriptionRequestsThrottled', 429, 'Number of requests exceeded the limit.', { path: 'resourceGroups/', retryAfter: 600 })],
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'ResourceGroup group',
    sentence: /SubscriptionRequestsThrottled/,
    advice: /Azure throttles the subscription/,
  },
  {
    title: 'a lock keeps a group that is being deleted, and a new child waits for it',
    objects: of((maker) => [maker.group()]),
    faults: [{ method: 'DELETE', path: 'resourceGroups/', status: 409, code: 'ScopeLocked', message: 'The scope cannot perform delete operation because the following scope(s) are locked.', times: 1_000_000 }],
    then: async ({ cluster }, namespace) => {
      const maker = new Maker(namespace);
      await cluster.becomes(maker.group(), ({ status }) => status === 'True');
      await cluster.delete(maker.group());
      await cluster.becomes(maker.group(), ({ reason }) => reason === 'ScopeLocked');
      await cluster.apply(maker.account());
    },
    asks: 'StorageAccount/data',
    cause: 'ResourceGroup group',
    sentence: /ScopeLocked/,
    advice: /az lock list --resource-group/,
    hasAnswer: true,
  },
  {
    title: 'Azure has no DELETE for the kind',
    objects: chain,
    then: async ({ cluster }, namespace) => {
      const maker = new Maker(namespace);
      await cluster.becomes(maker.blobs(), ({ status }) => status === 'True');
      await cluster.delete(maker.blobs());
    },
    asks: 'StorageAccountsBlobService/blobs',
    cause: 'StorageAccountsBlobService blobs',
    sentence: /DeletionNotSupportedInAzure/,
    advice: /reconcile-policy=detach-on-delete/,
  },
  {
    title: 'the resource is still in use',
    objects: of((maker) => [maker.group(), maker.network()]),
    faults: [{ method: 'DELETE', path: 'virtualNetworks/', status: 400, code: 'InUseSubnetCannotBeDeleted', message: 'Subnet front is in use by x and cannot be deleted.', times: 1_000_000 }],
    then: async ({ cluster }, namespace) => {
      const maker = new Maker(namespace);
      await cluster.becomes(maker.network(), ({ status }) => status === 'True');
      await cluster.delete(maker.network());
    },
    asks: 'VirtualNetwork/net',
    cause: 'VirtualNetwork net',
    sentence: /InUseSubnetCannotBeDeleted/,
    advice: /Other resources in Azure still use it/,
    hasAnswer: true,
  },
];
