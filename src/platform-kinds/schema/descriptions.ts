import type { Descriptions } from './field';

/**
 * Descriptions of the members of claims, for `kubectl explain`: the docstrings of the interfaces, by interface and member.
 * `UPDATE_DOCS=1 npx jest test/platform-kinds/descriptions` writes the file.
 */
export const DESCRIPTIONS: Descriptions = {
  BlobServiceOptions: {
    changeFeed:
      'Log of all changes; retentionInDays is required if enabled. Default: off.',
    containerDeleteRetentionPolicy:
      'Time for which deleted containers can be restored. Default: 7 days.',
    deleteRetentionPolicy:
      'Time for which deleted blobs can be restored. Default: 7 days, without permanent deletion before that.',
    restorePolicy:
      'Restore to a point in time; days is required if enabled. Azure requires change feed, versioning and soft '
      + 'delete of blobs for more days. Default: off.',
    isVersioningEnabled:
      'Whether earlier versions of blobs are kept. Default: false.',
  },
  ChangeFeed: {
    enabled:
      'Whether changes to blobs are written to the log, in the container $blobchangefeed. Default: false.',
    retentionInDays:
      'Time for which entries of the log are kept. 1 to 146000. Unit: days. Default: no limit.',
  },
  Cluster: {
    name:
      'Name of the cluster in tags, e.g. DEVADPINFAK1401.',
    oidcIssuerUrl:
      'The OpenID Connect issuer, an https:// URL, spelt exactly as the cluster spells it (AKS ends it with /).',
    mode:
      'Whether the cluster\'s objects manage Azure resources. Exactly one cluster of an environment is active. '
      + 'Default: active.',
    operatorNamespace:
      'Namespace of the operator. Default: azureserviceoperator-system.',
    operatorServiceAccount:
      'Service account of the operator. Default: azureserviceoperator-default.',
  },
  ContainerRequest: {
    name:
      'Name of the container: 3 to 63 lower-case letters, digits and single hyphens.',
  },
  Correlation: {
    contentType:
      'Content type of the message. Default: any.',
    correlationId:
      'Correlation id of the message. Default: any.',
    label:
      'Label (subject) of the message. Default: any.',
    messageId:
      'Id of the message. Default: any.',
    replyTo:
      'Address for replies. Default: any.',
    replyToSessionId:
      'Session for replies. Default: any.',
    sessionId:
      'Session of the message. Default: any.',
    to:
      'Address of the message. Default: any.',
    properties:
      'Application properties of the message.',
    requiresPreprocessing:
      'Whether the rule\'s action needs preprocessing of the message before the filter. Default: Azure\'s default.',
  },
  CredentialServiceAccount: {
    name:
      'Name of the service account.',
    labels:
      'Labels of the service account.',
  },
  DatabaseAdministratorSpec: {
    name:
      'Login name of the administrator in the server: the name of the identity, application or group.',
    credentialSecret:
      'Name of the Secret in the platform\'s namespace with the credential of that administrator. Default: the '
      + 'platform\'s own credential.',
  },
  DatabaseRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    name:
      'The team\'s name for the database. The Azure name has the team\'s namespace as prefix.',
    charset:
      'Character set, usually UTF8. Cannot be changed.',
    collation:
      'Collation, e.g. en_US.utf8. Cannot be changed.',
    on:
      'Name of the shared PostgreSQL server. Default: the only one that the team uses.',
    roles:
      'The service\'s roles on the database: one at most. Needs the administrator of the shared server. Default: '
      + 'DatabaseOwner if the shared server names its administrator, else none.',
  },
  DeleteRetentionPolicy: {
    allowPermanentDelete:
      'Whether soft-deleted versions and snapshots of blobs may be deleted for good before their time. For blobs '
      + 'only, not for containers or file shares; not together with a restore policy. Default: false.',
    days:
      'Retention of deleted items, during which they can be restored and are billed as data. 1 to 365. Unit: days. '
      + 'Required if enabled is true.',
    enabled:
      'Whether deleted items are kept for a time, so that they can be restored.',
  },
  DnsRecordRequest: {
    type:
      'The type.',
    values:
      'Addresses or texts, or the one host name of a CNAME.',
    ttl:
      'Time to live in seconds. Default: 3600.',
    name:
      'The full name, e.g. api.ledger.example.com, under the host names that the team may have (hostNames). Labels '
      + 'may begin with _, and the first one may be *.',
  },
  DomainRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    on:
      'Name of the shared Front Door endpoint. Default: the only one that the team uses.',
    owned:
      'Whether the service owns the domain. If not, another service of the same team owns it, and only routes refer '
      + 'to it. Default: true.',
    certificate:
      'Name of a secret of the Front Door profile, with a certificate of a Key Vault. The platform creates it. '
      + 'Default: a certificate that Azure issues and renews.',
    validationToken:
      'The token that Azure gave the domain (validationToken of the domain, in its ConfigMap). With it, the record '
      + '_dnsauth.<host name> is written, with which Azure validates the domain. Azure makes the token with the '
      + 'domain, so it can be given only after the first apply, and Azure waits seven days for the record. Default: '
      + 'none: no validation record.',
    dnsRecords:
      'Whether the host name\'s record, and the validation record, are written to the shared DNS zone that the team '
      + 'uses. Default: true if there is a zone for the host name.',
    hostName:
      'The host name, one of those that the team may have (hostNames), in lower case; *.apps.ledger.example.com for '
      + 'all names of one more label. At most 64 characters with a certificate of Azure.',
  },
  EnvironmentProps: {
    name:
      'Name of the environment, e.g. dev. Part of names and tags.',
    instance:
      'Instance, if the environment exists several times, e.g. 01.',
    subscriptionId:
      'The subscription, a UUID.',
    subscriptionName:
      'Name of the subscription. Part of the names of role assignments, which must be unique in the tenant. Default: '
      + 'the name and the instance of the environment.',
    tenantId:
      'The Entra tenant, a UUID.',
    location:
      'The default region, e.g. uksouth.',
    clusters:
      'The clusters, of which one is active and the others are passive.',
    platform:
      'The team that operates the platform. Default: the namespace platform, without identity, groups or service '
      + 'accounts.',
    shared:
      'The services that all teams share.',
    roles:
      'The roles of teams and their services. Default: Contributor on a team\'s own group, built-in roles for data.',
    quotas:
      'Quotas of teams without quotas of their own. They replace the defaults as a whole: what is left out is not '
      + 'limited. Default: see Quotas.',
    naming:
      'The naming strategy for all objects and resources. Default: new DefaultPlatformNaming().',
    conventions:
      'Conventions for the objects, besides their names. Default: standard Kubernetes, no labels for tools.',
    release:
      'The release of Azure Service Operator that the clusters run. Default: the newest stable versions.',
    apiVersions:
      'API versions of single kinds, instead of those of the release: { \'authorization.azure.com/RoleAssignment\': '
      + '\'v1api20200801preview\' }.',
    workloadIdentity:
      'The service account whose token the operator uses to sign in for a team. Default: both.',
    teamIdentities:
      'Whether the operator acts for a team under another identity than the team\'s pods. Default: separate.',
    groupRemoval:
      'Policy of a team\'s resource group, with all resources in it, when the team\'s objects are deleted. Default: '
      + 'RemovalPolicy.RETAIN.',
    storageAccountSku:
      'SKU of services\' storage accounts, e.g. Standard_ZRS. Default: Standard_LRS.',
    tags:
      'Tags of all taggable resources.',
  },
  EnvironmentSpec: {
    name:
      'Name of the environment, part of names and tags. Default: the name of the object.',
    conventions:
      'Conventions for the objects, besides names, labels and tags. Default: those of the definition.',
    platform:
      'The team that operates the platform. Default: the namespace platform, without identity, groups or service '
      + 'accounts.',
    roles:
      'The roles of teams and their services: names of built-in roles, or UUIDs or ARM ids of role definitions. '
      + 'Default: Contributor on a team\'s own group, built-in roles for data.',
    shared:
      'The services that all teams share.',
  },
  FileServiceOptions: {
    shareDeleteRetentionPolicy:
      'Time for which deleted shares can be restored. Default: 7 days.',
  },
  FileShareRequest: {
    accessTier:
      'Access tier. Default: TransactionOptimized.',
    shareQuota:
      'Size in GiB. Default: 10.',
    name:
      'Name of the share: 3 to 63 lower-case letters, digits and single hyphens.',
  },
  Grant: {
    id:
      'Id of the grant, e.g. service-bus: part of the role assignment\'s name, unique in the team.',
    on:
      'The scope of the role: the result of fromArmId, or a construct of the app.',
    role:
      'The role: a BuiltInRole, BuiltInRole.custom(id), or a role definition of the app.',
    name:
      'Name of the Kubernetes object. Default: the name from the naming strategy.',
    condition:
      'A condition that restricts the role, in the Azure role assignment condition format (version 2.0).',
    to:
      'The identity that gets the role: the operator\'s, or that of the team\'s pods. Default: operator.',
  },
  GrantSpec: {
    on:
      'ARM id of the scope of the role.',
    role:
      'Name of a built-in role, or the UUID or ARM id of a role definition.',
  },
  NetworkAccess: {
    fromNamespaces:
      'Namespaces whose pods may connect to the team\'s pods, e.g. that of the ingress controller.',
    to:
      'Destinations of the team\'s pods. With a list, even an empty one, the pods reach only these, each other and '
      + 'the cluster\'s DNS. Default: all destinations; with Calico each other, and the destinations that the '
      + 'platform\'s GlobalNetworkPolicies allow.',
  },
  NetworkDestination: {
    cidr:
      'Range of addresses, e.g. 10.20.0.0/16.',
    ports:
      'TCP ports. Default: all.',
  },
  PlatformConventions: {
    labels:
      'Labels for tools.',
    serviceTags:
      'Tags for the resources of services. Default: those of environment, team and service only.',
    networkPolicy:
      'API of the network policies. Default: networking.k8s.io/v1.',
    podSecurity:
      'The Pod Security Standard that the teams\' namespaces enforce. Default: restricted.',
    credentialRequired:
      'Whether the annotation aso.cdk8s.io/credential-required on a team\'s Namespace makes its objects wait for the '
      + 'namespace\'s own credential, so that the operator never uses its global credential for them. Azure Service '
      + 'Operator ignores the annotation: leave its global credential empty. Default: true.',
    principalTypes:
      'Whether role assignments declare their principal as a service principal. Otherwise Azure looks the principal '
      + 'up, and does not find an identity that was created seconds ago: the operator has to retry for a minute or '
      + 'two. Default: true.',
    ownersByArmId:
      'Whether objects refer to owners by ARM id even within one namespace. An object with a reference by name waits '
      + 'for its owner, is deleted before it, and is below it in the owner graph; so the role on a team\'s group always '
      + 'uses a reference by name. Default: false.',
    azureNames:
      'Whether to write azureName even if it equals metadata.name. Default: true.',
  },
  PlatformTeam: {
    namespace:
      'Namespace of the platform\'s own objects. No team may write there. Default: platform.',
    identityClientId:
      'Client id, a UUID, of the identity under which the operator creates the resources of the platform\'s '
      + 'namespace: Contributor and User Access Administrator of the subscription, or narrower. Default: the '
      + 'platform\'s credential is created outside of the app.',
    roles:
      'The roles of that identity, which are assigned outside of the app, for the report on credentials '
      + '(CredentialScopes, graph --credentials). An annotation of the Secret contains them. Default: unknown.',
    groups:
      'Groups of Entra (object ids) or of the cluster\'s identity provider whose members administer the platform: '
      + 'admission policies do not restrict them.',
    serviceAccounts:
      'Service accounts, as namespace:name, that may write to team namespaces as the platform does, e.g. Flux\'s '
      + 'flux-system:kustomize-controller.',
    reservedNamespaces:
      'Namespaces that no team may use, besides kube-*, default, flux-system, argocd, azureserviceoperator-system, '
      + 'the operator\'s, the platform\'s and those of serviceAccounts.',
    databaseAdministrator:
      'Name of the service account that administers the shared databases, in the platform\'s namespace. Default: '
      + 'none: teams get no federated credential for it.',
    databaseAdministratorClientId:
      'Client id, a UUID, of that administrator\'s identity.',
    databaseAdministratorIdentity:
      'The identity of that administrator, created outside of the app: the result of UserAssignedIdentity.fromArmId. '
      + 'Default: none: no federated credential is created for it.',
  },
  PrivateAccess: {
    subnet:
      'The subnet for private endpoints.',
    storage:
      'Default private endpoints of a storage account. Default: [blob, table].',
  },
  PrivateAccessSpec: {
    subnet:
      'ARM id of the subnet for private endpoints.',
  },
  PrivateDnsRecordRequest: {
    storageAccount:
      'The team\'s name for the account.',
    location:
      'Region of the account. Default: the team\'s.',
    addresses:
      'IPv4 addresses of the account\'s private endpoints by sub-resource: { blob: \'10.0.0.8\', table: \'10.0.0.9\' }.',
    ttl:
      'Time to live of the records in seconds. Default: 3600.',
  },
  PrivateDnsZones: {
    location:
      'The region whose endpoints these zones serve, e.g. uksouth.',
    subscriptionId:
      'The subscription that contains the zones, a UUID.',
    resourceGroup:
      'The resource group that contains the zones.',
  },
  QueueRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    on:
      'Name of the shared Service Bus namespace. Default: the only one that the team uses.',
    owned:
      'Whether the service owns the queue. If not, another service of the same team owns it, and only roles are '
      + 'assigned. Default: true.',
    roles:
      'The service\'s roles on the queue.',
    settings:
      'Settings of the queue in Azure.',
    name:
      'The team\'s name for the queue. The Azure name has the team\'s namespace as prefix.',
  },
  QueueSettings: {
    autoDeleteOnIdle:
      'Idle time after which Azure deletes the queue, e.g. P30D. Default: never.',
    deadLetteringOnMessageExpiration:
      'Whether expired messages go to the dead-letter queue. Default: false.',
    defaultMessageTimeToLive:
      'Time to live of messages without one of their own. Default: P14D.',
    duplicateDetectionHistoryTimeWindow:
      'Time window for detecting duplicates, if requiresDuplicateDetection. Default: PT10M.',
    enableBatchedOperations:
      'Whether the server batches operations. Default: true.',
    enableExpress:
      'Whether messages are held in memory before they are stored. Default: false.',
    enablePartitioning:
      'Whether the queue is partitioned. Cannot be changed. Default: false.',
    forwardDeadLetteredMessagesTo:
      'Azure name of the queue or topic to which dead-lettered messages are forwarded.',
    forwardTo:
      'Azure name of the queue or topic to which messages are forwarded.',
    lockDuration:
      'Time for which a message is locked for its receiver; at most five minutes. Default: PT1M.',
    maxDeliveryCount:
      'Number of deliveries of a message before it goes to the dead-letter queue. Default: 10.',
    maxMessageSizeInKilobytes:
      'Maximum size of a message; more than 1024 needs the Premium tier. Default: 1024.',
    maxSizeInMegabytes:
      'Maximum size of the queue. Default: 1024.',
    requiresDuplicateDetection:
      'Whether Azure drops duplicates. Cannot be changed. Default: false.',
    requiresSession:
      'Whether the queue supports sessions. Cannot be changed. Default: false.',
  },
  Quotas: {
    cpu:
      'Total CPU that containers may request. Default: 8.',
    memory:
      'Total memory that containers may request. Default: 16Gi.',
    cpuLimit:
      'Total CPU limit of all containers. Default: not limited.',
    memoryLimit:
      'Total memory limit of all containers. Default: 32Gi.',
    pods:
      'Number of pods. Default: 50.',
    persistentVolumeClaims:
      'Number of persistent volume claims. Default: 10.',
    storage:
      'Total size of persistent volume claims. Default: 100Gi.',
    loadBalancers:
      'Number of Services of type LoadBalancer, each of which has an IP address of its own. Default: 0.',
    nodePorts:
      'Number of node ports, which Services of the types NodePort and, unless they say otherwise, LoadBalancer have. '
      + 'Default: 0.',
    containerCpu:
      'CPU request of a container that has none. Default: 100m.',
    containerMemory:
      'Memory request of a container that has none. Default: 256Mi.',
    containerCpuLimit:
      'CPU limit of a container that has none. Default: containerMaxCpu.',
    containerMemoryLimit:
      'Memory limit of a container that has none. Default: 512Mi.',
    containerMaxCpu:
      'Maximum CPU of one container. Default: 4.',
    containerMaxMemory:
      'Maximum memory of one container. Default: 8Gi.',
  },
  RestorePolicyProperties: {
    days:
      'Period that a restore can reach back. 1 to 365. Unit: days. Less than the days of deleteRetentionPolicy; '
      + 'required if enabled is true.',
    enabled:
      'Whether block blobs can be restored to an earlier point in time.',
  },
  RoleChoices: {
    resourceGroup:
      'Role of a team on its own resource group. Default: BuiltInRole.CONTRIBUTOR.',
    storageDataWriter:
      'Role for writing the data of a storage account. Default: the built-in roles for the data of blobs, tables and '
      + 'files.',
    storageDataReader:
      'Role for reading the data of a storage account. Default: the built-in roles for the data of blobs, tables and '
      + 'files.',
  },
  RouteOriginRequest: {
    hostName:
      'Host name, e.g. that of the cluster\'s ingress, or of a static website: stdocs.z33.web.core.windows.net.',
    hostHeader:
      'Host header of requests to the origin. Services of Azure need their own name there, an ingress the name that '
      + 'users typed. Default: hostName for names of core.windows.net and azurewebsites.net, else the host name of the '
      + 'request.',
    httpsPort:
      'Port for HTTPS. Default: 443.',
    probePath:
      'Path of the health probe, every 100 seconds, e.g. /healthz. Default: no probe: with one origin it would '
      + 'change nothing.',
  },
  RuleRequest: {
    sqlExpression:
      'A SQL condition, e.g. state = \'granted\'. Default: correlation; one of the two is required.',
    correlation:
      'Properties that messages must have; cheaper than SQL. Default: sqlExpression; one of the two is required.',
    name:
      'Name of the rule, unique in the subscription. Azure creates a rule $Default in each new subscription that '
      + 'accepts all messages: name your rule $Default to replace it.',
  },
  ServiceAccountName: {
    namespace:
      'Its namespace.',
    name:
      'Its name.',
  },
  ServiceIdentityRequest: {
    existing:
      'Whether the identity is created elsewhere: this service only assigns roles to it, with the ids in the '
      + 'ConfigMap that it exports. Default: false.',
    location:
      'Region. Default: the team\'s.',
    federatedServiceAccounts:
      'The service accounts whose pods run as the service, in all clusters of the environment; at most 20, divided '
      + 'by the number of clusters. Default: the service account in the team\'s namespace with the service\'s name.',
    serviceAccounts:
      'Service accounts to create in the team\'s namespace, with the identity\'s client id in the annotation that the '
      + 'workload identity webhook reads. They need delivery. Default: none: the service\'s own deployment creates them.',
    delivery:
      'How the client id reaches these service accounts. Default: not delivered.',
  },
  ServiceProps: {
    team:
      'The team, in the environment: team.in(environment).',
    name:
      'Name of the service, e.g. fin-ledger-postings.',
    identity:
      'The identity of the service\'s pods. Default: one that trusts the service account in the team\'s namespace with '
      + 'the service\'s name.',
    queues:
      'Queues.',
    topics:
      'Topics, with their subscriptions.',
    database:
      'The database.',
    resources:
      'Resources and roles in shared services, as their tables offer them: event hubs, databases, caches …',
    storageAccounts:
      'Storage accounts, with their contents.',
    keyVaultSecrets:
      'Secrets of the shared Key Vault that the service may read, by the team\'s names: x is the secret '
      + '<team>--<service>--x, or the name from the naming strategy.',
    privateDnsRecords:
      'Records in the private DNS zones of other regions, for storage accounts with known endpoint addresses.',
    domains:
      'Custom domains of the shared Front Door, with host names that the team may have (hostNames of the team).',
    routes:
      'Routes of the shared Front Door endpoint for these domains.',
    dnsRecords:
      'DNS records in the shared zones, with names that the team may have (hostNames of the team).',
    annotations:
      'Annotations of all objects of the service, except subscriptions, rules, federated credentials and DNS records.',
    tags:
      'Tags of all taggable resources, besides those of environment and team.',
    cluster:
      'Name of the objects\' cluster. On a passive cluster the objects only watch (skip). Default: the active cluster.',
  },
  ServiceRouteRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    on:
      'Name of the shared Front Door endpoint. Default: the only one that the team uses.',
    domains:
      'Host names of the service\'s domains. Default: none: defaultDomain is needed then.',
    defaultDomain:
      'Whether the route answers for the host name of the endpoint too (….azurefd.net). All teams share that name, '
      + 'so a team needs it in its hostNames, and no two routes may have the same path there. Default: false.',
    origin:
      'The server that answers.',
    patterns:
      'Paths, e.g. /api/*. Default: [\'/*\'].',
    originPath:
      'Path at the origin that replaces the matched part of the pattern. Default: the path of the request.',
    httpsRedirect:
      'Whether requests by HTTP are redirected to HTTPS. If not, they are refused. Default: true.',
    caching:
      'Whether Front Door caches answers, by the whole query string. Default: false.',
    name:
      'The team\'s name for the route.',
  },
  SharedChildRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    name:
      'Name of the resource, which no other team sees.',
    kind:
      'Kind, e.g. NamespacesEventhubsConsumerGroup. Default: the only kind that the table offers there.',
    settings:
      'Properties of the resource in Azure, as in the kind\'s spec. Default: the defaults of the shared service.',
  },
  SharedResourceRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    on:
      'Name of the shared service, e.g. event-hubs.',
    name:
      'The team\'s name for the resource. The Azure name has the prefix of the team. Default: none: the roles are on '
      + 'the whole service.',
    kind:
      'Kind, e.g. NamespacesEventhub. Default: the only kind that the shared service offers.',
    owned:
      'Whether the service owns the resource. If not, another service of the same team owns it; this service gets '
      + 'roles, and creates what is within the resource. Default: true.',
    roles:
      'The service\'s roles on the resource, by the names in the table of the shared service, e.g. EventHubSender.',
    settings:
      'Properties of the resource in Azure, as in the kind\'s spec. Default: the defaults of the shared service.',
    children:
      'Resources within the resource, e.g. the consumer groups of an event hub.',
  },
  SharedServiceSpec: {
    type:
      'The type: a factory of SharedService, e.g. serviceBus.',
    resource:
      'ARM id of the resource.',
    name:
      'Name of the shared service, which teams give in uses and services in on. Default: that of the type, e.g. '
      + 'service-bus.',
    role:
      'The role that the identity of a team gets on the service: name of a built-in role, or the UUID or ARM id of a '
      + 'role definition. Default: that of the type, if it has one.',
    roleTo:
      'The identity of a team that gets the role. Default: that of the type.',
    mayDelete:
      'Whether the role allows teams to delete their resources in the service. Default: false.',
    defaults:
      'Properties of the resources in the service by kind, which a request can replace with settings. Default: those '
      + 'of the type.',
    fixed:
      'Properties of the resources in the service by kind, which no request can change. Default: those of the type.',
    hostName:
      'Host name of a Front Door endpoint. Default: the records of domains are aliases of the endpoint.',
    administrator:
      'The Entra administrator of a database server, as which the controller gives services access to their '
      + 'databases. Default: none: access to databases is left to others.',
  },
  SharedServices: {
    services:
      'The shared services, several of one type too: [SharedService.serviceBus({ resource })].',
    appConfigurationReaderClientId:
      'Client id, a UUID, of the identity that reads the App Configuration stores.',
    trustedCertificates:
      'Certificates in an App Configuration store that are copied into every team\'s namespace.',
    privateAccess:
      'Private access to the resources of services. Default: none: public endpoints, within the limits of the '
      + 'service\'s own network rules.',
    privateDnsZones:
      'The private DNS zones (privatelink.…) by region. Default: none: private endpoints get no DNS zone group, and '
      + 'records in zones are rejected.',
  },
  StorageAccountRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    owned:
      'Whether the service owns the account. If not, another service of the same team owns it; this service gets '
      + 'roles, and creates containers, tables and shares. Default: true.',
    roles:
      'The service\'s roles on the account\'s data.',
    location:
      'Region. Default: that of the resource group.',
    sku:
      'SKU, e.g. Standard_ZRS. Default: the environment\'s.',
    resourceGroup:
      'Name of the team\'s resource group that has the account. Default: the first of the team\'s groups.',
    accessTier:
      'Access tier of blobs without one of their own. Default: Hot.',
    allowSharedKeyAccess:
      'Whether clients may use the account\'s keys. Default: false.',
    allowCrossTenantReplication:
      'Whether blobs may be replicated to accounts of other tenants. Default: false.',
    defaultToOAuthAuthentication:
      'Whether the portal uses Entra rather than the account\'s keys. Default: true.',
    hierarchicalNamespace:
      'Whether blobs are in folders (Data Lake Storage). Cannot be changed. Default: Azure\'s default: false.',
    allowedIpRanges:
      'Public addresses that may access the account: IPv4 addresses or ranges such as 203.0.113.0/29. All others are '
      + 'denied. Default: without private endpoints all addresses, with private endpoints none.',
    privateAccess:
      'Whether the account is accessible through private endpoints only. Default: true if the environment has '
      + 'private access.',
    privateEndpoints:
      'Sub-resources with a private endpoint, with privateAccess. Default: the environment\'s, else blobs and tables.',
    containers:
      'Blob containers.',
    tables:
      'Tables, by name.',
    fileShares:
      'File shares.',
    blobService:
      'Settings of blobs.',
    fileService:
      'Settings of file shares.',
    tags:
      'Tags of the account and its endpoints besides those of environment, team and service.',
    name:
      'The team\'s name for the account: letters and digits, at most 9 to 11 depending on the naming strategy.',
  },
  SubscriptionRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    settings:
      'Settings of the subscription in Azure.',
    rules:
      'Filters of the subscription\'s messages: a message must pass at least one rule. Default: all messages.',
    name:
      'The team\'s name for the subscription.',
  },
  SubscriptionSettings: {
    autoDeleteOnIdle:
      'Idle time after which Azure deletes the subscription. Default: never.',
    deadLetteringOnFilterEvaluationExceptions:
      'Whether messages go to the dead-letter queue if the evaluation of a filter fails. Default: false.',
    deadLetteringOnMessageExpiration:
      'Whether expired messages go to the dead-letter queue. Default: false.',
    defaultMessageTimeToLive:
      'Time to live of messages without one of their own. Default: P14D.',
    duplicateDetectionHistoryTimeWindow:
      'Time window for detecting duplicates. Default: PT10M.',
    enableBatchedOperations:
      'Whether the server batches operations. Default: true.',
    forwardDeadLetteredMessagesTo:
      'Azure name of the queue or topic to which dead-lettered messages are forwarded.',
    forwardTo:
      'Azure name of the queue or topic to which messages are forwarded.',
    isClientAffine:
      'Whether the subscription belongs to a single JMS client id. Default: false.',
    lockDuration:
      'Time for which a message is locked for its receiver; at most five minutes. Default: PT1M.',
    maxDeliveryCount:
      'Number of deliveries of a message before it goes to the dead-letter queue. Default: 10.',
    requiresSession:
      'Whether the subscription supports sessions. Cannot be changed. Default: false.',
  },
  TeamOnboardingProps: {
    team:
      'The team in the environment: team.in(environment).',
    cluster:
      'Name of the cluster for which the objects are created. On a passive cluster all Azure objects only watch. '
      + 'Default: the active one.',
    only:
      'The parts to create. Other parts are expected to exist: the created ones refer to them by the names of the '
      + 'naming strategy. Default: all parts for which the team and the environment have the settings.',
    without:
      'Parts to leave out.',
    delivery:
      'How the client id of the identity, which Azure has not created yet, reaches the namespace\'s credential and '
      + 'the service account. Default: CredentialDelivery.controller(), or the literal clientId if set.',
    clientId:
      'Client id, a UUID, of the identity under which the operator acts for the team, if the identity already '
      + 'exists. Default: unknown: delivered once Azure has created the identity.',
    workloadClientId:
      'Client id, a UUID, of the identity of the team\'s pods, if identities are separate '
      + '(EnvironmentProps.teamIdentities) and it already exists. Default: unknown: delivered once Azure has created '
      + 'the identity.',
    policy:
      'The self-service policy of the team. The cluster enforces it, and the team\'s groups (TeamProps.groups) get '
      + 'rights on the kinds that they may use. policy.applyTo(chart, team) checks the team\'s own charts at synth. '
      + 'Default: none: the team\'s groups get no rights, and no object is rejected.',
    network:
      'The connections that the team\'s pods may accept and open. Default: between the team\'s pods, and to all '
      + 'destinations.',
    namespaceLabels:
      'Further labels of the namespace. Default: those of the conventions.',
    resourceGroup:
      'An existing construct of the team\'s resource group. Its name must be team.resourceGroup. Default: one is '
      + 'created.',
    identity:
      'An existing construct of the operator\'s identity for the team, in the platform\'s namespace. If its Azure name '
      + 'differs from that of the naming strategy, list its ARM id in the policy\'s protectedIdentities. Default: one '
      + 'is created.',
    workloadIdentity:
      'An existing construct of the identity of the team\'s pods, in the platform\'s namespace. Default: one is '
      + 'created, unless the environment\'s identities are shared.',
    roleAssignmentNaming:
      'Azure names of role assignments: UUIDs of scope, principal and role instead of the operator\'s, which are '
      + 'derived from the object\'s name. Do not change this for existing assignments. Default: the naming applied to '
      + 'the scope, else the operator\'s.',
  },
  TeamProps: {
    namespace:
      'The team\'s namespace. Default: the name from the naming strategy.',
    resourceGroup:
      'Name of the team\'s resource group. Default: the name from the naming strategy.',
    subscriptionId:
      'The subscription of the team\'s resource groups and identities, a UUID. If it is another one than the '
      + 'environment\'s, the platform\'s namespace needs a credential for it: PlatformCredential with subscriptionId. '
      + 'The operator then creates nothing for the team in shared services of other subscriptions. Default: that of '
      + 'the environment.',
    location:
      'Region of the team\'s resource group and identities, e.g. ukwest. Default: that of the environment.',
    existingResourceGroup:
      'Whether the team\'s resource group exists already. It is not created or deleted then; the team only gets its '
      + 'role on it. Default: false.',
    resourceGroups:
      'Further resource groups, e.g. in another region. The team gets the same role on each as on its resource '
      + 'group, and may own resources in each. Those of an environment are added to those for all environments.',
    identities:
      'Identities that exist already. Default: none: they are created.',
    privateAccess:
      'Private endpoints of the team\'s resources in a network of its own that exists already. The subnet may be in '
      + 'any subscription in which the platform\'s identity may join it, in the region of the resources; private DNS '
      + 'zones are those of the environment. Default: those of the environment (shared.privateAccess).',
    quotas:
      'The team\'s resource quotas. Each replaces that of the team for all environments, and this that of the '
      + 'environment. Default: the quotas of the environment.',
    uses:
      'Names of the shared services that the team uses, e.g. service-bus: its identity gets the role on them that '
      + 'the environment defines, and its services may ask for what they offer. Those of an environment are added to '
      + 'those for all environments.',
    hostNames:
      'Host names that the team\'s domains and DNS records may have: shop.example.com for that name, '
      + '*.ledger.example.com for all names below ledger.example.com. Those of an environment are added to those for '
      + 'all environments. Default: none: the team may have no domain and no DNS record.',
    grants:
      'Roles in addition to those for all environments.',
    offboarding:
      'The fate of the team\'s Azure resources when its objects are deleted. Set this if the team is about to leave, '
      + 'apply it, and then remove the team from the list. Objects on passive clusters still only watch. Default: the '
      + 'team stays: each resource has its own policy.',
    name:
      'Name of the team, a DNS label, e.g. fin-ledger. The names of its namespace, group and identity are derived '
      + 'from it.',
    displayName:
      'The team\'s name in labels. Default: <name>-team.',
    programme:
      'The programme that the team belongs to.',
    serviceCode:
      'Finance code of the team\'s services, for tags.',
    groups:
      'Groups of Entra (object ids) or of the cluster\'s identity provider whose members are the team. Default: none: '
      + 'only the platform may write to the namespace.',
    tags:
      'Tags of all taggable resources of the team.',
  },
  TeamResourceGroup: {
    name:
      'Name of the group in Azure.',
    location:
      'Region of the group, and default region of the services\' resources in it, e.g. ukwest. Default: that of the '
      + 'environment.',
    existing:
      'Whether the group exists already. It is not created or deleted then; the team only gets its role on it. '
      + 'Default: false.',
  },
  TeamSpec: {
    name:
      'Name of the team. Default: the name of the object, which is the team\'s namespace.',
    environment:
      'Name of the Environment object. Default: default.',
    identities:
      'Identities that exist already, by ARM id. Default: none: they are created.',
    privateAccess:
      'Private endpoints of the team\'s resources in a network of its own that exists already. Default: those of the '
      + 'environment.',
    grants:
      'Roles of the team\'s identities besides those on its own groups and on shared services.',
  },
  TopicRequest: {
    removalPolicy:
      'The fate of the Azure resource when it is removed from the service. Default: detach-on-delete for resources '
      + 'in shared services that the team\'s credential may not delete; else the resource is deleted.',
    reconcilePolicy:
      'The operator\'s reconcile policy for the resource. Default: derived from removalPolicy, else manage.',
    on:
      'Name of the shared Service Bus namespace. Default: the only one that the team uses.',
    owned:
      'Whether the service owns the topic. If not, another service of the same team owns it; this service gets '
      + 'roles, and creates subscriptions. Default: true.',
    roles:
      'The service\'s roles on the topic.',
    settings:
      'Settings of the topic in Azure.',
    subscriptions:
      'Subscriptions.',
    name:
      'The team\'s name for the topic. The Azure name has the team\'s namespace as prefix.',
  },
  TopicSettings: {
    autoDeleteOnIdle:
      'Idle time after which Azure deletes the topic. Default: never.',
    defaultMessageTimeToLive:
      'Time to live of messages without one of their own. Default: P14D.',
    duplicateDetectionHistoryTimeWindow:
      'Time window for detecting duplicates, if requiresDuplicateDetection. Default: PT10M.',
    enableBatchedOperations:
      'Whether the server batches operations. Default: true.',
    enableExpress:
      'Whether messages are held in memory before they are stored. Default: false.',
    enablePartitioning:
      'Whether the topic is partitioned. Cannot be changed. Default: false.',
    maxMessageSizeInKilobytes:
      'Maximum size of a message; more than 1024 needs the Premium tier. Default: 1024.',
    maxSizeInMegabytes:
      'Maximum size of the topic. Default: 1024.',
    requiresDuplicateDetection:
      'Whether Azure drops duplicates. Cannot be changed. Default: false.',
    supportOrdering:
      'Whether messages keep their order. Default: true.',
  },
  TrustedCertificates: {
    on:
      'Name of the shared App Configuration store. Default: the only one of the environment.',
    keyFilter:
      'Filter of the keys to copy, e.g. egress-firewall-cert*.',
    labelFilter:
      'Label of the keys. Default: no label.',
    configMapName:
      'The ConfigMap for plain values. Default: trusted-certificates.',
    secretName:
      'The Secret for resolved Key Vault references. Default: trusted-certificates.',
    refreshInterval:
      'Interval at which Key Vault references are resolved again, e.g. 5m. At least one minute. Default: 5m.',
  },
};
