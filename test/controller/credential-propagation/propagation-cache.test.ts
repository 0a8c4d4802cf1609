import { PropagationCache } from '../../../controller/credential-propagation/propagation-cache';
import { SERVICE_ACCOUNTS } from '../../../controller/credential-propagation/service-accounts';
import { Cluster, type WatchedType } from '../../../controller/reconcile/cluster';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { ACCEPTS_CREDENTIALS_FROM, OPERATOR_NAMESPACE, PROPAGATE_TO } from '../../../src/azure/annotations';
import type { PropagationTarget } from '../../../src/azure/credential-propagation';
import { FakeCluster } from '../reconcile/fake-cluster';
import { IDENTITIES, NAMESPACES, SECRETS } from '../reconcile/harness';

const SECRET: PropagationTarget = { kind: 'Secret', namespace: 'team', name: 'aso-credential' };
const ACCOUNT: PropagationTarget = { kind: 'ServiceAccount', namespace: 'team', name: 'app' };
const OWNER = { namespace: 'platform', name: 'id' };

function identity(annotations: Readonly<Record<string, string>>): KubernetesObject {
  const metadata = { ...OWNER, annotations: { [OPERATOR_NAMESPACE]: 'aso', ...annotations } };
  return { apiVersion: `${IDENTITIES.group}/${IDENTITIES.version}`, kind: IDENTITIES.kind, metadata };
}

interface Settings {
  readonly identity?: KubernetesObject;
  readonly accepts?: string;
  readonly accounts?: Partial<WatchedType & { readonly isForbidden: boolean }>;
  readonly unlisted?: string;
}

async function cacheOf({ identity: stored, accepts, accounts, unlisted }: Settings, targetNamespaces: readonly string[] = []) {
  const api = new FakeCluster();
  const cluster = new Cluster();
  for (const type of [IDENTITIES, SECRETS, NAMESPACES]) cluster.add({ ...api.watch(type), hasSynced: type.kind !== unlisted });
  if (stored) await api.create(IDENTITIES, stored);
  const annotations = accepts === undefined ? {} : { [ACCEPTS_CREDENTIALS_FROM]: accepts };
  await api.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team', annotations } });
  const serviceAccounts = { watched: () => ({ ...api.watch(SERVICE_ACCOUNTS), ...accounts }), listen: () => undefined };
  return new PropagationCache({ client: api, cluster, serviceAccounts, operatorNamespace: 'aso', targetNamespaces });
}

const named = identity({ [PROPAGATE_TO]: 'Secret/team/aso-credential' });
test.each<[string, boolean, Settings]>([
  ['names it and is accepted', true, { identity: named, accepts: 'platform/id' }],
  ['names it and is not accepted', false, { identity: named }],
  ['names another target', false, { identity: identity({ [PROPAGATE_TO]: 'Secret/team/other' }), accepts: 'platform/id' }],
  ['has a malformed annotation', true, { identity: identity({ [PROPAGATE_TO]: 'Secret' }), accepts: 'platform/id' }],
  ['belongs to another controller', true, { identity: identity({ [OPERATOR_NAMESPACE]: 'other' }) }],
  ['is gone', false, {}],
  ['is not listed yet', true, { unlisted: IDENTITIES.kind }],
])('of an identity that %s, a target is wanted: %s', async (_, expected, settings) => {
  expect((await cacheOf(settings)).isWantedBy(OWNER, SECRET)).toBe(expected);
});

test('a target is wanted in doubt: identities of a namespace that is not watched are not known', async () => {
  expect((await cacheOf({}, ['team'])).isWantedBy(OWNER, SECRET)).toBe(true);
});

test.each<[string, Settings, PropagationTarget, object | undefined]>([
  ['a Secret', {}, SECRET, undefined],
  ['a service account', { accounts: { hasSynced: true } }, ACCOUNT, undefined],
  ['a service account that is not listed yet', { accounts: { hasSynced: false } }, ACCOUNT, { isFinal: false }],
  ['a service account that may not be listed', { accounts: { isForbidden: true } }, ACCOUNT, { isFinal: true }],
  ['a Secret of a Namespace that is not listed yet', { unlisted: 'Namespace' }, SECRET, { isFinal: false }],
  ['a Secret in the namespace of the identity', { unlisted: 'Namespace' }, { ...SECRET, namespace: 'platform' }, undefined],
])('%s can be read, or the cache has the reason', async (_, settings, target, expected) => {
  const cache = await cacheOf(settings);
  const reason = cache.unreadable(target, cache.typeOf(target.kind), named);
  if (expected === undefined) expect(reason).toBeUndefined();
  else expect(reason).toMatchObject(expected);
});
