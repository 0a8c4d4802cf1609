import { converted, differences, synthesized, type Manifest } from './converting';

const account = (annotations: Record<string, string>, spec: object = {}): Manifest => ({
  apiVersion: 'storage.azure.com/v20250601',
  kind: 'StorageAccount',
  metadata: { name: 'data', namespace: 'shop', annotations },
  spec: { kind: 'StorageV2', location: 'uksouth', owner: { name: 'rg' }, sku: { name: 'Standard_LRS' }, ...spec },
});
const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const REMOVAL = 'aso.cdk8s.io/removal-policy';
const IGNORED = 'aso.cdk8s.io/ignore-changes';

test.each<[what: string, annotations: Record<string, string>, prop: string]>([
  ['detach-on-delete', { [POLICY]: 'detach-on-delete' }, 'removalPolicy: RemovalPolicy.RETAIN,'],
  ['manage', { [POLICY]: 'manage' }, 'reconcilePolicy: ReconcilePolicy.MANAGE,'],
  ['skip', { [POLICY]: 'skip' }, 'reconcilePolicy: ReconcilePolicy.SKIP,'],
  [
    'protected: the annotation stays, as the policy that it needs stands elsewhere',
    { [POLICY]: 'detach-on-delete', [REMOVAL]: 'protect' },
    'reconcilePolicy: ReconcilePolicy.DETACH_ON_DELETE,',
  ],
  ['ignored changes', { [IGNORED]: '["tags.team","sku.name"]' }, 'ignoreChanges: ['],
  ['ignored changes of what has dots', { [IGNORED]: '["tags[\\"a.b\\"]"]' }, 'ignoreChanges: ['],
  ['ignored changes in lists', { [IGNORED]: '["networkAcls.ipRules[*].action"]' }, 'ignoreChanges: ['],
])('%s becomes a prop, and the same object', (_, annotations, prop) => {
  const object = account(annotations);
  const { code, notes } = converted([object]);
  expect(code).toContain(prop);
  expect(notes).toEqual([]);
  expect(differences([object], synthesized(code))).toEqual([]);
});

test.each<[what: string, value: string]>([
  ['no list', '{"a":1}'],
  ['no JSON', 'tags'],
  ['an empty list', '[]'],
  ['spaces that would not be written', '["tags", "sku.name"]'],
  ['a path that there is not', '["nothing"]'],
  ['what cannot change', '["owner"]'],
  ['one path twice', '["tags","tags"]'],
])('ignored changes stay an annotation: %s', (_, value) => {
  const object = account({ [IGNORED]: value });
  const { code } = converted([object]);
  expect(code).not.toContain('ignoreChanges');
  expect(code).toContain(IGNORED);
  expect(differences([object], synthesized(code))).toEqual([]);
});

test('a property that has another name in the props', () => {
  const zone: Manifest = {
    apiVersion: 'network.azure.com/v1api20180501',
    kind: 'DnsZonesTXTRecord',
    metadata: { name: 'text', namespace: 'shop', annotations: { [IGNORED]: '["metadata"]' } },
    spec: { owner: { name: 'zone' }, TTL: 60, metadata: { a: 'b' } },
  };
  const { code } = converted([zone]);
  expect(code).toMatch(/ignoreChanges: \[\s*'metadataProperty'/);
  expect(differences([zone], synthesized(code))).toEqual([]);
});

test('a machine that is only taken over needs no password, and has its class', () => {
  const machine: Manifest = {
    apiVersion: 'compute.azure.com/v20220301',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'shop', annotations: { 'aso.cdk8s.io/adopt': 'IfPresent', [POLICY]: 'detach-on-delete' } },
    spec: { azureName: 'vm', location: 'uksouth', osProfile: { adminUsername: 'operator', computerName: 'vm' }, owner: { name: 'rg' } },
  };
  const { code, notes } = converted([machine]);
  expect(code).toContain('new compute.VirtualMachine(');
  expect(notes).toEqual([]);
  expect(differences([machine], synthesized(code))).toEqual([]);
});

test('an unknown policy stays what it is', () => {
  const object = account({ [POLICY]: 'Skip' });
  const { code } = converted([object]);
  expect(code).toContain(`'${POLICY}': 'Skip'`);
  expect(differences([object], synthesized(code))).toEqual([]);
});
