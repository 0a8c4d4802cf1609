import { decidePropagation, type PropagationView } from '../../../controller/credential-propagation/decide';
import { labelsOf, managedByOf, managedByLabelsOf, managedByText } from '../../../controller/credential-propagation/managed-by';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import {
  ACCEPTS_CREDENTIALS_FROM,
  MANAGED_BY_NAME,
  MANAGED_BY_NAMESPACE,
  WORKLOAD_CLIENT_ID,
  WORKLOAD_TENANT_ID,
} from '../../../src/azure/annotations';
import { type PropagationKind } from '../../../src/azure/credential-propagation';

const [CLIENT, PRINCIPAL, TENANT, SUBSCRIPTION] = [1, 2, 3, 4].map((digit) => `${digit}`.repeat(8) + '-1111-4111-8111-111111111111');
const status = {
  clientId: CLIENT,
  principalId: PRINCIPAL,
  tenantId: TENANT,
  id: `/subscriptions/${SUBSCRIPTION}/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/team-a`,
};
const identity = (more: Partial<typeof status> = {}, name = 'team-a'): KubernetesObject => ({
  apiVersion: 'managedidentity.azure.com/v1api20230131',
  kind: 'UserAssignedIdentity',
  metadata: { name, namespace: 'platform' },
  status: { ...status, ...more },
});
const namespace = (accepts?: string, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'team-a', ...(accepts === undefined ? {} : { annotations: { [ACCEPTS_CREDENTIALS_FROM]: accepts } }), ...more },
});
const view = (kind: PropagationKind = 'Secret', more: Partial<PropagationView> = {}): PropagationView => ({
  identity: identity(),
  target: { kind, namespace: 'team-a', name: 'x' },
  isWatched: true,
  namespace: namespace('platform/team-a'),
  existing: undefined,
  isWantedBy: () => true,
  ...more,
});
const marked = { [MANAGED_BY_NAMESPACE]: 'platform', [MANAGED_BY_NAME]: 'team-a' };
const object = (kind: PropagationKind, more: object = {}, rest: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', namespace: 'team-a', uid: 'u', resourceVersion: '7', ...more },
  ...(kind === 'Secret' ? { type: 'Opaque' } : {}),
  ...rest,
});
const base64 = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
const CREDENTIAL = base64({
  AZURE_CLIENT_ID: CLIENT!,
  AZURE_TENANT_ID: TENANT!,
  AZURE_SUBSCRIPTION_ID: SUBSCRIPTION!,
  USE_WORKLOAD_IDENTITY_AUTH: 'true',
});

describe('what is written', () => {
  test('a Secret with the ids, in the form of a credential', () => {
    expect(decidePropagation(view())).toEqual({
      do: 'create',
      object: {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'x', namespace: 'team-a', labels: marked },
        type: 'Opaque',
        data: CREDENTIAL,
      },
    });
  });

  test('a ConfigMap with the ids that an identity exports', () => {
    const data = { clientId: CLIENT, principalId: PRINCIPAL, tenantId: TENANT };
    expect(decidePropagation(view('ConfigMap'))).toEqual({
      do: 'create',
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', namespace: 'team-a', labels: marked }, data },
    });
  });

  test.each([
    ['no annotation', {}],
    ['an empty one, as text substitution leaves it', { annotations: { [WORKLOAD_CLIENT_ID]: '' } }],
    ['the right one', { annotations: { [WORKLOAD_CLIENT_ID]: CLIENT } }],
  ])('annotations of a service account that has %s, only for the version that was read', (_, metadata) => {
    expect(decidePropagation(view('ServiceAccount', { existing: object('ServiceAccount', metadata) }))).toEqual({
      do: 'patch',
      patch: {
        metadata: { resourceVersion: '7', annotations: { [WORKLOAD_CLIENT_ID]: CLIENT, [WORKLOAD_TENANT_ID]: TENANT }, labels: marked },
      },
    });
  });

  test('nothing, where nothing differs', () => {
    expect(
      decidePropagation(
        view('Secret', { existing: object('Secret', { labels: { ...marked, own: 'x' }, finalizers: ['f'] }, { data: CREDENTIAL }) }),
      ),
    ).toEqual({ do: 'none' });
    const annotations = { [WORKLOAD_CLIENT_ID]: CLIENT, [WORKLOAD_TENANT_ID]: TENANT, own: 'x' };
    expect(decidePropagation(view('ServiceAccount', { existing: object('ServiceAccount', { labels: marked, annotations }) }))).toEqual({
      do: 'none',
    });
  });

  test('another client id, where the identity was replaced: labels, annotations and finalizers of others stay, keys of others go', () => {
    const existing = object(
      'Secret',
      { labels: { ...marked, own: 'x' }, annotations: { a: 'b' }, finalizers: ['aso.cdk8s.io/credential-in-use'] },
      {
        data: { ...CREDENTIAL, AZURE_CLIENT_ID: 'b2xk', AZURE_CLIENT_SECRET: 'c2VjcmV0' },
      },
    );
    expect(decidePropagation(view('Secret', { existing }))).toEqual({
      do: 'replace',
      object: { apiVersion: 'v1', kind: 'Secret', metadata: existing.metadata, type: 'Opaque', data: CREDENTIAL },
    });
  });
});

describe('never half a credential', () => {
  test.each([
    ['Secret', ['clientId', 'tenantId', 'id']],
    ['ServiceAccount', ['clientId', 'tenantId']],
    ['ConfigMap', ['clientId', 'principalId', 'tenantId']],
  ] as [PropagationKind, (keyof typeof status)[]][])('%s', (kind, needed) => {
    for (const key of Object.keys(status) as (keyof typeof status)[]) {
      for (const value of [undefined, '', 'pending']) {
        const verdict = decidePropagation(
          view(kind, { identity: identity({ [key]: value }), existing: kind === 'ServiceAccount' ? object(kind) : undefined }),
        );
        expect([key, value, verdict.do]).toEqual([
          key,
          value,
          needed.includes(key) ? 'wait' : kind === 'ServiceAccount' ? 'patch' : 'create',
        ]);
      }
    }
  });

  test('what is missing is named, and what is there already is left', () => {
    const existing = object('Secret', { labels: marked }, { data: CREDENTIAL });
    const verdict = decidePropagation(view('Secret', { identity: { ...identity(), status: {} }, existing }));
    expect(verdict).toEqual({
      do: 'wait',
      isUsual: true,
      why: 'Secret/team-a/x waits: the identity has no clientId, tenantId, subscriptionId yet',
    });
  });
});

describe('consent', () => {
  test.each([
    ['both', 'platform/team-a', 'create'],
    ['of the whole namespace', 'platform', 'create'],
    ['none', undefined, 'refuse'],
    ['for another identity', 'platform/team-b', 'refuse'],
    ['for another namespace', 'other', 'refuse'],
  ])('%s', (_, accepts, expected) => {
    expect(decidePropagation(view('Secret', { namespace: namespace(accepts) })).do).toBe(expected);
  });

  test('the refusal says which annotation is missing where, and keeps what is there', () => {
    const cure = (accepts?: string) => (decidePropagation(view('Secret', { namespace: namespace(accepts) })) as { why: string }).why;
    expect(cure()).toContain('whoever owns the namespace annotates it with aso.cdk8s.io/accepts-credentials-from: "platform/team-a"');
    expect(cure('other/x')).toContain('"other/x,platform/team-a"');
    expect(cure('platform/*')).toContain('"platform/*" is no source');
    expect(decidePropagation(view('Secret', { namespace: namespace() }))).toMatchObject({ isRevoked: true });
  });

  test('an identity\'s own namespace need not be asked', () => {
    const target = { kind: 'Secret', namespace: 'platform', name: 'x' } as const;
    expect(decidePropagation(view('Secret', { target, namespace: undefined })).do).toBe('create');
  });

  test.each([
    ['is not watched', { isWatched: false }, 'refuse', 'add it to AZURE_TARGET_NAMESPACES'],
    ['does not exist', { namespace: undefined }, 'wait', 'namespace team-a does not exist yet'],
    ['ends', { namespace: namespace('platform', { deletionTimestamp: 'now' }) }, 'wait', 'namespace team-a is being deleted'],
  ])('a namespace that %s', (_, more, expected, why) => {
    expect(decidePropagation(view('Secret', more))).toMatchObject({ do: expected, why: expect.stringContaining(why) });
  });

  test('in a namespace that ends, what is there is still kept right: it is needed to the end', () => {
    const existing = object('Secret', { labels: marked, deletionTimestamp: 'now', finalizers: ['f'] }, { data: {} });
    expect(decidePropagation(view('Secret', { existing, namespace: namespace('platform', { deletionTimestamp: 'now' }) })).do).toBe(
      'replace',
    );
  });
});

describe('what is somebody else\'s', () => {
  const other = labelsOf({ namespace: 'platform', name: 'other' });

  test.each([
    [
      'a Secret of nobody',
      view('Secret', { existing: object('Secret') }),
      'label it aso.cdk8s.io/managed-by-namespace=platform aso.cdk8s.io/managed-by-name=team-a',
    ],
    ['a ConfigMap of nobody', view('ConfigMap', { existing: object('ConfigMap') }), 'was not written by this controller'],
    [
      'a Secret of another identity',
      view('Secret', { existing: object('Secret', { labels: other }) }),
      'identity platform/other propagates to it already',
    ],
    [
      'a Secret of another type',
      view('Secret', { existing: object('Secret', { labels: marked }, { type: 'example.com/x' }) }),
      'delete it',
    ],
    [
      'a service account with another client id',
      view('ServiceAccount', { existing: object('ServiceAccount', { annotations: { [WORKLOAD_CLIENT_ID]: PRINCIPAL } }) }),
      'remove that annotation',
    ],
    [
      'a service account of another identity',
      view('ServiceAccount', { existing: object('ServiceAccount', { labels: other }) }),
      'propagates to it already',
    ],
  ])('%s is not touched', (_, given, why) => {
    expect(decidePropagation(given)).toEqual({ do: 'refuse', why: expect.stringContaining(why) });
  });

  test('of an identity that propagates to it no more, it is taken over', () => {
    const existing = object('Secret', { labels: other }, { data: CREDENTIAL });
    expect(decidePropagation(view('Secret', { existing, isWantedBy: () => false }))).toMatchObject({
      do: 'replace',
      object: { metadata: { labels: marked } },
    });
  });
});

test('names that are too long for a label have a owner of their own each', () => {
  const long = (end: string) => managedByOf({ metadata: { namespace: 'platform', name: 'a'.repeat(100) + end } });
  expect(long('x').name).toHaveLength(63);
  expect(managedByText(long('x'))).not.toBe(managedByText(long('y')));
  expect(managedByLabelsOf(object('Secret', { labels: labelsOf(long('x')) }))).toEqual(long('x'));
  expect(managedByLabelsOf(object('Secret', { labels: { [MANAGED_BY_NAME]: 'alone' } }))).toBeUndefined();
});
