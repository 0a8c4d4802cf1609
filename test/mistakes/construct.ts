import { mistakes } from './mistake';

const BLOBS = (owner: string) => `new storage.StorageAccountsBlobService(chart, 'x', { owner: ${owner} });`;
const ID = 'AzureReference.fromArmId';
const ROLE = (owner: string) =>
  `new authorization.RoleAssignment(chart, 'x', { owner: ${owner}, roleDefinitionReference: BuiltInRole.READER, principalId: UUID });`;
const CREDENTIAL = (more: string) => `new AsoCredential(chart, 'x', { tenantId: UUID, ${more} });`;
const LOGIN = 'authentication: AsoAuthentication.workloadIdentity(UUID)';
const CLOUD = (host: string) => `endpoints: { authorityHost: '${host}', resourceManagerEndpoint: 'https://management.usgovcloudapi.net', resourceManagerAudience: 'https://a' }`;
const GRANT = (more: string) => `new RoleGrant(chart, 'x', { on: account, role: BuiltInRole.READER, ${more} });`;
const ACCOUNT_ID = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a';
const READ = (version: string) =>
  `const x = new managedidentity.UserAssignedIdentity(chart, 'x', { ...base, apiVersion: '${version}' });\nx.secretOutputs.clientId.envValue;`;

export const CONSTRUCT = mistakes('construct', [
  [
    'a text that is no ARM id',
    'docs/spec/owners.md#arm-id-syntax',
    "'resourceGroups/g' is not an ARM id. Write /subscriptions/",
    ROLE(`${ID}('resourceGroups/g')`),
    ROLE(`${ID}('/subscriptions/s/resourceGroups/g')`),
  ],
  [
    'the ARM id of a resource of another type',
    'docs/spec/owners.md#arm-id-syntax',
    'is the id of a Microsoft.Resources/resourceGroups, not of a Microsoft.Storage/storageAccounts',
    BLOBS("storage.StorageAccount.fromArmId('/subscriptions/s/resourceGroups/g')"),
    BLOBS(`storage.StorageAccount.fromArmId('${ACCOUNT_ID}')`),
  ],
  [
    'an ARM id given as a name',
    'docs/spec/owners.md#owner-forms',
    'It looks like an ARM id: use fromArmId',
    BLOBS(`storage.StorageAccount.fromName('${ACCOUNT_ID}')`),
    BLOBS("storage.StorageAccount.fromName('account')"),
  ],
  [
    "the Azure name given as the object's name",
    'docs/spec/owners.md#owner-forms',
    "'Shop_Data' is not the name of a Kubernetes object",
    BLOBS("storage.StorageAccount.fromName('Shop_Data')"),
    BLOBS("storage.StorageAccount.fromName('shop-data')"),
  ],
  [
    'the group of a reference with its version',
    'docs/spec/owners.md#references',
    "Give the group alone: 'storage.azure.com'",
    ROLE("AzureReference.fromName('storage.azure.com/v20250601', 'StorageAccount', 'account')"),
    ROLE("AzureReference.fromName('storage.azure.com', 'StorageAccount', 'account')"),
  ],
  [
    'an empty well-known name',
    'docs/spec/webhooks.md#references-and-owners',
    'the name is empty',
    "new authorization.RoleAssignment(chart, 'x', { owner: account, roleDefinitionReference: AzureReference.wellKnown(''), principalId: UUID });",
    "new authorization.RoleAssignment(chart, 'x', { owner: account, roleDefinitionReference: AzureReference.wellKnown('Reader'), principalId: UUID });",
  ],
  [
    'a credential of another namespace',
    'docs/spec/credentials.md#selection',
    "'platform/login' is not the name of a Secret",
    "new managedidentity.UserAssignedIdentity(chart, 'x', { ...base, credential: CredentialReference.fromSecretName('platform/login') });",
    "new managedidentity.UserAssignedIdentity(chart, 'x', { ...base, credential: CredentialReference.fromSecretName('login') });",
  ],
  [
    'the name of a subscription instead of its id',
    'docs/spec/credentials.md#keys',
    "The subscription id 'production' is no UUID",
    CREDENTIAL(`subscriptionId: 'production', ${LOGIN}`),
    CREDENTIAL(`subscriptionId: SUBSCRIPTION, ${LOGIN}`),
  ],
  [
    'the name of an identity instead of its client id',
    'docs/spec/credentials.md#keys',
    "The client id 'deployer' is no UUID",
    CREDENTIAL("subscriptionId: SUBSCRIPTION, authentication: AsoAuthentication.managedIdentity('deployer')"),
    CREDENTIAL('subscriptionId: SUBSCRIPTION, authentication: AsoAuthentication.managedIdentity(UUID)'),
  ],
  [
    'a cloud without https://',
    'docs/spec/credentials.md#clouds',
    "AZURE_AUTHORITY_HOST 'login.microsoftonline.us' is no URL",
    CREDENTIAL(`subscriptionId: SUBSCRIPTION, ${LOGIN}, ${CLOUD('login.microsoftonline.us')}`),
    CREDENTIAL(`subscriptionId: SUBSCRIPTION, ${LOGIN}, ${CLOUD('https://login.microsoftonline.us')}`),
  ],
  ['a grant to nobody', 'docs/spec/extensions.md#role-assignments', 'to whom?', GRANT(''), GRANT('principalId: UUID')],
  [
    'a grant to two at once',
    'docs/spec/webhooks.md#value-and-reference',
    "'to' and 'principalId' are two ways to say to whom",
    GRANT('to: identity.outputs.principalId, principalId: UUID'),
    GRANT('to: identity.outputs.principalId'),
  ],
  [
    'an ASO release that is none',
    'docs/spec/webhooks.md#conversion',
    'it knows v2.0.0 to v2.',
    "AsoRelease.of('2.99.0').applyTo(new App());",
    "AsoRelease.of('2.20.0').applyTo(new App());",
  ],
  [
    'an API version that the kind never had',
    'docs/spec/webhooks.md#conversion',
    'v1api19990101',
    "new managedidentity.UserAssignedIdentity(chart, 'x', { ...base, apiVersion: 'v1api19990101' });",
    "new managedidentity.UserAssignedIdentity(chart, 'x', { ...base, apiVersion: 'v1api20230131' });",
  ],
  [
    'an output that the older API version lacks',
    'docs/spec/exports.md#configmap-values',
    "has no secret output 'clientId'",
    READ('v1api20181130'),
    READ('v1api20230131'),
  ],
]);
