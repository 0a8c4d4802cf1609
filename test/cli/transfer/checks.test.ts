import { afterwards, checkTransfer } from '../../../cli/transfer/checks';
import { copyOf } from '../../../cli/transfer/copies';
import { selectionOf } from '../../../cli/transfer/selection';
import type { CheckOptions } from '../../../cli/transfer/types';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
const FINALIZER = 'serviceoperator.azure.com/finalizer';
const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const encoded = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]));
const now = Date.parse('2026-01-01T00:00:00Z');
const type = (group: string, version: string, kind: string, plural: string): ResourceType =>
  ({ group, version, kind, plural, namespaced: true });
const TYPES = [
  type('resources.azure.com', 'v1api20200601', 'ResourceGroup', 'resourcegroups'),
  type('dbforpostgresql.azure.com', 'v20250801', 'FlexibleServer', 'flexibleservers'),
  type('kubernetesconfiguration.azure.com', 'v1api20241101', 'Extension', 'extensions'),
];

function azure(kind: string, name: string, spec: object = {}, metadata: object = {}): KubernetesObject {
  const { group, version } = TYPES.find((each) => each.kind === kind)!;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, namespace: 'old', uid: name, generation: 1, finalizers: [FINALIZER], ...metadata },
    spec: spec as Record<string, unknown>,
    status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', observedGeneration: 1, lastTransitionTime: '' }] },
  } as KubernetesObject;
}
const owned = (by: string) => ({ ownerReferences: [{ apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', name: by, uid: by }] });
const group = (metadata: object = {}) => azure('ResourceGroup', 'shop', { location: 'uksouth' }, metadata);
const server = (spec: object = {}, metadata: object = {}) => azure('FlexibleServer', 'db', { owner: { name: 'shop' }, ...spec }, { ...owned('shop'), ...metadata });
const core = (kind: string, name: string, namespace: string | undefined, more: object = {}): KubernetesObject =>
  ({ apiVersion: 'v1', kind, metadata: { name, ...(namespace !== undefined && { namespace }) }, ...more });
const lease = core('Lease', 'controllers-leader-election-azinfra-generated', 'operator', {
  spec: { holderIdentity: 'controller', renewTime: '2026-01-01T00:00:00.000000Z' },
});
const credential = (namespace: string, subscription = SUBSCRIPTION) =>
  core('Secret', 'aso-credential', namespace, { data: encoded({ AZURE_SUBSCRIPTION_ID: subscription, AZURE_CLIENT_SECRET: 'x' }) });

/** One cluster of objects, read as a cluster is. */
function reader(objects: readonly KubernetesObject[], forbidden: readonly string[] = [], types = TYPES): CheckOptions['from'] {
  const refuse = ({ plural }: ResourceType) => {
    if (forbidden.includes(plural)) throw new KubernetesError(403, 'Forbidden', `you may not read ${plural}`);
  };
  return {
    discovery: async () => ({ types, failed: [] }) as never,
    list: async (of) => {
      refuse(of);
      return { resourceVersion: '1', items: objects.filter(({ kind }) => kind === of.kind) };
    },
    get: async (of, name, namespace) => {
      refuse(of);
      return objects.find(({ kind, metadata }) => kind === of.kind && metadata.name === name && metadata.namespace === namespace);
    },
  };
}

const base = [core('Namespace', 'new', undefined), lease, credential('old'), credential('new')];

interface Setting extends Partial<CheckOptions> {
  readonly cluster?: readonly KubernetesObject[];
  readonly selected?: readonly KubernetesObject[];
  readonly forbidden?: readonly string[];
  readonly types?: ResourceType[];
}

async function found(all: readonly KubernetesObject[], more: Setting = {}) {
  const { cluster = base, selected = all, forbidden, types, ...options } = more;
  const one = reader([...cluster, ...all], forbidden, types);
  const selection = selectionOf(selected, TYPES);
  const findings = await checkTransfer({
    from: one, to: one, fromNamespace: 'old', toNamespace: 'new', all, selection, copyValues: false, allowManaged: false, now, ...options,
  });
  return findings.map(({ severity, object, message }) => `${severity}: ${object} ${message}`);
}

test('nothing stands against a transfer of objects that are Ready', async () => {
  expect(await found([group(), server()])).toEqual([]);
});

test.each([
  ['no object', [], {}, /has no Azure object that is selected/],
  ['an object that is not Ready', [{ ...group(), status: {} } as KubernetesObject], {}, /ResourceGroup shop is not Ready/],
  ['one for which the spec is newer', [group({ generation: 2 })], {}, /is not Ready/],
  ['a deletion', [group({ deletionTimestamp: '2026-01-01T00:00:00Z' })], {}, /is being deleted/],
  ['an object that no controller has claimed', [group({ finalizers: [] })], {}, /was never claimed/],
  ['Flux', [group({ labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } })], {}, /is applied by Flux \(apps\)/],
  ['Argo CD', [group({ annotations: { 'argocd.argoproj.io/tracking-id': 'apps:x/y:z' } })], {}, /is applied by Argo CD \(apps\)/],
  ['Helm', [group({ annotations: { 'meta.helm.sh/release-name': 'apps' } })], {}, /is applied by Helm \(apps\)/],
  ['an owner that stays', [group(), server()], { selected: [server()] }, /1 reference would lead nowhere: FlexibleServer db needs resources\.azure\.com\/ResourceGroup\/shop/],
  ['a child that stays', [group(), server()], { selected: [group()] }, /FlexibleServer db would stay behind, and be deleted with the owner, in Azure too/],
  ['no namespace', [group()], { cluster: base.slice(1) }, /Namespace new is not there/],
  ['no controller', [group()], { cluster: base.filter((object) => object !== lease) }, /no controller runs there/],
  ['no CRD', [group()], { types: TYPES.slice(1) }, /the target does not serve v1api20200601/],
  ['an object of the name', [group()], { cluster: [...base, { ...group(), metadata: { name: 'shop', namespace: 'new' } }] }, /is in new already/],
  ['another subscription', [group()], { cluster: [base[0]!, lease, credential('old'), credential('new', 'ffffffff-2222-3333-4444-555555555555')] }, /is of another subscription/],
  ['no credential', [group()], { cluster: base.slice(0, 3) }, /Secret new\/aso-credential is not there/],
  ['the owner of another program', [group({ ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Shop', name: 'one', uid: 'x' }] })], {}, /belongs to Shop one, whose controller would make it again/],
  ['a namespace that is being deleted', [group()], { cluster: [core('Namespace', 'new', undefined, { metadata: { name: 'new', deletionTimestamp: '2026-01-01T00:00:00Z' } }), ...base.slice(1)] }, /Namespace new is being deleted/],
  ['a namespace with another policy', [group()], { cluster: [core('Namespace', 'new', undefined, { metadata: { name: 'new', annotations: { [POLICY]: 'detach-on-delete' } } }), ...base.slice(1)] }, /reconcile-policy detach-on-delete, and old has none/],
  ['a cluster that is left without a controller', [group()], { from: reader([...base.slice(2), group()]) }, /cluster that is left no controller runs there: none would end operations under way/],
  ['an export that is there', [group(), server({ operatorSpec: { configMaps: { fullyQualifiedDomainName: { name: 'db', key: 'host' } } } })], { cluster: [...base, core('ConfigMap', 'db', 'new')] }, /ConfigMap new\/db is there already, and FlexibleServer db writes one of this name/],
  ['a Secret with other values', [group(), server({ administratorLoginPassword: { name: 'admin', key: 'password' } })], { cluster: [...base, core('Secret', 'admin', 'old', { data: encoded({ password: 'a' }) }), core('Secret', 'admin', 'new', { data: encoded({ password: 'b' }) })] }, /Secret admin is read by objects, and has other values in new than in old/],
  ['a credential of another subscription that is only there', [group({ annotations: { 'serviceoperator.azure.com/resource-id': `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop` } })], { cluster: [base[0]!, lease, credential('new', 'ffffffff-2222-3333-4444-555555555555')] }, /is of another subscription than the resources/],
  ['a Secret that is read', [group(), server({ administratorLoginPassword: { name: 'admin', key: 'password' } })], { cluster: [...base, core('Secret', 'admin', 'old')] }, /Secret admin is read by objects, and not in new/],
  ['a Secret of which all keys are read', [group(), azure('Extension', 'flux', { configurationProtectedSettings: { name: 'settings' } })], { cluster: [...base, core('Secret', 'settings', 'old')] }, /Secret settings is read by objects, and not in new/],
] as const)('%s stands against it', async (_, all, more, message) => {
  const findings = await found(all, more as object);
  expect(findings).toEqual([expect.stringMatching(message)]);
  expect(findings[0]).toMatch(/^error/);
});

test('a finalizer of another program, and a transfer whose journal is gone, are said', async () => {
  expect(await found([group({ finalizers: [FINALIZER, 'example.com/keep'] })])).toEqual([
    expect.stringMatching(/^warning: ResourceGroup shop has the finalizer example\.com\/keep of another program/),
  ]);
  expect(await found([group({ annotations: { [POLICY]: 'skip', 'aso.cdk8s.io/policy-before-transfer': 'manage' } })])).toEqual([
    'info: ResourceGroup shop is held by a transfer whose journal is gone; its policy before was manage',
  ]);
});

test('what may not be read is said', async () => {
  expect(await found([group()], { forbidden: ['deployments'] })).toEqual([expect.stringMatching(/^warning: target you may not read/)]);
  expect(await found([group()], { forbidden: ['secrets'] })).toEqual([expect.stringMatching(/^warning: Secret new\/aso-credential may not be read/)]);
});

test('deployers and values may be allowed', async () => {
  expect(await found([group({ labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } })], { allowManaged: true })).toEqual([]);
  const database = server({ administratorLoginPassword: { name: 'admin', key: 'password' } });
  expect(await found([group(), database], { cluster: [...base, core('Secret', 'admin', 'old')], copyValues: true })).toEqual([]);
});

test('a copy has the name in Azure, the annotations of the user, and nothing of the controller or a deployer', () => {
  const id = `/subscriptions/${SUBSCRIPTION}/resourceGroups/shop-4711`;
  const object = group({
    uid: 'u',
    resourceVersion: '1',
    labels: { 'app': 'shop', 'kustomize.toolkit.fluxcd.io/name': 'apps', 'serviceoperator.azure.com/owner-name': 'x' },
    annotations: {
      'example.com/note': 'kept',
      'serviceoperator.azure.com/credential-from': 'own',
      'serviceoperator.azure.com/resource-id': id,
      'serviceoperator.azure.com/operator-namespace': 'operator',
      'aso.cdk8s.io/last-put': '{}',
      'aso.cdk8s.io/adopt': 'Never',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'aso.cdk8s.io/ignore-changes': '["tags"]',
    },
  });
  const [item] = selectionOf([object], TYPES).items;
  expect(copyOf(item!, object, 'new')).toEqual({
    apiVersion: 'resources.azure.com/v1api20200601',
    kind: 'ResourceGroup',
    metadata: {
      name: 'shop',
      namespace: 'new',
      labels: { app: 'shop' },
      annotations: {
        'example.com/note': 'kept',
        'serviceoperator.azure.com/credential-from': 'own',
        'aso.cdk8s.io/ignore-changes': '["tags"]',
        'serviceoperator.azure.com/reconcile-policy': 'skip',
        'aso.cdk8s.io/transferred-from': 'old/u',
      },
    },
    spec: { location: 'uksouth', azureName: 'shop-4711' },
  });
});

test('owners come before what they own, and a cycle ends', () => {
  const a = server({ owner: { name: 'shop' } });
  expect(selectionOf([a, group()], TYPES).items.map(({ name }) => name)).toEqual(['shop', 'db']);
});

test('the user hears of exports', () => {
  const selection = selectionOf([group(), server({ operatorSpec: { configMaps: { fullyQualifiedDomainName: { name: 'db', key: 'host' } } } })], TYPES);
  expect(afterwards({ selection, fromNamespace: 'old', toNamespace: 'new' })[0]).toContain('Pods of old lose the Secrets and ConfigMaps that FlexibleServer db write');
});
