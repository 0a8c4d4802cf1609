import { mistakes } from './mistake';

const ACCOUNT = (more: string, id = 'x') => `new storage.StorageAccount(chart, '${id}', { ...sa, ${more} });`;
const NAMED = (name: string, id = 'x') => ACCOUNT(`azureName: '${name}'`, id);
const GROUP = (more: string, id = 'x') => `new resources.ResourceGroup(chart, '${id}', { location: 'uksouth', ${more} });`;
const QUEUE = (name: string) => `new servicebus.NamespacesQueue(chart, 'x', { owner: servicebus.Namespace.fromName('bus'), azureName: '${name}' });`;
const VAULT = (name: string) => `new keyvault.Vault(chart, 'x', { ...base, azureName: '${name}', properties: { tenantId: UUID, sku: { family: keyvault.SkuFamily.A, name: keyvault.SkuName.STANDARD }, enableRbacAuthorization: true } });`;
const ROLE = (id: string, more: string, scope = 'chart', owner = 'account') =>
  `new authorization.RoleAssignment(${scope}, '${id}', { owner: ${owner}, roleDefinitionReference: BuiltInRole.READER, ${more} });`;
const P = 'principalId: UUID';
const Q = 'principalId: SUBSCRIPTION';
const AT = 'AzureReference.fromArmId(\'/subscriptions/s/resourceGroups/g\')';
const lines = (...code: string[]) => code.join('\n');

/** Names, in Kubernetes and in Azure. */
export const NAMES = mistakes('synth', [
  [
    "a name that Azure does not take, made from the construct's id",
    'docs/spec/webhooks.md#defaulting',
    'for want of an azureName: give azureName',
    "new storage.StorageAccount(chart, 'shop-data', sa);",
    "new storage.StorageAccount(chart, 'shop-data', { ...sa, azureName: 'shopdata2' });",
  ],
  [
    'a name that is too long',
    'docs/spec/webhooks.md#schema',
    'has 25 characters; at most 24 are allowed',
    NAMED('a'.repeat(25)),
    NAMED('a'.repeat(24)),
  ],
  ['a name that is too short', 'docs/spec/webhooks.md#schema', 'at least 3 are needed', NAMED('ab'), NAMED('abc')],
  [
    'a name with a character that is not allowed',
    'docs/spec/webhooks.md#schema',
    'does not match the pattern',
    NAMED('Shop'),
    NAMED('shop'),
  ],
  ['a name with two hyphens in a row', 'docs/spec/names.md#azure-names', 'no two hyphens in a row', VAULT('shop--x'), VAULT('shop-x')],
  [
    'a name with a period at the end',
    'docs/spec/names.md#azure-names',
    'no period last',
    GROUP("azureName: 'shop.'"),
    GROUP("azureName: 'shop'"),
  ],
  ['an ARM id as name', 'docs/spec/names.md#azure-names', "'a/b'", GROUP("azureName: 'a/b'"), GROUP("azureName: 'b'")],
  [
    'the name of a queue with the slash of Service Bus',
    'docs/spec/names.md#azure-names',
    "Write 'eu~orders'",
    QUEUE('eu/orders'),
    QUEUE('eu~orders'),
  ],
  [
    'the name of a role assignment that is no UUID',
    'docs/spec/names.md#generated-uuids',
    '36 characters of a UUID',
    ROLE('x', `${P}, azureName: 'reader'`),
    ROLE('x', `${P}, azureName: UUID`),
  ],
  [
    'an object with capital letters in its name',
    'docs/spec/names.md#unique-names',
    'is not the name of a Kubernetes object',
    GROUP("azureName: 'Shop', metadata: { name: 'Shop' }"),
    GROUP("azureName: 'Shop', metadata: { name: 'shop' }"),
  ],
  [
    'two objects of one name',
    'docs/spec/names.md#unique-names',
    "is also the name of 'shop/group'",
    GROUP("azureName: 'x', metadata: { name: 'shop-group' }"),
    GROUP("azureName: 'x'"),
  ],
  [
    'one Azure name twice under one owner',
    'docs/spec/names.md#unique-names',
    'the two would fight over one Azure resource',
    NAMED('shopdata'),
    NAMED('shopdata2'),
  ],
  [
    'one Azure name twice, with and without capitals',
    'docs/spec/names.md#unique-names',
    'the two would fight over one Azure resource',
    GROUP("azureName: 'Shop-Group'"),
    GROUP("azureName: 'Shop-Group-2'"),
  ],
  [
    'a globally unique name twice, in two resource groups',
    'docs/spec/names.md#unique-names',
    'Azure lets only one resource in the world have it',
    lines(GROUP('', 'g').replace('new', 'const g = new'), ACCOUNT("owner: g, azureName: 'shopdata'")),
    lines(GROUP('', 'g').replace('new', 'const g = new'), ACCOUNT("owner: g, azureName: 'shopdata2'")),
  ],
  [
    'two of a kind of which an owner has one',
    'docs/spec/webhooks.md#defaulting',
    'so its owner can have one only',
    lines(
      "new storage.StorageAccountsBlobService(chart, 'blobs', { owner: account });",
      "new storage.StorageAccountsBlobService(chart, 'x', { owner: account });",
    ),
    "new storage.StorageAccountsBlobService(chart, 'blobs', { owner: account });",
  ],
  [
    'two role assignments with one UUID',
    'docs/spec/names.md#uuid-collisions',
    'has the same Azure name (UUID) as',
    lines(ROLE('reader', `${P}, azureName: UUID`), ROLE('x', `${Q}, azureName: UUID`, 'chart', 'group')),
    lines(ROLE('reader', `${P}, azureName: UUID`), ROLE('x', Q, 'chart', 'group')),
  ],
  [
    'two role assignments with one UUID for metadata.name',
    'docs/spec/names.md#uuid-rules',
    'has the same Azure name (UUID) as',
    lines(
      ROLE('reader', `${P}, metadata: { name: UUID }`, 'chart', AT),
      ROLE('x', `${Q}, metadata: { name: UUID }`, 'other', AT.replace("/g'", "/h'")),
    ),
    lines(
      ROLE('reader', `${P}, metadata: { name: UUID }`, 'chart', AT),
      ROLE('x', `${Q}, metadata: { name: 'reader' }`, 'other', AT.replace("/g'", "/h'")),
    ),
  ],
  [
    'one role twice for one principal',
    'docs/spec/names.md#uuid-collisions',
    'RoleAssignmentExists',
    lines(ROLE('reader', P), ROLE('x', P)),
    lines(ROLE('reader', P), ROLE('x', Q)),
  ],
  [
    'one role twice for one identity',
    'docs/spec/names.md#uuid-collisions',
    'RoleAssignmentExists',
    lines(
      ROLE('reader', 'principalIdFromConfig: identity.outputs.principalId'),
      ROLE('x', 'principalIdFromConfig: identity.outputs.principalId'),
    ),
    lines(
      ROLE('reader', 'principalIdFromConfig: identity.outputs.principalId'),
      ROLE('x', 'principalIdFromConfig: identity.outputs.principalId', 'chart', 'group'),
    ),
  ],
]);
