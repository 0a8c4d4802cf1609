/** For every rule: what it finds, and what it leaves alone. */
export interface Mistake {
  readonly rule: string;
  readonly what: string;
  readonly wrong: string;
  readonly right: readonly string[];
  /** `severity rule object field` */
  readonly expected: readonly string[];
}

const S = '11111111-2222-3333-4444-555555555555';
const P = 'serviceoperator.azure.com';
const doc = (apiVersion: string, kind: string, name: string, spec: string, metadata = '') =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: "${name}", namespace: shop${metadata === '' ? '' : `, ${metadata}`} }\n${spec === '' ? '' : `spec: ${spec}\n`}`;
const files = (...docs: string[]) => docs.join('---\n');
const annotated = (key: string, value: string) => `annotations: { ${key}: "${value}" }`;

const rg = (name = 'rg', metadata = '', more = '') =>
  doc('resources.azure.com/v1api20200601', 'ResourceGroup', name, `{ location: uksouth${more} }`, metadata);
const account = (name: string, more = '', metadata = '', owner = '{ name: rg }') =>
  doc(
    'storage.azure.com/v20250601',
    'StorageAccount',
    name,
    `{ location: uksouth, kind: StorageV2, sku: { name: Standard_LRS }, owner: ${owner}${more} }`,
    metadata,
  );
/** An object of a kind that is not of Azure, as one cluster gets it. */
const addon = (cluster: string) => doc('addons.example.com/v1', 'AddOn', 'dns', `{ cluster: ${cluster} }`);
const identity = (name: string, more = '') =>
  doc('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', name, `{ location: uksouth, owner: { name: rg }${more} }`);
const role = (name: string, more = '', owner = `{ armId: /subscriptions/${S}/resourceGroups/rg }`, definition = 'wellKnownName: Reader') =>
  doc(
    'authorization.azure.com/v20220401',
    'RoleAssignment',
    name,
    `{ owner: ${owner}, roleDefinitionReference: { ${definition} }${more} }`,
  );
const passwordSecret = (password: string) => doc('v1', 'Secret', 'pw', '').replace(/\n$/, `\nstringData: { p: "${password}" }\n`);
const server = doc('dbforpostgresql.azure.com/v20250801', 'FlexibleServer', 'pg',
  '{ location: uksouth, owner: { name: rg }, administratorLogin: shopadmin, administratorLoginPassword: { name: pw, key: p } }');
const registration = (name: string, network: string) =>
  doc('network.azure.com/v1api20240601', 'PrivateDnsZonesVirtualNetworkLink', name,
    `{ location: global, owner: { name: ${name} }, registrationEnabled: true, virtualNetwork: { reference: { group: network.azure.com, kind: VirtualNetwork, name: ${network} } } }`);
const cluster = (configMaps: string, metadata = '', more = '') =>
  doc('containerservice.azure.com/v1api20240901', 'ManagedCluster', 'aks', `{ location: uksouth, owner: { name: rg }, operatorSpec: { configMaps: { ${configMaps} } }${more} }`, metadata);
const REGISTRY = `/subscriptions/${S}/resourceGroups/rg/providers/Microsoft.ContainerRegistry/registries/shop`;
const PRINCIPAL = ', principalIdFromConfig: { name: ids, key: principal }';
const ISSUER = 'issuerFromConfig: { name: ids, key: issuer }';
const federated = (name: string, subject: string, owner = 'id', issuer = 'issuer: "https://x/"') =>
  doc(
    'managedidentity.azure.com/v1api20230131',
    'FederatedIdentityCredential',
    name,
    `{ owner: { name: ${owner} }, ${issuer}, subject: ${subject}, audiences: [a] }`,
  );
const secret = (name: string, keys: string) =>
  `apiVersion: v1\nkind: Secret\nmetadata: { name: ${name}, namespace: shop }\nstringData: { ${keys} }\n`;
const KEYS = `AZURE_SUBSCRIPTION_ID: ${S}, AZURE_TENANT_ID: t, AZURE_CLIENT_ID: c`;
const OTHER = '22222222-2222-3333-4444-555555555555';
const credential = (roles: string, of = '') =>
  secret('aso-credential', KEYS).replace('namespace: shop', `namespace: shop, annotations: { aso.cdk8s.io/credential-roles: "${roles}"${of === '' ? '' : `, aso.cdk8s.io/credential-identity: ${of}`} }`);
const STRICT = secret('aso-controller-settings', 'AZURE_WORKLOAD_IDENTITY_AUTH_MODE: strict').replace('namespace: shop', 'namespace: aso');
const user = (group: string, spec: string, name = 'u') => doc(`${group}.azure.com/v1`, 'User', name, `{ owner: { name: db }, ${spec} }`);
const LOCAL = 'localUser: { serverAdminUsername: a, serverAdminPassword: { name: s, key: k }, password: { name: s, key: k } }';
const domain = (name: string, management: string) =>
  doc('communication.azure.com/v20230401', 'Domain', name, `{ location: global, owner: { name: e }, domainManagement: ${management} }`);
const sender = (username: string) =>
  doc('communication.azure.com/v20230401', 'SenderUsername', 'news', `{ owner: { name: d }, username: ${username} }`);
const aRecord = (kind: string, version: string, records: string) =>
  doc(`network.azure.com/${version}`, kind, 'www', `{ owner: { name: zone }, ${records} }`);
const pod = (store: string, name: string, key: string, more = '') =>
  doc('v1', 'Pod', 'web', `{ containers: [{ name: web, image: web, env: [{ name: A, valueFrom: { ${store}: { name: ${name}, key: ${key}${more} } } }] }] }`);
const blobs = (owner: string) => doc('storage.azure.com/v20250601', 'StorageAccountsBlobService', 'blobs', `{ owner: ${owner} }`);
const bus = (more: string, name = 'shopbus') =>
  doc('servicebus.azure.com/v1api20240101', 'Namespace', name, `{ location: uksouth, owner: { name: rg }, sku: { name: Standard, tier: Standard }${more} }`);
const exported = (...names: string[]) => `, operatorSpec: { secrets: { ${names.map((name) => `${name}: { name: keys, key: ${name} }`).join(', ')} } }`;
const busRule = (owner: string, more = exported('primaryKey'), metadata = '') =>
  doc('servicebus.azure.com/v1api20240101', 'NamespacesAuthorizationRule', 'send', `{ owner: ${owner}, rights: [Send]${more} }`, metadata);
const topic = doc('servicebus.azure.com/v1api20240101', 'NamespacesTopic', 'orders', '{ owner: { name: shopbus } }');
const topicRule = doc('servicebus.azure.com/v1api20240101', 'TopicAuthorizationRule', 'send', `{ owner: { name: orders }, rights: [Send]${exported('primaryConnectionString')} }`);
const BUS_ID = `/subscriptions/${S}/resourceGroups/rg/providers/Microsoft.ServiceBus/namespaces`;
const cosmos = (more: string) =>
  doc('documentdb.azure.com/v1api20240815', 'DatabaseAccount', 'shopcosmos',
    `{ location: uksouth, owner: { name: rg }, databaseAccountOfferType: Standard, locations: [{ locationName: uksouth }]${more} }`);
const exportTo = (property: string, entries: string) => `, operatorSpec: { ${property}: ${entries} }`;

const table: readonly (readonly [rule: string, what: string, wrong: string, expected: readonly string[], ...right: string[]])[] = [
  [
    'unknown-group',
    'misspelt group',
    doc('storag.azure.com/v1', 'X', 'a', ''),
    ['warning unknown-group a apiVersion'],
    doc('apps/v1', 'Deployment', 'a', ''),
  ],
  ['unknown-kind', 'misspelt kind', doc('storage.azure.com/v20250601', 'StorageAcount', 'a', ''), ['error unknown-kind a kind'], rg()],
  ['unknown-kind', 'an ARM type', doc('Microsoft.Network/2024-05-01', 'virtualNetworks/subnets', 'a', ''), ['error unknown-kind a apiVersion'], rg()],
  [
    'unknown-kind',
    'a kind in a version newer than all of its group may be one of a later release',
    doc('redhatopenshift.azure.com/v1api20240610preview', 'HcpOpenShiftCluster', 'a', ''),
    ['warning unknown-kind a kind'],
    rg(),
  ],
  [
    'unknown-kind',
    'a kind whose version comes later may be one of a later release',
    doc('redhatopenshift.azure.com/${VERSION}', 'HcpOpenShiftCluster', 'a', ''),
    ['warning unknown-kind a kind'],
    rg(),
  ],
  [
    'unknown-kind',
    'in an older version there is no such kind',
    doc('redhatopenshift.azure.com/v1api20230401', 'HcpOpenShiftCluster', 'a', ''),
    ['error unknown-kind a kind'],
    rg(),
  ],
  ['unknown-kind', "Terraform's name", doc('network.azure.com/v1', 'azurerm_subnet', 'a', ''), ['error unknown-kind a kind'], rg()],
  ['unknown-kind', 'a group without version', doc('storage.azure.com', 'StorageAccount', 'a', ''), ['error unknown-kind a apiVersion'], rg()],
  [
    'unknown-version',
    'no such version',
    doc('resources.azure.com/v1', 'ResourceGroup', 'a', ''),
    ['error unknown-version a apiVersion'],
    rg(),
  ],
  [
    'missing-field',
    'no owner',
    doc('managedidentity.azure.com/v1api20230131', 'UserAssignedIdentity', 'a', '{ location: uksouth }'),
    ['error missing-field a spec.owner'],
    identity('a'),
  ],
  [
    'invalid-value',
    'no such enum value',
    account('a', ', accessTier: Lukewarm'),
    ['error invalid-value a spec.accessTier'],
    account('a', ', accessTier: Cool'),
  ],
  [
    'unknown-field',
    'misspelt field',
    rg('rg', '', ', tagz: {}'),
    ['error unknown-field rg spec.tagz'],
    rg('rg', '', ', tags: { namespace: x }'),
  ],
  [
    'unknown-field',
    'a scope, in place of the owner',
    role('a', ', scope: rg', '').replace('owner: ,', ''),
    ['error unknown-field a spec.scope'],
    role('a', '', '{ group: resources.azure.com, kind: ResourceGroup, name: rg }'),
  ],
  [
    'unknown-field',
    'a field beside the spec',
    `${rg()}tags: { a: b }\n`,
    ['error unknown-field rg tags'],
    rg(),
  ],
  [
    'namespace-in-reference',
    'owner elsewhere',
    account('a', '', '', '{ name: rg, namespace: other }'),
    ['error namespace-in-reference a spec.owner.namespace'],
    account('a'),
  ],
  [
    'value-twice',
    'principal as text and from a ConfigMap',
    role('r', ', principalId: p, principalIdFromConfig: { name: c, key: k }'),
    ['error value-twice r spec.principalIdFromConfig'],
    role('r', ', principalId: p'),
    role('r', ', principalIdFromConfig: { name: c, key: k }'),
  ],
  [
    'one-of',
    'two members of a union',
    doc('dataprotection.azure.com/v20231101', 'BackupVaultsBackupPolicy', 'p', '{ owner: { name: v }, properties: {} }'),
    ['error one-of p spec.properties'],
    doc('dataprotection.azure.com/v20231101', 'BackupVaultsBackupPolicy', 'p', '{ owner: { name: v }, properties: { backupPolicy: {} } }'),
  ],
  [
    'azure-name',
    'metadata.name is no name of a storage account',
    account('shop-data'),
    ['error azure-name shop-data metadata.name'],
    account('shop-data', ', azureName: shopdata'),
  ],
  [
    'azure-name',
    'an ARM id as name',
    rg('rg', '', ', azureName: a/b'),
    ['error azure-name rg spec.azureName'],
    rg('rg', '', ', azureName: a_b'),
  ],
  [
    'azure-name',
    'a queue with the / of Service Bus',
    doc('servicebus.azure.com/v1api20211101', 'NamespacesQueue', 'q', '{ owner: { name: bus }, azureName: eu/orders }'),
    ['error azure-name q spec.azureName'],
    doc('servicebus.azure.com/v1api20211101', 'NamespacesQueue', 'q', '{ owner: { name: bus }, azureName: eu~orders }'),
  ],
  [
    'azure-name',
    'a role assignment with a name that is no UUID',
    role('r', ', azureName: r'),
    ['error azure-name r spec.azureName'],
    role('r'),
    role('r', `, azureName: ${S}`),
  ],
  [
    'deprecated-version',
    'an old version',
    doc('storage.azure.com/v1api20230101', 'StorageAccount', 'a', '{}'),
    ['warning deprecated-version a apiVersion'],
    account('a'),
  ],
  [
    'owner-form',
    'name and ARM id',
    account('a', '', '', `{ name: rg, armId: /subscriptions/${S}/resourceGroups/rg }`),
    ['error owner-form a spec.owner'],
    account('a'),
    account('a', '', '', `{ armId: /subscriptions/${S}/resourceGroups/rg }`),
  ],
  ['owner-form', 'nothing', account('a', '', '', '{}'), ['error owner-form a spec.owner']],
  [
    'owner-form',
    'an ARM id as name',
    account('a', '', '', `{ name: /subscriptions/${S}/resourceGroups/rg }`),
    ['error owner-form a spec.owner.name'],
  ],
  [
    'owner-form',
    'any owner without kind',
    role('r', '', '{ name: rg, group: resources.azure.com }'),
    ['error owner-form r spec.owner'],
    role('r', '', '{ group: resources.azure.com, kind: ResourceGroup, name: rg }'),
  ],
  [
    'owner-kind',
    'the id of a subscription',
    account('a', '', '', `{ armId: /subscriptions/${S} }`),
    ['error owner-kind a spec.owner.armId'],
    account('a', '', '', `{ armId: /SUBSCRIPTIONS/${S}/RESOURCEGROUPS/rg }`),
  ],
  [
    'owner-kind',
    'no such kind',
    role('r', '', '{ group: resources.azure.com, kind: ResourceGrup, name: rg }'),
    ['error owner-kind r spec.owner.kind'],
  ],
  [
    'owner-kind',
    'a database user by ARM id',
    doc(
      'sql.azure.com/v1',
      'User',
      'u',
      `{ owner: { armId: /subscriptions/${S}/resourceGroups/rg/providers/Microsoft.Sql/servers/s/databases/d }, ${LOCAL} }`,
    ),
    ['error owner-kind u spec.owner.armId'],
    user('sql', LOCAL),
  ],
  [
    'reference-form',
    'role by name and id',
    role('r', '', undefined, `wellKnownName: Reader, armId: /subscriptions/${S}`),
    ['error reference-form r spec.roleDefinitionReference'],
    role('r'),
  ],
  [
    'reference-form',
    'reference without kind',
    role('r', '', undefined, 'name: x, group: authorization.azure.com'),
    ['error reference-form r spec.roleDefinitionReference'],
  ],
  [
    'reference-kind',
    'group with version',
    role('r', '', undefined, 'name: x, group: authorization.azure.com/v1, kind: RoleDefinition'),
    ['error reference-kind r spec.roleDefinitionReference.group'],
    role('r', '', undefined, 'name: x, group: authorization.azure.com, kind: RoleDefinition'),
  ],
  [
    'reference-across-namespaces',
    'owner in another namespace',
    files(rg().replace('shop', 'other'), account('a')),
    ['warning reference-across-namespaces a spec.owner.name'],
    files(rg(), account('a'), rg().replace('shop', 'other')),
    account('a'),
  ],
  [
    'not-in-files',
    'Secret that nobody writes',
    user('sql', LOCAL),
    [
      'info not-in-files u spec.owner.name',
      'info not-in-files u spec.localUser.serverAdminPassword',
      'info not-in-files u spec.localUser.password',
    ],
    files(rg(), account('a')),
  ],
  [
    'cycle',
    'identities of each other',
    files(
      account('a', ', identity: { userAssignedIdentities: [{ reference: { group: storage.azure.com, kind: StorageAccount, name: b } }] }'),
      account('b', ', identity: { userAssignedIdentities: [{ reference: { group: storage.azure.com, kind: StorageAccount, name: a } }] }'),
    ),
    ['error cycle a spec.identity.userAssignedIdentities[0].reference'],
    files(account('a'), account('b')),
  ],
  [
    'destination-twice',
    'one key, two values',
    identity('a', exportTo('configMaps', '{ clientId: { name: c, key: k }, principalId: { name: c, key: k } }')),
    ['error destination-twice a spec.operatorSpec.configMaps.principalId'],
    identity('a', exportTo('configMaps', '{ clientId: { name: c, key: k }, principalId: { name: c, key: l } }')),
  ],
  [
    'destination-twice',
    'one label, two values',
    identity(
      'a',
      exportTo('configMaps', '{ clientId: { name: c, key: k, labels: { x: y } }, principalId: { name: c, key: l, labels: { x: y } } }'),
    ),
    ['error destination-twice a spec.operatorSpec.configMaps.principalId'],
  ],
  [
    'destination-shared',
    'two objects, one ConfigMap',
    files(
      identity('a', exportTo('configMaps', '{ clientId: { name: c, key: a } }')),
      identity('b', exportTo('configMaps', '{ clientId: { name: c, key: b } }')),
    ),
    ['error destination-shared b spec.operatorSpec.configMaps.clientId'],
    files(
      identity('a', exportTo('configMaps', '{ clientId: { name: c, key: a } }')),
      identity('b', exportTo('secrets', '{ clientId: { name: c, key: a } }')),
    ),
  ],
  [
    'destination-taken',
    'a Secret of the files',
    files(secret('s', 'a: b'), identity('a', exportTo('secrets', '{ clientId: { name: s, key: k } }'))),
    ['error destination-taken a spec.operatorSpec.secrets.clientId'],
    files(secret('t', 'a: b'), identity('a', exportTo('secrets', '{ clientId: { name: s, key: k } }'))),
  ],
  [
    'destination-taken',
    'a Secret of the files, once for all its keys',
    files(secret('s', 'a: b'), identity('a', exportTo('secrets', '{ clientId: { name: s, key: k }, tenantId: { name: s, key: t } }'))),
    ['error destination-taken a spec.operatorSpec.secrets.clientId'],
    identity('a', exportTo('secrets', '{ clientId: { name: s, key: k }, tenantId: { name: s, key: t } }')),
  ],
  [
    'value-key',
    'a pod, a key that no export writes',
    files(identity('id', exportTo('configMaps', '{ clientId: { name: c, key: client } }')), pod('configMapKeyRef', 'c', 'clientId')),
    ['error value-key web spec.containers[0].env[0].valueFrom.configMapKeyRef'],
    files(identity('id', exportTo('configMaps', '{ clientId: { name: c, key: client } }')), pod('configMapKeyRef', 'c', 'client')),
    files(
      identity('id', exportTo('configMaps', '{ clientId: { name: c, key: client } }')),
      pod('configMapKeyRef', 'c', 'clientId', ', optional: true'),
    ),
    files(identity('id', exportTo('configMapExpressions', '[{ name: c, value: "{}" }]')), pod('configMapKeyRef', 'c', 'any')),
    pod('configMapKeyRef', 'elsewhere', 'any'),
  ],
  [
    'value-key',
    'a server, a key that the Secret of the files lacks',
    files(secret('s', 'password: x'), user('dbforpostgresql', LOCAL)),
    ['error value-key u spec.localUser.serverAdminPassword', 'error value-key u spec.localUser.password'],
    files(secret('s', 'k: x'), user('dbforpostgresql', LOCAL)),
  ],
  [
    'value-namespace',
    'a pod in another namespace',
    files(
      identity('id', exportTo('configMaps', '{ clientId: { name: id-outputs, key: clientId } }')),
      pod('configMapKeyRef', 'id-outputs', 'clientId').replace('namespace: shop', 'namespace: other'),
    ),
    ['error value-namespace web spec.containers[0].env[0].valueFrom.configMapKeyRef'],
    files(
      identity('id', exportTo('configMaps', '{ clientId: { name: id-outputs, key: clientId } }')),
      pod('configMapKeyRef', 'id-outputs', 'clientId'),
    ),
  ],
  [
    'key-switched-off',
    'keys of an account without keys, by name and in an expression',
    account('shop4711', ', allowSharedKeyAccess: false, operatorSpec: { secrets: { key1: { name: keys, key: a }, blobEndpoint: { name: keys, key: b } }, secretExpressions: [{ name: more, key: c, value: \'"AccountKey=" + secret.key2\' }] }'),
    ['error key-switched-off shop4711 spec.operatorSpec.secrets.key1', 'error key-switched-off shop4711 spec.operatorSpec.secretExpressions[0].value'],
    account('shop4711', `, allowSharedKeyAccess: true${exported('key1')}`),
    account('shop4711', exported('key1')),
    account('shop4711', `, allowSharedKeyAccess: false${exported('blobEndpoint')}`),
    account('shop4711', `, allowSharedKeyAccess: false${exported('key1')}`, annotated(`${P}/reconcile-policy`, 'skip')),
  ],
  [
    'key-switched-off',
    'of an owner',
    files(bus(', disableLocalAuth: true'), busRule('{ name: shopbus }'), topic, topicRule),
    [
      'error key-switched-off send spec.operatorSpec.secrets.primaryKey',
      'error key-switched-off send spec.operatorSpec.secrets.primaryConnectionString',
    ],
    files(bus(', disableLocalAuth: true'), busRule('{ name: shopbus }', '')),
    files(bus(', disableLocalAuth: false'), busRule('{ name: shopbus }')),
    files(bus(', disableLocalAuth: true'), bus('', 'another'), busRule('{ name: another }')),
  ],
  [
    'key-switched-off',
    'of an owner by ARM id',
    files(bus(', disableLocalAuth: true'), busRule(`{ armId: ${BUS_ID}/ShopBus }`)),
    ['error key-switched-off send spec.operatorSpec.secrets.primaryKey'],
    files(bus(', disableLocalAuth: true'), busRule(`{ armId: ${BUS_ID}/another }`)),
    // The namespace of the files is in another subscription than the one that the id names.
    files(secret('aso-credential', KEYS.replace(S, OTHER)), rg(), bus(', disableLocalAuth: true'), busRule(`{ armId: ${BUS_ID}/shopbus }`, exported('primaryKey'), annotated(`${P}/credential-from`, 'own'))),
  ],
  [
    'key-switched-off',
    'of an API for NoSQL',
    cosmos(`, disableLocalAuth: true${exported('primaryMasterKey', 'documentEndpoint')}`),
    ['error key-switched-off shopcosmos spec.operatorSpec.secrets.primaryMasterKey'],
    cosmos(`, kind: MongoDB, disableLocalAuth: true${exported('primaryMasterKey')}`),
    cosmos(`, capabilities: [{ name: EnableCassandra }], disableLocalAuth: true${exported('primaryMasterKey')}`),
    cosmos(`, disableKeyBasedMetadataWriteAccess: true${exported('primaryMasterKey')}`),
  ],
  ...([
    ['apimanagement.azure.com/v1api20240501', 'Subscription', 'displayName: a, scope: /apis', 'state: suspended', 'state: active', 'primaryKey'],
    ['appconfiguration.azure.com/v20240601', 'ConfigurationStore', 'location: uksouth, sku: { name: standard }', 'disableLocalAuth: true', 'disableLocalAuth: false', 'primaryConnectionString'],
    ['cache.azure.com/v1api20241101', 'Redis', 'location: uksouth, sku: { name: Basic, family: C, capacity: 0 }', 'disableAccessKeyAuthentication: true', 'disableAccessKeyAuthentication: false', 'primaryKey'],
    ['cache.azure.com/v1api20250401', 'RedisEnterpriseDatabase', '', 'accessKeysAuthentication: Disabled', 'accessKeysAuthentication: Enabled', 'secondaryKey'],
    ['cognitiveservices.azure.com/v1api20250601', 'Account', 'location: uksouth, kind: OpenAI, sku: { name: S0 }', 'properties: { disableLocalAuth: true }', 'properties: { disableLocalAuth: false }', 'key1'],
    ['containerservice.azure.com/v1api20250801', 'ManagedCluster', 'location: uksouth, dnsPrefix: shop, aadProfile: { managed: true }', 'disableLocalAccounts: true', 'disableLocalAccounts: false', 'adminCredentials'],
    ['devices.azure.com/v1api20210702', 'IotHub', 'location: uksouth, sku: { name: S1, capacity: 1 }', 'properties: { disableLocalAuth: true }', 'properties: { disableLocalAuth: false }', 'iotHubOwnerPrimaryKey'],
    ['eventhub.azure.com/v1api20240101', 'Namespace', 'location: uksouth, sku: { name: Standard }', 'disableLocalAuth: true', 'disableLocalAuth: false', 'primaryConnectionString'],
    ['operationalinsights.azure.com/v20250701', 'Workspace', 'location: uksouth', 'features: { disableLocalAuth: true }', 'features: { disableLocalAuth: false }', 'primarySharedKey'],
    ['search.azure.com/v1api20231101', 'SearchService', 'location: uksouth, sku: { name: basic }', 'disableLocalAuth: true', 'disableLocalAuth: false', 'queryKey'],
    ['signalrservice.azure.com/v1api20240301', 'SignalR', 'location: uksouth, sku: { name: Standard_S1 }', 'disableLocalAuth: true', 'disableLocalAuth: false', 'primaryKey'],
  ] as const).map(([apiVersion, kind, spec, off, on, key]): typeof table[number] => {
    const made = (setting: string, more: string) => doc(apiVersion, kind, 'shop4711', `{ owner: { name: rg }${spec === '' ? '' : `, ${spec}`}, ${setting}${more} }`);
    return ['key-switched-off', `${kind}: ${off}`, made(off, exported(key)), [`error key-switched-off shop4711 spec.operatorSpec.secrets.${key}`],
      made(on, exported(key)), made(off, ''), ...(kind === 'ManagedCluster' ? [made(off, exported('userCredentials'))] : [])];
  }),
  [
    'export-switched-off',
    'an issuer of a cluster without one, and the principal of an identity that others own',
    cluster('oidcIssuerProfile: { name: a, key: b }, principalId: { name: a, key: c }', '', ', oidcIssuerProfile: { enabled: false }, identity: { type: UserAssigned, userAssignedIdentities: [{ reference: { armId: /subscriptions/x/resourceGroups/y } }] }'),
    ['error export-switched-off aks spec.operatorSpec.configMaps.oidcIssuerProfile', 'error export-switched-off aks spec.operatorSpec.configMaps.principalId'],
    cluster('oidcIssuerProfile: { name: a, key: b }, principalId: { name: a, key: c }'),
  ],
  [
    'export-switched-off',
    'an endpoint that the kind of an account does not have',
    account('shop4711', ', operatorSpec: { configMaps: { queueEndpoint: { name: a, key: b }, fileEndpoint: { name: a, key: c } } }').replace('StorageV2', 'FileStorage').replace('Standard_LRS', 'Premium_LRS'),
    ['error export-switched-off shop4711 spec.operatorSpec.configMaps.queueEndpoint'],
    account('shop4711', ', operatorSpec: { configMaps: { queueEndpoint: { name: a, key: b } } }'),
  ],
  [
    'export-switched-off',
    'the host name of an app without ingress',
    doc('app.azure.com/v20250101', 'ContainerApp', 'web', '{ location: uksouth, owner: { name: rg }, operatorSpec: { configMaps: { fqdn: { name: a, key: b } } } }'),
    ['error export-switched-off web spec.operatorSpec.configMaps.fqdn'],
    doc('app.azure.com/v20250101', 'ContainerApp', 'web', '{ location: uksouth, owner: { name: rg }, configuration: { ingress: { targetPort: 80 } }, operatorSpec: { configMaps: { fqdn: { name: a, key: b } } } }'),
  ],
  [
    'secret-expression',
    'a secret in a ConfigMap',
    identity('a', exportTo('configMapExpressions', '[{ name: c, key: k, value: "secret.clientId" }]')),
    ['warning secret-expression a spec.operatorSpec.configMapExpressions[0].value'],
    identity('a', exportTo('secretExpressions', '[{ name: c, key: k, value: "secret.clientId" }]')),
  ],
  [
    'secret-expression',
    'a secret by index',
    identity('a', exportTo('secretExpressions', '[{ name: c, key: k, value: "secret[\'clientId\']" }]')),
    ['warning secret-expression a spec.operatorSpec.secretExpressions[0].value'],
  ],
  [
    'expression',
    'no such field',
    identity('a', exportTo('configMapExpressions', '[{ name: c, key: k, value: "self.nope" }]')),
    ['error expression a spec.operatorSpec.configMapExpressions[0].value'],
    identity('a', exportTo('configMapExpressions', '[{ name: c, key: k, value: "self.spec.location" }]')),
  ],
  [
    'expression',
    'a text without key',
    identity('a', exportTo('configMapExpressions', '[{ name: c, value: "self.spec.location" }]')),
    ['error expression a spec.operatorSpec.configMapExpressions[0]'],
  ],
  ['object-name', 'upper case', rg('Shop'), ['error object-name Shop metadata.name'], rg('shop.a-1')],
  ['duplicate-object', 'twice', files(rg(), rg()), ['error duplicate-object rg metadata.name'], files(rg(), rg().replace('shop', 'other'))],
  [
    'object-metadata',
    'a label with a space',
    rg('a', 'labels: { team: "check out" }'),
    ['error object-metadata a metadata.labels.team'],
    rg('a', 'labels: { team: "check_out", "shop.example.com/tier": "" }'),
  ],
  [
    'object-metadata',
    'an annotation with two slashes',
    rg('a', 'annotations: { "a/b/c": x }'),
    ["error object-metadata a metadata.annotations['a/b/c']"],
    rg('a', 'annotations: { "Shop.example.com/Note": "any text" }'),
  ],
  [
    'object-metadata',
    'a value that Flux fills in later is not known',
    rg('a', 'labels: { team: "$ {x}" }'),
    ['error object-metadata a metadata.labels.team'],
    rg('a', 'labels: { team: "${TEAM}", "${KEY}": a, id: "${ID:=x}-1" }'),
  ],
  [
    'duplicate-object',
    'a kind that is not of Azure is not concerned',
    files(addon('a'), addon('b'), rg(), rg()),
    ['error duplicate-object rg metadata.name'],
    files(addon('a'), addon('b'), rg()),
  ],
  [
    'azure-name-taken',
    'one name under one owner',
    files(account('a', ', azureName: data'), account('b', ', azureName: DATA')),
    ['error azure-name-taken b spec.azureName'],
    files(account('a'), account('b')),
  ],
  [
    'azure-name-taken',
    'perhaps one subscription',
    files(rg(), rg().replace('shop', 'other')),
    ['warning azure-name-taken rg spec.azureName'],
    files(
      rg(),
      secret('aso-credential', KEYS),
      rg().replace('shop', 'other'),
      secret('aso-credential', KEYS.replace('1111', '9999')).replace('shop', 'other'),
    ),
  ],
  [
    'global-name-taken',
    'in two resource groups',
    files(rg(), rg('rh'), account('a', ', azureName: data'), account('b', ', azureName: data', '', '{ name: rh }')),
    ['error global-name-taken b spec.azureName'],
    files(rg(), rg('rh'), account('a'), account('b', '', '', '{ name: rh }')),
  ],
  [
    'write-once',
    'another name',
    rg('rg', annotated(`${P}/resource-id`, `/subscriptions/${S}/resourceGroups/old`)),
    [`error write-once rg metadata.annotations['${P}/resource-id']`],
    rg('rg', annotated(`${P}/resource-id`, `/subscriptions/${S}/resourceGroups/RG`)),
  ],
  [
    'reconcile-policy',
    'capital letter',
    rg('rg', annotated(`${P}/reconcile-policy`, 'Skip')),
    [`error reconcile-policy rg metadata.annotations['${P}/reconcile-policy']`],
    rg('rg', annotated(`${P}/reconcile-policy`, 'skip')),
  ],
  [
    'credential-from',
    'with namespace',
    rg('rg', annotated(`${P}/credential-from`, 'x/y')),
    [`error credential-from rg metadata.annotations['${P}/credential-from']`],
    rg('rg', annotated(`${P}/credential-from`, 'login')),
  ],
  [
    'credential-missing',
    'not in the files',
    rg('rg', annotated(`${P}/credential-from`, 'login')),
    [`info credential-missing rg metadata.annotations['${P}/credential-from']`],
    files(secret('login', KEYS), rg('rg', annotated(`${P}/credential-from`, 'login'))),
  ],
  [
    'credential-secret',
    'two keys missing',
    secret('aso-credential', `AZURE_SUBSCRIPTION_ID: ${S}`),
    ['error credential-secret aso-credential stringData', 'error credential-secret aso-credential stringData'],
    secret('aso-credential', KEYS),
    secret('other', 'a: b'),
  ],
  [
    'credential-secret',
    'part of a cloud, and no way to log in',
    secret('aso-credential', `${KEYS}, AZURE_AUTHORITY_HOST: h, AUTH_MODE: magic`),
    ['error credential-secret aso-credential stringData', 'error credential-secret aso-credential stringData.AUTH_MODE'],
    secret('aso-credential', `${KEYS}, AUTH_MODE: workloadidentity`),
  ],
  [
    'unknown-annotation',
    'misspelt',
    rg('rg', annotated(`${P}/reconcile-polcy`, 'skip')),
    [`warning unknown-annotation rg metadata.annotations['${P}/reconcile-polcy']`],
    rg('rg', annotated('x/y', 'z')),
  ],
  [
    'runtime-annotation',
    'copied',
    rg('rg', annotated(`${P}/poller-resume-token`, '{}')),
    [`warning runtime-annotation rg metadata.annotations['${P}/poller-resume-token']`],
    rg(),
  ],
  [
    'argocd-replace',
    'on the object',
    rg('rg', annotated('argocd.argoproj.io/sync-options', 'Prune=false,Replace=true')),
    ["warning argocd-replace rg metadata.annotations['argocd.argoproj.io/sync-options']"],
    rg('rg', annotated('argocd.argoproj.io/sync-options', 'Replace=false')),
  ],
  [
    'argocd-replace',
    'on the Application',
    files(rg(), doc('argoproj.io/v1alpha1', 'Application', 'app', '{ syncPolicy: { syncOptions: [CreateNamespace=true, Replace=true] } }')),
    ['warning argocd-replace app spec.syncPolicy.syncOptions[1]'],
  ],
  [
    'communication-domain',
    'another name',
    domain('mail', 'AzureManaged'),
    ['error communication-domain mail spec.azureName'],
    domain('mail', 'CustomerManaged'),
    domain('azuremanageddomain', 'AzureManaged'),
  ],
  ['communication-sender', 'another name', sender('letters'), ['error communication-sender news spec.username'], sender('News')],
  [
    'dns-address',
    'in a public zone, the second of two',
    aRecord('DnsZonesARecord', 'v1api20180501', 'ARecords: [{ ipv4Address: 10.0.0.8 }, { ipv4Address: 10.0.0.256 }]'),
    ['error dns-address www spec.ARecords[1].ipv4Address'],
    aRecord('DnsZonesARecord', 'v1api20180501', 'ARecords: [{ ipv4Address: 10.0.0.8 }, { ipv4Address: 255.255.255.255 }]'),
    aRecord('DnsZonesARecord', 'v1api20180501', 'ARecords: [{}]'),
  ],
  [
    'dns-address',
    'in a private zone',
    aRecord('PrivateDnsZonesARecord', 'v1api20240601', 'aRecords: [{ ipv4Address: www.contoso.com }]'),
    ['error dns-address www spec.aRecords[0].ipv4Address'],
    aRecord('PrivateDnsZonesARecord', 'v1api20240601', 'aRecords: [{ ipv4AddressFromConfig: { name: a, key: b } }]'),
  ],
  [
    'mysql-user',
    'both',
    user('dbformysql', `${LOCAL}, aadUser: { serverAdminUsername: a }`),
    ['error mysql-user u spec.aadUser'],
    user('dbformysql', LOCAL),
  ],
  ['mysql-user', 'neither', user('dbformysql', 'hostname: h'), ['error mysql-user u spec']],
  [
    'mysql-user-alias',
    'long name',
    user('dbformysql', `azureName: ${'x'.repeat(33)}, aadUser: { serverAdminUsername: a }`),
    ['error mysql-user-alias u spec.aadUser.alias'],
    user('dbformysql', `azureName: ${'x'.repeat(33)}, aadUser: { serverAdminUsername: a, alias: b }`),
  ],
  [
    'sql-user-characters',
    'in name and role',
    user('sql', `azureName: "a;b", roles: [db_owner, "x'y"], ${LOCAL}`),
    ['error sql-user-characters u spec.azureName', 'error sql-user-characters u spec.roles[1]'],
    user('sql', LOCAL),
  ],
  [
    'security-group-type',
    'enabled',
    doc('entra.azure.com/v1', 'SecurityGroup', 'g', '{ displayName: g, mailNickname: g, membershipType: enabled }'),
    ['warning security-group-type g spec.membershipType'],
    doc('entra.azure.com/v1', 'SecurityGroup', 'g', '{ displayName: g, mailNickname: g, membershipType: assigned }'),
  ],
  [
    'no-delete',
    'a blob service',
    doc('storage.azure.com/v20250601', 'StorageAccountsBlobService', 'b', '{ owner: { name: a } }'),
    ['info no-delete b'],
    doc(
      'storage.azure.com/v20250601',
      'StorageAccountsBlobService',
      'b',
      '{ owner: { name: a } }',
      annotated(`${P}/reconcile-policy`, 'detach-on-delete'),
    ),
  ],
  ['role-scope', 'a whole subscription', role('r', '', `{ armId: /subscriptions/${S} }`), ['info role-scope r spec.owner'], role('r')],
  [
    'role-scope',
    'a whole subscription, with a slash at its end',
    role('r', '', `{ armId: /subscriptions/${S}/ }`),
    ['info role-scope r spec.owner'],
    role('r', '', `{ armId: /subscriptions/${S}/resourceGroups/rg/ }`),
  ],
  [
    'role-scope',
    'a management group',
    role('r', '', '{ armId: /providers/Microsoft.Management/managementGroups/m }'),
    ['info role-scope r spec.owner'],
  ],
  [
    'role-wider-than-resource',
    'blobs of a resource group',
    role('r', '', undefined, 'wellKnownName: Storage Blob Data Reader'),
    ['info role-wider-than-resource r spec.owner'],
    role('r', '', '{ group: storage.azure.com, kind: StorageAccount, name: a }', 'wellKnownName: Storage Blob Data Reader'),
    role('r'),
  ],
  [
    'role-unknown',
    'a misspelt built-in role',
    role('r', '', undefined, 'wellKnownName: Storage Blob Data Raeder'),
    ['warning role-unknown r spec.roleDefinitionReference.wellKnownName'],
    role('r', '', undefined, 'wellKnownName: storage account contributor'),
    role('r'),
  ],
  [
    'role-privileged',
    'Owner',
    role('r', '', undefined, 'wellKnownName: owner'),
    ['info role-privileged r spec.roleDefinitionReference'],
    role('r', ', condition: c', undefined, 'wellKnownName: Owner'),
    role('r'),
  ],
  [
    'role-name-taken',
    'one UUID',
    files(role('r', `, azureName: ${S}`), role('q', `, azureName: ${S}`, `{ armId: /subscriptions/${S} }`)),
    ['error role-name-taken q spec.azureName'],
    files(role('r'), role('q')),
  ],
  [
    'role-assignment-twice',
    'one grant',
    files(role('r', ', principalId: p'), role('q', ', principalId: P')),
    ['error role-assignment-twice q'],
    files(role('r', ', principalId: p'), role('q', ', principalId: o')),
    files(role('r', ', principalId: p'), role('q', ', principalId: p', undefined, 'wellKnownName: Contributor')),
  ],
  [
    'principal-client-id',
    'the client id of an identity as principal',
    files(identity('id', ', operatorSpec: { configMaps: { clientId: { name: ids, key: client } } }'), role('r', ', principalIdFromConfig: { name: ids, key: client }')),
    ['error principal-client-id r spec.principalIdFromConfig'],
    files(identity('id', ', operatorSpec: { configMaps: { principalId: { name: ids, key: principal } } }'), role('r', ', principalIdFromConfig: { name: ids, key: principal }')),
  ],
  [
    'acr-pull-control-plane',
    'the identity of the control plane pulls',
    files(cluster('principalId: { name: ids, key: principal }'), role('r', PRINCIPAL, `{ armId: ${REGISTRY} }`, 'wellKnownName: AcrPull')),
    ['warning acr-pull-control-plane r spec.principalIdFromConfig'],
    files(cluster('principalId: { name: ids, key: control-plane }'), role('r', PRINCIPAL, `{ armId: ${REGISTRY} }`, 'wellKnownName: AcrPull')),
    files(cluster('principalId: { name: ids, key: principal }'), role('r', PRINCIPAL, `{ armId: ${REGISTRY} }`, 'wellKnownName: AcrPush')),
  ],
  [
    'federated-issuer-elsewhere',
    'the service account of the files that create the cluster',
    files(cluster('oidcIssuerProfile: { name: ids, key: issuer }'), federated('fic', 'system:serviceaccount:shop:web', 'id', ISSUER), doc('v1', 'ServiceAccount', 'web', '')),
    ['info federated-issuer-elsewhere fic spec.issuerFromConfig'],
    files(cluster('oidcIssuerProfile: { name: ids, key: issuer }'), federated('fic', 'system:serviceaccount:shop:web', 'id', ISSUER)),
    files(cluster('oidcIssuerProfile: { name: ids, key: issuer }'), federated('fic', 'system:serviceaccount:shop:web'), doc('v1', 'ServiceAccount', 'web', '')),
    files(cluster('oidcIssuerProfile: { name: ids, key: issuer }', annotated(`${P}/reconcile-policy`, 'skip')), federated('fic', 'system:serviceaccount:shop:web', 'id', ISSUER), doc('v1', 'ServiceAccount', 'web', '')),
  ],
  [
    'administrator-password',
    'a password of one kind of characters',
    files(passwordSecret('shopshop'), server),
    ['error administrator-password pg spec.administratorLoginPassword'],
    files(passwordSecret('Shop-2026'), server),
    files(passwordSecret('${PASSWORD}'), server),
  ],
  [
    'private-dns-registration-taken',
    'two zones of a network',
    files(registration('l1', 'net'), registration('l2', 'net')),
    ['error private-dns-registration-taken l2 spec.registrationEnabled'],
    files(registration('l1', 'net'), registration('l2', 'other')),
  ],
  [
    'role-name-in-other-clusters',
    'generated name',
    role('r'),
    ['info role-name-in-other-clusters r spec.azureName'],
    role('r', `, azureName: ${S}`),
    role('r', ', operatorSpec: { namingConvention: random }'),
  ],
  [
    'federated-credential-limit',
    'the 21st and 22nd',
    files(...Array.from({ length: 22 }, (_, i) => federated(`fic-${i}`, `s${i}`))),
    ['error federated-credential-limit fic-20 spec.owner', 'error federated-credential-limit fic-21 spec.owner'],
    files(...Array.from({ length: 30 }, (_, i) => federated(`fic-${i}`, `s${i}`, `id${i % 2}`))),
  ],
  [
    'federated-credential-twice',
    'one subject',
    files(federated('fic-a', 's'), federated('fic-b', 's')),
    ['error federated-credential-twice fic-b spec.subject'],
    files(federated('fic-a', 's'), federated('fic-b', 't')),
    files(federated('fic-a', 's'), federated('fic-b', 's', 'other')),
  ],
  [
    'credential-role-too-narrow',
    'a reader is to create',
    files(credential(`Reader @ /subscriptions/${S}`), rg()),
    ['warning credential-role-too-narrow rg'],
    files(credential(`Contributor @ /subscriptions/${S}`), rg()),
    files(credential(`Reader @ /subscriptions/${S}`), rg('rg', annotated(`${P}/reconcile-policy`, 'skip'))),
    files(credential(`33333333-2222-3333-4444-555555555555 @ /subscriptions/${S}`), rg()),
    files(secret('aso-credential', KEYS), rg()),
  ],
  [
    'credential-subscription',
    'the owner is elsewhere',
    files(secret('aso-credential', KEYS), account('a', '', '', `{ armId: /subscriptions/${OTHER}/resourceGroups/rg }`)),
    ['error credential-subscription a spec.owner'],
    files(secret('aso-credential', KEYS), account('a', '', '', `{ armId: /subscriptions/${S}/resourceGroups/rg }`)),
    account('a', '', '', `{ armId: /subscriptions/${OTHER}/resourceGroups/rg }`),
    files(secret('aso-credential', KEYS.replace(S, '"$(SUBSCRIPTION)"')), account('a', '', '', `{ armId: /subscriptions/${OTHER}/resourceGroups/rg }`)),
  ],
  [
    'credential-subscription',
    'the owner of the owner is elsewhere',
    files(secret('aso-credential', KEYS), account('a', '', '', `{ armId: /subscriptions/${OTHER}/resourceGroups/rg }`), blobs('{ name: a }')),
    ['error credential-subscription a spec.owner', 'error credential-subscription blobs spec.owner'],
    files(
      secret('aso-credential', KEYS), secret('other', KEYS.replace(S, OTHER)),
      account('a', '', annotated(`${P}/credential-from`, 'other'), `{ armId: /subscriptions/${OTHER}/resourceGroups/rg }`),
    ),
  ],
  [
    'credential-federation',
    'strict, and the namespace is not trusted',
    files(STRICT, credential('', 'shop/id'), identity('id'), federated('fic', 's'), rg()),
    ['warning credential-federation id', 'warning credential-federation fic', 'warning credential-federation rg'],
    files(STRICT, credential('', 'shop/id'), identity('id'), federated('fic', '"system:serviceaccount:shop:aso-workload"'), rg()),
    files(credential('', 'shop/id'), identity('id'), federated('fic', 's'), rg()),
  ],
  [
    'data-unprotected',
    'nothing said',
    account('a'),
    ['warning data-unprotected a'],
    account('a', '', annotated(`${P}/reconcile-policy`, 'manage')),
    account('a', '', 'finalizers: [mine/keep]'),
    account('a', '', annotated('helm.sh/resource-policy', 'keep')),
    rg(),
    files(
      `apiVersion: v1\nkind: Namespace\nmetadata: { name: shop, ${annotated(`${P}/reconcile-policy`, 'detach-on-delete')} }\n`,
      account('a'),
    ),
  ],
  [
    'owner-unprotected',
    'the group goes, the data should stay',
    files(rg(), account('a', '', annotated(`${P}/reconcile-policy`, 'detach-on-delete'))),
    ['info owner-unprotected rg'],
    files(rg('rg', annotated(`${P}/reconcile-policy`, 'skip')), account('a', '', annotated(`${P}/reconcile-policy`, 'detach-on-delete'))),
    files(rg(), account('a')),
  ],
];

export const MISTAKES: readonly Mistake[] = table.map(([rule, what, wrong, expected, ...right]) => ({
  rule,
  what,
  wrong,
  expected,
  right,
}));
