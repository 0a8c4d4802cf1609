import { mistakes } from './mistake';

const ACCOUNT = (more: string, scope = 'chart') => `new storage.StorageAccount(${scope}, 'x', { ...sa, azureName: 'x123', ${more} });`;
const IDENTITY = (more: string) => `new managedidentity.UserAssignedIdentity(chart, 'x', { ...base, ${more} });`;
const OLD = (release: string, ...code: string[]) =>
  [
    "const old = new Chart(app, 'old', { namespace: 'shop', disableResourceNameHashes: true });",
    `AsoRelease.${release}.applyTo(old);`,
    ...code,
  ].join('\n');
const POLICY = (value: string) => `metadata: { annotations: { 'serviceoperator.azure.com/reconcile-policy': '${value}' } }`;
const TAGS = (count: number) =>
  `for (let i = 0; i < ${count}; i++) Tags.of(chart).add(\`tag-\${i}\`, 'x');\n${IDENTITY("tags: { own: 'x' }")}`;
const BLOBS = (policy: string) =>
  `new storage.StorageAccountsBlobService(chart, 'x', { owner: account, restorePolicy: { enabled: false, ${policy} } });`;
const A_RECORD = (ipv4Address: string) =>
  `new network.PrivateDnsZonesARecord(chart, 'x', { owner: network.PrivateDnsZone.fromName('zone'), aRecords: [{ ipv4Address: '${ipv4Address}' }] });`;
const WATCHER = "new network.NetworkWatcher(old, 'x', { owner: resources.ResourceGroup.fromName('group'), location: 'uksouth' });";

/** Values, policies, versions. */
export const VALUES = mistakes('synth', [
  ['a number that is too small', 'docs/spec/webhooks.md#schema', 'is too small; at least 1', BLOBS('days: 0'), BLOBS('days: 1')],
  ['a number that is too large', 'docs/spec/webhooks.md#schema', 'is too large; at most 365', BLOBS('days: 366'), BLOBS('days: 365')],
  ['a number with a fraction', 'docs/spec/webhooks.md#schema', 'has to be a whole number', BLOBS('days: 1.5'), BLOBS('days: 2')],
  [
    'a policy that does not exist',
    'docs/spec/deletion.md#policies',
    "'Skip' is not a policy",
    IDENTITY(POLICY('Skip')),
    IDENTITY(POLICY('skip')),
  ],
  [
    'two policies for one object',
    'docs/spec/deletion.md#policies',
    'contradicts the annotation',
    IDENTITY(`reconcilePolicy: ReconcilePolicy.MANAGE, ${POLICY('skip')}`),
    IDENTITY('reconcilePolicy: ReconcilePolicy.MANAGE'),
  ],
  [
    'a removal policy against the reconcile policy',
    'docs/spec/deletion.md#policies',
    "'retain' and the reconcile policy 'manage' contradict each other",
    IDENTITY('removalPolicy: RemovalPolicy.RETAIN, reconcilePolicy: ReconcilePolicy.MANAGE'),
    IDENTITY('removalPolicy: RemovalPolicy.RETAIN'),
  ],
  [
    'changes of a property that does not exist',
    'docs/spec/reconcile.md#ignored-changes',
    "has no property 'tag'. Did you mean 'tags'?",
    IDENTITY("ignoreChanges: ['tag']"),
    IDENTITY("ignoreChanges: ['tags']"),
  ],
  [
    'changes of what cannot change',
    'docs/spec/reconcile.md#ignored-changes',
    "changes of 'owner' cannot be ignored",
    IDENTITY("ignoreChanges: ['owner']"),
    IDENTITY("ignoreChanges: ['tags']"),
  ],
  [
    'an A record without an IPv4 address',
    'docs/spec/webhooks.md#schema',
    'is no IPv4 address',
    A_RECORD('10.0.0.256'),
    A_RECORD('10.0.0.255'),
  ],
  ['more tags than Azure takes', 'docs/spec/names.md#tags', 'Azure takes at most 50', TAGS(50), TAGS(49)],
  [
    'a property given twice',
    'docs/spec/webhooks.md#schema',
    'is given twice, here and in additionalSpec',
    ACCOUNT("additionalSpec: { location: 'ukwest' }"),
    ACCOUNT('additionalSpec: { somethingNew: true }'),
  ],
  [
    "a property that the cluster's ASO does not know yet",
    'docs/spec/webhooks.md#conversion',
    'v2.18.0 is the first release that has it',
    OLD('V2_4_0', ACCOUNT("owner: resources.ResourceGroup.fromName('group'), enableExtendedGroups: true", 'old')),
    OLD('V2_18_0', ACCOUNT("owner: resources.ResourceGroup.fromName('group'), enableExtendedGroups: true", 'old')),
  ],
  [
    "a kind that the cluster's ASO does not know yet",
    'docs/spec/webhooks.md#conversion',
    'v2.16.0',
    OLD('V2_10_0', WATCHER),
    OLD('V2_16_0', WATCHER),
  ],
]);
