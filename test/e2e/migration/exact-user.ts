import { readFileSync, writeFileSync } from 'node:fs';
import type { AsoCluster } from './aso-cluster';
import { NAMESPACE } from './aso-names';
import { kinds } from './objects';
import type { Right } from '../../../cli/cluster/access-rights';
import { installRights } from '../../../cli/migrate/install-rights';
import { rightsNeeded } from '../../../cli/migrate/rights';
import { RestClient } from '../../../engine/kubernetes';
import type { KubernetesObject } from '../../../engine/kubernetes/types';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** A kubeconfig of a user that has the rights which the check asks for, and may grant roles, and nothing else. */
export async function exactUser({ api, cluster, installFile }: AsoCluster, file: string): Promise<string> {
  const account = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`;
  const name = 'exact';
  await api.send('POST', account, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } });
  const { items } = JSON.parse(readFileSync(installFile, 'utf8')) as { items: KubernetesObject[] };
  const migrated = kinds.map(({ crdName: crd, group, kind, facts: { plural, storageVersion: to } }) => ({ crd, group, kind, plural, from: `${to}storage`, to }));
  const all = [...rightsNeeded(NAMESPACE, migrated), ...(await installRights(new RestClient(cluster.connection), items)).rights];
  const rule = ({ type, subresource, verbs }: Right) => (
    { apiGroups: [type.group], resources: [subresource ? `${type.plural}/${subresource}` : type.plural], verbs });
  const granting = { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'clusterroles'], verbs: ['bind', 'escalate'] };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];
  const grant = async (kind: string, at: string, rules: object[]) => {
    await api.send('POST', `${RBAC}${at}/${kind.toLowerCase()}s`, { metadata: { name }, rules });
    await api.send('POST', `${RBAC}${at}/${kind.toLowerCase()}bindings`, { metadata: { name }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name }, subjects });
  };
  await grant('ClusterRole', '', [...all.filter(({ namespace }) => namespace === undefined).map(rule), granting]);
  for (const at of new Set(all.flatMap(({ namespace = [] }) => namespace))) {
    await grant('Role', `/namespaces/${at}`, all.filter(({ namespace }) => namespace === at).map(rule));
  }
  const { status: { token } } = await api.send('POST', `${account}/${name}/token`, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 7200 } });
  const config = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...config, users: [{ name: 'user', user: { token } }] }), { mode: 0o600 });
  return file;
}
