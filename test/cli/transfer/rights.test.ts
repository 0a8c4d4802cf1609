import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TransferEnvironment } from './environment';
import { rightsFindings, rightsNeeded, type TransferRights } from '../../../cli/transfer/rights';
import type { Journal } from '../../../cli/transfer/types';
import { FaultyKubernetes, type ProxiedRequest } from '../../e2e/faulty-kubernetes';
import { filesIn } from '../capture';

const type = { group: 'resources.azure.com', version: 'v1api20200601', kind: 'ResourceGroup', plural: 'resourcegroups', namespaced: true };
const journal: Journal = {
  fromNamespace: 'old',
  toNamespace: 'new',
  toServer: 'https://other',
  startedAt: '2026-01-01T00:00:00Z',
  phase: 'planned',
  items: ['a', 'b'].map((name) => ({ key: `resources.azure.com/ResourceGroup/${name}`, type, name, uid: name, needs: [] })),
  values: ['Secret/admin'],
};

/** An API server that allows what it is not told to refuse, as `verb resource namespace`. */
function reviewer(...refused: readonly string[]) {
  const asked: string[] = [];
  return {
    asked,
    create: async (of: { kind: string }, object: any) => {
      const { verb, group, resource, namespace, name } = object.spec.resourceAttributes;
      const wish = `${verb} ${resource}${group === '' ? '' : `.${group}`}${name === undefined ? '' : `/${name}`} ${namespace}`;
      asked.push(wish);
      expect(of.kind).toBe('SelfSubjectAccessReview');
      return { ...object, status: { allowed: !refused.includes(wish) } };
    },
  };
}

test('a sentence for the rights that are missing, with its namespace and side', async () => {
  const from = reviewer('patch resourcegroups.resources.azure.com old', 'delete resourcegroups.resources.azure.com old');
  const to = reviewer('get secrets/admin new', 'create secrets new');
  const findings = await rightsFindings({ from, to, isOneCluster: false }, rightsNeeded(journal, journal.values));
  expect(findings.map(({ object, message }) => `${object} ${message}`)).toEqual([
    'this user may not delete or patch resourcegroups.resources.azure.com in the namespace old of the cluster that is left',
    'this user may not get secrets admin in the namespace new of the other cluster',
    'this user may not create secrets in the namespace new of the other cluster',
  ]);
  // A kind is asked for once.
  expect(from.asked.filter((wish) => wish.startsWith('patch'))).toHaveLength(1);
});

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

/**
 * Requests that no right covers. Lists have a sentence of their own, since the user may not know which kinds there are. Discovery and
 * reviews are open to every user; Deployments, Leases and credentials may stay unread.
 */
function uncovered(requests: readonly ProxiedRequest[], { from, to }: TransferRights): string[] {
  const rights = [...from, ...to];
  const wishes = requests.flatMap(({ method, path, resource, isList }) => {
    const [, namespace, name] = /\/namespaces\/([^/]+)(?:\/[^/]+(?:\/([^/]+))?)?/.exec(path) ?? [];
    const isOpen = /authorization\.k8s\.io|deployments|leases|secrets\/aso-credential/.test(path);
    if (resource === '' || isList || isOpen || namespace === undefined) return [];
    return [{ verb: VERBS[method] ?? 'get', resource, namespace, name }];
  });
  return wishes
    .filter(({ verb, resource, namespace, name }) => !rights.some((right) =>
      right.type.plural === resource && right.namespace === namespace && right.verbs.includes(verb)
      && (right.name === undefined || name === undefined || right.name === name)))
    .map(({ verb, resource, namespace, name = '' }) => `${verb} ${resource} ${namespace}/${name}`);
}

test('every request of a transfer is covered, and without rights nothing is written', async () => {
  const environment = await TransferEnvironment.start();
  const proxy = await FaultyKubernetes.start(environment.cluster.cluster.url);
  try {
    for (const namespace of ['old', 'new']) await environment.cluster.namespace(namespace);
    await environment.fill('old');
    const kubeconfig = join(filesIn({}), 'proxy');
    writeFileSync(kubeconfig, proxy.kubeconfig());
    const options = { kubeconfig, toNamespace: 'new', copyValues: true };

    proxy.disturb = ({ path }) => (path.includes('authorization.k8s.io') ? { status: 201 } : undefined);
    for (const run of [true, false]) {
      const { status, writes, err } = await environment.transfer({ ...options, run });
      expect([status, writes]).toEqual([1, 0]);
      expect(err).toContain('this user may not create, delete, get or update configmaps in the namespace old; ask for a Role');
      expect(err).toMatch(/this user may not create, delete, get or patch .*\broleassignments\.authorization\.azure\.com\b.* in the namespace new/);
    }
    expect(proxy.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('authorization.k8s.io'))).toEqual([]);
    proxy.disturb = undefined;

    await environment.transfer({ ...options, run: true }, (write) => write >= 6);
    expect(await environment.transfer({ ...options, undo: true })).toMatchObject({ status: 0 });
    expect(await environment.transfer({ ...options, run: true })).toMatchObject({ status: 0 });
    const items = environment.objects.map(([kind, name]) => ({
      key: name, type: environment.cluster.typeOf(kind), name, uid: name, needs: [],
    }));
    expect(proxy.requests.filter(({ method }) => method !== 'GET').length).toBeGreaterThan(20);
    expect(uncovered(proxy.requests, rightsNeeded({ ...journal, items }, []))).toEqual([]);
  } finally {
    await proxy.close();
    await environment.close();
  }
});
