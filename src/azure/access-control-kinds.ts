/**
 * Kinds whose objects change access rights: `group/Kind` → how. A kind is in the list if its purpose is a grant, a login or a trust, or if
 * its spec names principals that get rights on the resource (access policies, administrators). Kubernetes' `edit` role gets no rights to
 * write them (docs/guard-rails.md).
 *
 * Not in the list: kinds that open a network (firewall rules), and kinds whose passwords and keys any editor of the resource can set or
 * export.
 */
export const ACCESS_CONTROL_KINDS: ReadonlyMap<string, string> = new Map([
  ['apimanagement.azure.com/AuthorizationProvidersAuthorizationsAccessPolicy', 'lets a principal use a stored authorization'],
  ['apimanagement.azure.com/Group', 'groups the users who may use products'],
  ['apimanagement.azure.com/ProductGroup', 'lets a group use a product'],
  ['apimanagement.azure.com/Subscription', 'makes keys that give access to APIs'],
  ['apimanagement.azure.com/User', 'makes an account of the developer portal'],
  ['app.azure.com/AuthConfig', 'says who may sign in to an app'],
  ['authorization.azure.com/RoleAssignment', 'gives a role to a principal'],
  ['authorization.azure.com/RoleDefinition', 'says what a role allows'],
  ['cache.azure.com/RedisAccessPolicy', 'says what an access policy allows in the cache'],
  ['cache.azure.com/RedisAccessPolicyAssignment', 'gives an access policy to a principal'],
  ['cache.azure.com/RedisEnterpriseDatabaseAccessPolicyAssignment', 'gives an access policy to a principal'],
  ['containerservice.azure.com/ManagedCluster', 'names the groups that administer the cluster (aadProfile)'],
  ['containerservice.azure.com/TrustedAccessRoleBinding', 'gives an Azure service rights inside the cluster'],
  ['databases.aso.cdk8s.io/DatabaseAccess', 'gives a principal of Entra access to a database'],
  ['dbformysql.azure.com/FlexibleServersAdministrator', 'makes a principal administrator of the server'],
  ['dbformysql.azure.com/User', 'makes a user inside the server, with privileges'],
  ['dbforpostgresql.azure.com/FlexibleServersAdministrator', 'makes a principal administrator of the server'],
  ['dbforpostgresql.azure.com/User', 'makes a user inside the server, with roles'],
  ['devices.azure.com/IotHub', 'has shared access policies with rights on the hub (authorizationPolicies)'],
  ['documentdb.azure.com/MongodbRoleDefinition', 'says what a role allows in the account'],
  ['documentdb.azure.com/MongodbUserDefinition', 'makes a user inside the account, with roles'],
  ['documentdb.azure.com/SqlRoleAssignment', 'gives a role on the data to a principal'],
  ['entra.azure.com/SecurityGroup', 'makes a group to which roles are given'],
  ['eventhub.azure.com/NamespacesAuthorizationRule', 'makes keys with rights on the namespace'],
  ['eventhub.azure.com/NamespacesEventhubsAuthorizationRule', 'makes keys with rights on the event hub'],
  ['keyvault.azure.com/Vault', 'says who may use keys, secrets and certificates (accessPolicies, enableRbacAuthorization)'],
  ['kusto.azure.com/Cluster', 'names the tenants whose users may sign in (trustedExternalTenants)'],
  ['kusto.azure.com/ClusterPrincipalAssignment', 'gives a principal a role on the cluster'],
  ['kusto.azure.com/PrincipalAssignment', 'gives a principal a role on the database'],
  ['managedidentity.azure.com/FederatedIdentityCredential', 'lets the holder of a token act as an identity'],
  ['notificationhubs.azure.com/NamespacesAuthorizationRule', 'makes keys with rights on the namespace'],
  ['notificationhubs.azure.com/NotificationHubsAuthorizationRule', 'makes keys with rights on the hub'],
  ['servicebus.azure.com/NamespacesAuthorizationRule', 'makes keys with rights on the namespace'],
  ['servicebus.azure.com/TopicAuthorizationRule', 'makes keys with rights on the topic'],
  ['sql.azure.com/Server', 'names the administrator of the server (administrators)'],
  ['sql.azure.com/ServersAdministrator', 'makes a principal administrator of the server'],
  ['sql.azure.com/ServersAzureADOnlyAuthentication', 'says whether logins with passwords are let in'],
  ['sql.azure.com/User', 'makes a user inside the database, with roles'],
  ['subscription.azure.com/Alias', 'makes a subscription and names its owner'],
  ['synapse.azure.com/Workspace', 'names the first administrator of the workspace (cspWorkspaceAdminProperties)'],
]);

/**
 * Kinds that hold no data, and whose only purpose is access to it: identities, the tokens that act as them, and their roles. They end with
 * a team whose data stays.
 */
export const ACCESS_WITHOUT_DATA: readonly string[] = [
  'authorization.azure.com/RoleAssignment',
  'managedidentity.azure.com/FederatedIdentityCredential',
  'managedidentity.azure.com/UserAssignedIdentity',
];

/** Whether a resource of a kind gives access as long as it is in Azure, by itself or by what it names. */
export function givesAccess(group: string, kind: string): boolean {
  return ACCESS_WITHOUT_DATA.includes(`${group}/${kind}`) || changesAccess(group, kind);
}

/** Whether objects of a kind change access rights. */
export function changesAccess(group: string, kind: string): boolean {
  return ACCESS_CONTROL_KINDS.has(`${group}/${kind}`);
}
