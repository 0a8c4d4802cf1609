import { mistakes } from './mistake';

const ACCOUNT = (more: string, id = 'x') => `new storage.StorageAccount(chart, '${id}', { ...sa, azureName: 'x${id}1', ${more} });`;
const ROLE = (more: string) => `new authorization.RoleAssignment(chart, 'x', { roleDefinitionReference: BuiltInRole.READER, ${more} });`;
const IDENTITY = (more: string, scope = 'chart') => `new managedidentity.UserAssignedIdentity(${scope}, 'x', { ...base, ${more} });`;
const EXPORT = (more: string) => IDENTITY(`operatorSpec: { ${more} }`);
const MYSQL = (more: string) =>
  `new dbformysql.User(chart, 'x', { ${more.includes('owner:') ? '' : "owner: dbformysql.FlexibleServer.fromName('db'), "}${more} });`;
const ID = (type: string) => `'/subscriptions/s/resourceGroups/g/providers/${type}'`;
const ACL = (other: string) =>
  `networkAcls: { defaultAction: storage.DefaultAction.DENY, resourceAccessRules: [{ resourceReference: ${other} }] }`;
const FEDERATED = (subject: string, id = 'x') =>
  `new managedidentity.FederatedIdentityCredential(chart, ${id.startsWith('`') ? id : `'${id}'`}, { owner: identity, ...TOKEN, subject: ${subject} });`;
const MANY = (count: number) => `for (let i = 0; i < ${count}; i++) ${FEDERATED('`pod-${i}`', '`f${i}`')}`;
const LOGIN = 'new AsoCredential(SCOPE, \'login\', { subscriptionId: SUBSCRIPTION, tenantId: UUID, authentication: AsoAuthentication.workloadIdentity(UUID), metadata: { name: \'login\' } })';
const COSMOS = (more: string) => `new documentdb.DatabaseAccount(chart, 'x', { ...base, azureName: 'shop-x', databaseAccountOfferType: documentdb.DatabaseAccountOfferType.STANDARD, locations: [{ locationName: 'uksouth' }], ${more} });`;
const PERIODIC = 'periodic: { type: documentdb.PeriodicModeBackupPolicyType.PERIODIC }';
const CONTINUOUS = 'continuous: { type: documentdb.ContinuousModeBackupPolicyType.CONTINUOUS }';
const lines = (...code: string[]) => code.join('\n');

/** Mistakes in links between objects: owners, references, values, identities, credentials. */
export const LINKS = mistakes('synth', [
  [
    'an owner in another namespace',
    'docs/spec/owners.md#owner-forms',
    "is in namespace 'shop', this UserAssignedIdentity in namespace 'other'",
    IDENTITY('', 'other'),
    IDENTITY("owner: resources.ResourceGroup.fromName('group')", 'other'),
  ],
  [
    'an owner of another app',
    'docs/spec/owners.md#owner-forms',
    'belongs to another app',
    lines(
      "const g = new resources.ResourceGroup(new Chart(new App(), 'far', { namespace: 'shop' }), 'g', { location: 'uksouth' });",
      IDENTITY('owner: g'),
    ),
    lines("const g = new resources.ResourceGroup(chart, 'g', { location: 'uksouth' });", IDENTITY('owner: g')),
  ],
  [
    'the value of a resource in another namespace',
    'docs/spec/exports.md#imports',
    'The ConfigMap or Secret would be in another namespace than its reader',
    "new authorization.RoleAssignment(other, 'x', { owner: AzureReference.fromArmId('/subscriptions/s/resourceGroups/g'), roleDefinitionReference: BuiltInRole.READER, principalIdFromConfig: identity.outputs.principalId });",
    "new authorization.RoleAssignment(chart, 'x', { owner: AzureReference.fromArmId('/subscriptions/s/resourceGroups/g'), roleDefinitionReference: BuiltInRole.READER, principalIdFromConfig: identity.outputs.principalId });",
  ],
  [
    'a credential in another namespace',
    'docs/spec/credentials.md#selection',
    "Put a credential into the resource's own namespace",
    lines(`const login = ${LOGIN.replace('SCOPE', 'other')};`, IDENTITY('credential: login.reference')),
    lines(`const login = ${LOGIN.replace('SCOPE', 'chart')};`, IDENTITY('credential: login.reference')),
  ],
  [
    'a credential with its namespace, as an annotation',
    'docs/spec/credentials.md#selection',
    "'platform/login' is not the name of a Secret",
    IDENTITY("metadata: { annotations: { 'serviceoperator.azure.com/credential-from': 'platform/login' } }"),
    IDENTITY("metadata: { annotations: { 'serviceoperator.azure.com/credential-from': 'login' } }"),
  ],
  [
    'two credentials for one object',
    'docs/spec/credentials.md#selection',
    'contradicts the annotation',
    IDENTITY(
      "credential: CredentialReference.fromSecretName('a'), metadata: { annotations: { 'serviceoperator.azure.com/credential-from': 'b' } }",
    ),
    IDENTITY("credential: CredentialReference.fromSecretName('a')"),
  ],
  [
    'a well-known name as owner',
    'docs/spec/owners.md#references',
    "a well-known name ('Reader') cannot own",
    ROLE("owner: BuiltInRole.fromName('Reader'), principalId: UUID").replace(
      "BuiltInRole.fromName('Reader')",
      "AzureReference.wellKnown('Reader')",
    ),
    ROLE('owner: account, principalId: UUID'),
  ],
  [
    'a well-known name where none is known',
    'docs/spec/owners.md#references',
    'takes no well-known name',
    ACCOUNT("identity: { ...USER, userAssignedIdentities: [{ reference: AzureReference.wellKnown('me') }] }"),
    ACCOUNT('identity: { ...USER, userAssignedIdentities: [{ reference: identity }] }'),
  ],
  [
    'an owner that is nothing in Azure Resource Manager',
    'docs/spec/owners.md#owner-forms',
    'is no resource of Azure Resource Manager',
    lines(
      "const team = new entra.SecurityGroup(chart, 'team', { displayName: 'team', mailNickname: 'team' });",
      ROLE('owner: team, principalId: UUID'),
    ),
    lines(
      "const team = new entra.SecurityGroup(chart, 'team', { displayName: 'team', mailNickname: 'team' });",
      ROLE('owner: account, principalId: UUID'),
    ),
  ],
  [
    'a database user owned by ARM id',
    'docs/spec/users.md#connections',
    'a User cannot be owned by ARM id',
    MYSQL(`owner: dbformysql.FlexibleServer.fromArmId(${ID('Microsoft.DBforMySQL/flexibleServers/db')}), localUser: LOCAL`),
    MYSQL('localUser: LOCAL'),
  ],
  [
    'an Azure SQL user owned by ARM id',
    'docs/spec/users.md#connections',
    'a User cannot be owned by ARM id',
    `new sql.User(chart, 'x', { owner: sql.ServersDatabase.fromArmId(${ID('Microsoft.Sql/servers/s/databases/db')}), localUser: LOCAL });`,
    "new sql.User(chart, 'x', { owner: sql.ServersDatabase.fromName('db'), localUser: LOCAL });",
  ],
  [
    'an identity that is left empty',
    'docs/spec/owners.md#references',
    "has no 'reference', so the operator would leave it out in silence",
    ACCOUNT('identity: { ...USER, userAssignedIdentities: [{}] }'),
    ACCOUNT('identity: { ...USER, userAssignedIdentities: [{ reference: identity }] }'),
  ],
  [
    'an identity that is none',
    'docs/spec/owners.md#references',
    'only managed identities can be assigned',
    ACCOUNT('identity: { ...USER, userAssignedIdentities: [{ reference: account }] }'),
    ACCOUNT('identity: { ...USER, userAssignedIdentities: [{ reference: identity }] }'),
  ],
  [
    'an identity by the ARM id of something else',
    'docs/spec/owners.md#arm-id-syntax',
    'refers to a Microsoft.Resources/resourceGroups',
    ACCOUNT(
      "identity: { ...USER, userAssignedIdentities: [{ reference: AzureReference.fromArmId('/subscriptions/s/resourceGroups/g') }] }",
    ),
    ACCOUNT(
      `identity: { ...USER, userAssignedIdentities: [{ reference: managedidentity.UserAssignedIdentity.fromArmId(${ID('Microsoft.ManagedIdentity/userAssignedIdentities/i')}) }] }`,
    ),
  ],
  [
    'resources that wait for each other',
    'docs/spec/owners.md#cycles',
    'these resources wait for each other',
    lines(ACCOUNT(ACL("storage.StorageAccount.fromName('shop-x')"), 'y').replace('new', 'const y = new'), ACCOUNT(ACL('y'))),
    lines(ACCOUNT('', 'y').replace('new', 'const y = new'), ACCOUNT(ACL('y'))),
  ],
  [
    'a resource that waits for itself',
    'docs/spec/owners.md#cycles',
    'the resource refers to itself',
    ACCOUNT(ACL("storage.StorageAccount.fromName('shop-x')")),
    ACCOUNT(ACL('account')),
  ],
  [
    'a value and its ConfigMap',
    'docs/spec/webhooks.md#value-and-reference',
    'two ways to give the same value',
    ROLE('owner: account, principalId: UUID, principalIdFromConfig: identity.outputs.principalId'),
    ROLE('owner: account, principalIdFromConfig: identity.outputs.principalId'),
  ],
  [
    'a name and its ConfigMap',
    'docs/spec/webhooks.md#name-from-configmap',
    'two ways to give the same value',
    "new dbforpostgresql.FlexibleServersAdministrator(chart, 'x', { owner: dbforpostgresql.FlexibleServer.fromName('db'), azureName: UUID, azureNameFromConfig: identity.outputs.principalId });",
    "new dbforpostgresql.FlexibleServersAdministrator(chart, 'x', { owner: dbforpostgresql.FlexibleServer.fromName('db'), azureNameFromConfig: identity.outputs.principalId });",
  ],
  [
    'two members of a union',
    'docs/spec/webhooks.md#schema',
    "'continuous' and 'periodic' exclude each other",
    COSMOS(`backupPolicy: { ${CONTINUOUS}, ${PERIODIC} }`),
    COSMOS(`backupPolicy: { ${PERIODIC} }`),
  ],
  [
    'no member of a union',
    'docs/spec/webhooks.md#schema',
    "exactly one of 'continuous', 'periodic' is needed",
    COSMOS('backupPolicy: {}'),
    COSMOS(`backupPolicy: { ${CONTINUOUS} }`),
  ],
  [
    'a MySQL user of two kinds',
    'docs/spec/users.md#mysql-admission',
    'localUser and aadUser exclude each other',
    MYSQL("localUser: LOCAL, aadUser: { serverAdminUsername: 'admin' }"),
    MYSQL("aadUser: { serverAdminUsername: 'admin' }"),
  ],
  [
    'a MySQL user of no kind',
    'docs/spec/users.md#mysql-admission',
    'neither localUser nor aadUser is given',
    MYSQL("hostname: '%'"),
    MYSQL("hostname: '%', localUser: LOCAL"),
  ],
  [
    'a MySQL user with a name that MySQL does not take',
    'docs/spec/users.md#mysql-spec',
    'is missing, and the azureName has 40 characters',
    MYSQL("azureName: 'a'.repeat(40), aadUser: { serverAdminUsername: 'admin' }"),
    MYSQL("azureName: 'a'.repeat(40), aadUser: { serverAdminUsername: 'admin', alias: 'a' }"),
  ],
  [
    'an alias that MySQL does not take',
    'docs/spec/users.md#mysql-spec',
    'has 33 characters; at most 32 are allowed',
    MYSQL("aadUser: { serverAdminUsername: 'admin', alias: 'a'.repeat(33) }"),
    MYSQL("aadUser: { serverAdminUsername: 'admin', alias: 'a'.repeat(32) }"),
  ],
  [
    'a user name that the operator lets into no statement',
    'docs/spec/users.md#unsafe-characters',
    'contains ;',
    "new dbforpostgresql.User(chart, 'x', { owner: dbforpostgresql.FlexibleServer.fromName('db'), azureName: 'a;b', localUser: LOCAL });",
    "new dbforpostgresql.User(chart, 'x', { owner: dbforpostgresql.FlexibleServer.fromName('db'), azureName: 'ab', localUser: LOCAL });",
  ],
  [
    'a database role that the operator lets into no statement',
    'docs/spec/users.md#unsafe-characters',
    "roles[1]: contains '",
    "new sql.User(chart, 'x', { owner: sql.ServersDatabase.fromName('db'), localUser: LOCAL, roles: ['db_owner', \"o'brien\"] });",
    "new sql.User(chart, 'x', { owner: sql.ServersDatabase.fromName('db'), localUser: LOCAL, roles: ['db_owner', 'obrien'] });",
  ],
  [
    "a mail domain of Azure's with a name of one's own",
    'docs/spec/webhooks.md#rules-of-single-kinds',
    'Give azureName: AzureManagedDomain',
    "new communication.Domain(chart, 'x', { owner: communication.EmailService.fromName('mail'), location: 'global', domainManagement: communication.DomainManagement.AZURE_MANAGED });",
    "new communication.Domain(chart, 'x', { owner: communication.EmailService.fromName('mail'), location: 'global', domainManagement: communication.DomainManagement.AZURE_MANAGED, azureName: 'AzureManagedDomain' });",
  ],
  [
    'a sender with two names',
    'docs/spec/webhooks.md#rules-of-single-kinds',
    "'news' is not the azureName of the object ('shop-x')",
    "new communication.SenderUsername(chart, 'x', { owner: communication.Domain.fromName('mail'), username: 'news' });",
    "new communication.SenderUsername(chart, 'x', { owner: communication.Domain.fromName('mail'), username: 'news', azureName: 'News' });",
  ],
  [
    'more federated credentials than an identity may have',
    'docs/spec/extensions.md#federated-credentials',
    'is one of 21 federated credentials',
    MANY(21),
    MANY(20),
  ],
  [
    'two federated credentials for one token',
    'docs/spec/extensions.md#federated-credentials',
    'has the issuer and the subject of',
    lines(FEDERATED("'pod'", 'pod'), FEDERATED("'pod'")),
    lines(FEDERATED("'pod'", 'pod'), FEDERATED("'job'")),
  ],
  [
    'a ConfigMap with its namespace',
    'docs/spec/exports.md#imports',
    "'other/identity' cannot be the name of a ConfigMap",
    ROLE("owner: account, principalIdFromConfig: ConfigMapValue.fromConfigMap('other/identity', 'principalId')"),
    ROLE("owner: account, principalIdFromConfig: ConfigMapValue.fromConfigMap('identity', 'principalId')"),
  ],
  [
    'a Secret with its namespace',
    'docs/spec/exports.md#imports',
    "'other/db' cannot be the name of a Secret",
    MYSQL("localUser: { ...LOCAL, password: SecretValue.fromSecret('other/db', 'user') }"),
    MYSQL("localUser: { ...LOCAL, password: SecretValue.fromSecret('db', 'user') }"),
  ],
  [
    'one key for two exports',
    'docs/spec/webhooks.md#destinations',
    "key 'id' of ConfigMap 'c' is already written by",
    EXPORT("configMaps: { clientId: { name: 'c', key: 'id' }, principalId: { name: 'c', key: 'id' } }"),
    EXPORT("configMaps: { clientId: { name: 'c', key: 'id' }, principalId: { name: 'c', key: 'id2' } }"),
  ],
  [
    'one key for an export and an expression',
    'docs/spec/webhooks.md#destinations',
    "key 'id' of ConfigMap 'c' is already written by",
    EXPORT("configMaps: { clientId: { name: 'c', key: 'id' } }, configMapExpressions: [{ name: 'c', key: 'id', value: 'self.status.id' }]"),
    EXPORT(
      "configMaps: { clientId: { name: 'c', key: 'id' } }, configMapExpressions: [{ name: 'c', key: 'arm', value: 'self.status.id' }]",
    ),
  ],
  [
    'one annotation from two exports',
    'docs/spec/webhooks.md#destinations',
    "annotation 'a' of ConfigMap 'c' is already written by",
    EXPORT(
      "configMaps: { clientId: { name: 'c', key: 'a', annotations: { a: 'b' } }, principalId: { name: 'c', key: 'b', annotations: { a: 'b' } } }",
    ),
    EXPORT("configMaps: { clientId: { name: 'c', key: 'a', annotations: { a: 'b' } }, principalId: { name: 'c', key: 'b' } }"),
  ],
  [
    'one label from two exports',
    'docs/spec/webhooks.md#destinations',
    "label 'a' of ConfigMap 'c' is already written by",
    EXPORT(
      "configMaps: { clientId: { name: 'c', key: 'a', labels: { a: 'b' } }, principalId: { name: 'c', key: 'b', labels: { a: 'b' } } }",
    ),
    EXPORT("configMaps: { clientId: { name: 'c', key: 'a', labels: { a: 'b' } }, principalId: { name: 'c', key: 'b' } }"),
  ],
  [
    'one ConfigMap for two resources',
    'docs/spec/exports.md#export-objects',
    "is already written by 'shop/identity'",
    EXPORT("configMaps: { clientId: { name: identity.outputs.clientId.configMapName, key: 'id' } }"),
    EXPORT("configMaps: { clientId: { name: 'x', key: 'id' } }"),
  ],
  [
    'an export to a Secret that the app makes itself',
    'docs/spec/exports.md#export-objects',
    "is an object of its own: 'shop/own'",
    lines(
      "new ApiObject(chart, 'own', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own' } });",
      EXPORT("secrets: { clientId: { name: 'own', key: 'id' } }"),
    ),
    lines(
      "new ApiObject(chart, 'own', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own' } });",
      EXPORT("secrets: { clientId: { name: 'x', key: 'id' } }"),
    ),
  ],
  [
    'an export to another namespace',
    'docs/spec/exports.md#merge',
    "'other/c' cannot be the name of a ConfigMap",
    EXPORT("configMaps: { clientId: { name: 'other/c', key: 'id' } }"),
    EXPORT("configMaps: { clientId: { name: 'c', key: 'id' } }"),
  ],
  [
    'an export to a key that there cannot be',
    'docs/spec/exports.md#export-objects',
    "'client id' cannot be a key",
    EXPORT("configMaps: { clientId: { name: 'c', key: 'client id' } }"),
    EXPORT("configMaps: { clientId: { name: 'c', key: 'client-id' } }"),
  ],
  [
    'an expression for a text, without key',
    'docs/spec/webhooks.md#destinations',
    'gives a text, for which the ConfigMap needs a key',
    EXPORT("configMapExpressions: [{ name: 'c', value: 'self.spec.location' }]"),
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: 'self.spec.location' }]"),
  ],
  [
    'an expression for a map, with a key',
    'docs/spec/webhooks.md#destinations',
    'gives a map, whose keys become those of the ConfigMap',
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: 'self.spec.tags' }]"),
    EXPORT("configMapExpressions: [{ name: 'c', value: 'self.spec.tags' }]"),
  ],
  [
    'an expression for something else',
    'docs/spec/cel.md#output',
    'gives an object, but a ConfigMap holds texts',
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: 'self.spec.owner' }]"),
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: 'self.spec.owner.name' }]"),
  ],
  [
    'a secret for a ConfigMap',
    'docs/spec/cel.md#variables',
    'is a secret, which a ConfigMap cannot have',
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: 'secret.clientId' }]"),
    EXPORT("secretExpressions: [{ name: 'c', key: 'k', value: 'secret.clientId' }]"),
  ],
  [
    'an empty expression',
    'docs/spec/cel.md#errors-and-limits',
    'is empty. Give a CEL expression',
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: '' }]"),
    EXPORT("configMapExpressions: [{ name: 'c', key: 'k', value: 'self.status.id' }]"),
  ],
]);
