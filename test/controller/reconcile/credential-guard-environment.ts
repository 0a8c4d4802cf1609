import { FakeClock, settled } from './fake-clock';
import { FakeCluster } from './fake-cluster';
import { GROUPS, group, NETWORKS, object, SECRETS } from './harness';
import { Cluster, type WatchedType } from '../../../controller/reconcile/cluster';
import { CredentialGuard, type CredentialGuardOptions } from '../../../controller/reconcile/credential-guard';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { CREDENTIAL_USED_BY, FINALIZER } from '../../../src/azure/annotations';

export const secret = (name = 'aso-credential', finalizers?: string[]): KubernetesObject => ({
  apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'default', ...(finalizers ? { finalizers } : {}) }, data: {},
});

export const network = (name: string) => object(NETWORKS, name, { location: 'westeurope' });

export const withFinalizers = (unclaimed: KubernetesObject, annotations?: Record<string, string>): KubernetesObject => ({
  ...unclaimed, metadata: { ...unclaimed.metadata, finalizers: [FINALIZER], ...(annotations ? { annotations } : {}) },
});

export const claimed = (name: string, annotations?: Record<string, string>): KubernetesObject => withFinalizers(group(name), annotations);

/** A guard with an API server that keeps Secrets, resource groups and networks. */
export async function guardEnvironment(...secrets: KubernetesObject[]) {
  return guardEnvironmentWith({}, ...secrets);
}

export async function guardEnvironmentWith(options: Partial<CredentialGuardOptions>, ...secrets: KubernetesObject[]) {
  const cluster = new FakeCluster();
  const clock = new FakeClock();
  const errors: unknown[] = [];
  const known = new Cluster();
  const groups: { -readonly [K in keyof WatchedType]: WatchedType[K] } = cluster.watch(GROUPS);
  known.add(groups);
  known.add(cluster.watch(NETWORKS));
  known.add(cluster.watch(SECRETS));
  const guard = new CredentialGuard({
    cluster: known,
    client: cluster,
    clock,
    operatorNamespace: 'aso',
    onError: (_, error) => errors.push(error),
    ...options,
  });
  cluster.listeners = [(_, event) => guard.handle(event)];
  for (const one of secrets) await cluster.create(SECRETS, one);
  const stored = (name: string) => cluster.objects.get(`/Secret/default/${name}`)?.metadata;
  const finalizers = (name = 'aso-credential') => stored(name)?.finalizers;
  /** The kinds of the annotation, without their groups. */
  const kinds = (name = 'aso-credential') => stored(name)?.annotations?.[CREDENTIAL_USED_BY]?.replace(/\.[^,]*/g, '').split(',') ?? [];
  const patches = () => cluster.writes.filter((write) => write.startsWith('patch Secret')).length;
  const start = async () => {
    guard.start();
    await settled();
  };
  return { cluster, clock, errors, groups, guard, finalizers, kinds, patches, start };
}
