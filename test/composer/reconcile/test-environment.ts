import type { Problem } from '../../../composer/apply/decide';
import { ClaimReconciler, type ClaimReconcilerOptions } from '../../../composer/reconcile/claim-reconciler';
import type { ComposerClient } from '../../../composer/reconcile/types';
import type { EventText } from '../../../runtime/events/event-text';
import type { ObjectId } from '../../../src/object-id';
import { renderer, SERVICES } from '../composition';
import { CLAIMS, FakeCache, FakeCluster, type LoggedWrite } from '../fake-cluster';

export const KEY: ObjectId = { group: CLAIMS.group, kind: CLAIMS.kind, namespace: 'shop', name: 'api' };
export const key = (kind: string, name: string): ObjectId =>
  ({ group: { ConfigMap: '', ResourceGroup: 'resources.azure.com', StorageAccount: 'storage.azure.com' }[kind]!, kind, namespace: 'shop', name });

/** A composer with one claim at a time, whose cache is never behind. */
export function testEnvironment(more: Partial<Omit<ClaimReconcilerOptions, 'client'>> & { readonly client?: (client: ComposerClient) => ComposerClient } = {}) {
  const cluster = new FakeCluster();
  const cache = new FakeCache(cluster);
  const events: EventText[] = [];
  const problems: (Problem | undefined)[] = [];
  let now = Date.parse('2026-05-01T00:00:00Z');
  const plain = cluster.client('composer');
  const reconciler = new ClaimReconciler({
    kinds: [SERVICES],
    renderer: renderer(),
    cache,
    clock: { now: () => now },
    revision: 'r1',
    tooling: 'cdk8s-aso/1.2.3',
    mayCompose: () => true,
    isKindLeaving: () => Promise.resolve(false),
    onReconciled: (_, problem) => void problems.push(problem),
    onEvent: (_, event) => void events.push(event),
    onWrite: () => undefined,
    ...more,
    client: more.client?.(plain) ?? plain,
  });
  const claim = () => cluster.get(KEY)!;
  return {
    cluster,
    cache,
    reconciler,
    events,
    problems,
    claim,
    advance: (milliseconds: number) => void (now += milliseconds),
    reconcile: async () => {
      cache.deliver();
      const result = await reconciler.reconcile(KEY);
      cache.deliver();
      return result;
    },
    writes: (from = 0): string[] => cluster.log.slice(from).filter(({ actor }) => actor === 'composer').map(({ verb, key: of }: LoggedWrite) => `${verb} ${of}`),
    condition: (type: string) => {
      const { status, reason, message } = claim().status?.conditions?.find((one) => one.type === type) ?? {};
      return `${status} ${reason}: ${message}`;
    },
    ready: () => {
      for (const object of cluster.all().filter(({ apiVersion }) => apiVersion.includes('azure.com'))) {
        const { generation = 1, name } = object.metadata;
        const conditions = [{ type: 'Ready', status: 'True' as const, reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: generation }];
        cluster.update('operator', key(object.kind, name), (live) => ({ ...live, status: { conditions } }), 'status');
      }
    },
  };
}
