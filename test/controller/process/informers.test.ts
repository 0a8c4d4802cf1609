import { connectInformers, createInformers, type InformerConsumers } from '../../../controller/process/informers';
import type { WatchersOptions } from '../../../controller/process/watchers-options';
import { RECONCILES_PER_KIND } from '../../../controller/reconcile/controller';
import type { KubernetesObject, ObjectEvent, ResourceType } from '../../../engine/kubernetes';
import { Catalog } from '../../../src/catalog';

const GROUPS: ResourceType = { group: 'resources.azure.com', version: 'v1', plural: 'resourcegroups', kind: 'ResourceGroup', namespaced: true };
const SECRETS: ResourceType = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true };

/** Connects consumers that write down their calls; returns the calls and the informers' side. */
function connected(settings: { maxConcurrentReconciles?: number } = {}) {
  const calls: unknown[][] = [];
  const noted = <M extends string>(part: string, ...methods: M[]) =>
    Object.fromEntries(methods.map((method) => [method, (...args: unknown[]) => void calls.push([`${part}.${method}`, ...args])]));
  const handlers: Record<string, (...args: never[]) => void> = {};
  const registers = (name: string) => (handler: (...args: never[]) => void) => void (handlers[name] = handler);
  const informers = {
    informer: (group: string, kind: string) => `${group}/${kind}`,
    onServed: registers('served'),
    onKnown: registers('known'),
    onEvent: registers('event'),
    onRelease: registers('release'),
  };
  connectInformers({ settings, metrics: noted('metrics', 'kindServed') } as never, {
    informers,
    cluster: noted('cluster', 'add', 'remove'),
    contents: { ...noted('contents', 'handle', 'released'), watched: (informer: string) => `contents of ${informer}` },
    controller: noted('controller', 'known', 'handle', 'released'),
    reconciler: noted('reconciler', 'handle'),
    guard: noted('guard', 'handle', 'released'),
    propagator: noted('propagator', 'handle', 'released'),
    credentials: noted('credentials', 'forget'),
    unknowns: noted('unknowns', 'forget'),
  } as unknown as InformerConsumers);
  return {
    calls,
    served: handlers.served as unknown as (type: ResourceType, served: boolean) => void,
    known: handlers.known as unknown as (type: ResourceType) => void,
    event: handlers.event as unknown as (event: ObjectEvent) => void,
    release: handlers.release as unknown as (object: KubernetesObject) => void,
  };
}

const eventOf = (type: ObjectEvent['type'], kind: string): ObjectEvent =>
  ({ type, object: { apiVersion: 'v1', kind, metadata: { namespace: 'shop', name: 'a' } } });

test('an event reaches the contents first, and the reconciler before the work queue', () => {
  const { calls, event } = connected();
  const modified = eventOf('MODIFIED', 'ResourceGroup');
  event(modified);
  expect(calls).toEqual(['contents', 'reconciler', 'controller', 'guard', 'propagator'].map((part) => [`${part}.handle`, modified]));
});

test('only the credentials of a deleted Secret are forgotten', () => {
  const { calls, event } = connected();
  const forgotten = () => calls.filter(([call]) => call === 'credentials.forget');
  event(eventOf('MODIFIED', 'Secret'));
  event(eventOf('DELETED', 'ConfigMap'));
  expect(forgotten()).toEqual([]);
  event(eventOf('DELETED', 'Secret'));
  expect(forgotten()).toEqual([['credentials.forget', 'shop', 'a']]);
});

test('an object that another replica looks after is forgotten, and no deletion', () => {
  const { calls, release } = connected();
  const { object } = eventOf('MODIFIED', 'Secret');
  release(object);
  expect(calls).toEqual([
    ...['contents', 'controller', 'guard', 'propagator'].map((part) => [`${part}.released`, object]), ['credentials.forget', 'shop', 'a'],
  ]);
});

test('a kind is in the caches before waiting objects are enqueued, and has metrics', () => {
  const { calls, served } = connected();
  served(GROUPS, true);
  expect(calls).toEqual([
    ['cluster.add', 'contents of resources.azure.com/ResourceGroup'],
    ['controller.known', GROUPS],
    ['metrics.kindServed', 'resources.azure.com', 'ResourceGroup', RECONCILES_PER_KIND],
  ]);
});

test('the metric of concurrent reconciles follows the setting', () => {
  const { calls, served } = connected({ maxConcurrentReconciles: 3 });
  served(GROUPS, true);
  expect(calls.at(-1)).toEqual(['metrics.kindServed', 'resources.azure.com', 'ResourceGroup', 3]);
});

test('a kind of Kubernetes itself has no metrics of reconciles', () => {
  const { calls, served } = connected();
  served(SECRETS, true);
  expect(calls.map(([call]) => call)).toEqual(['cluster.add', 'controller.known']);
});

test('a kind that is no longer served leaves the caches', () => {
  const { calls, served } = connected();
  served(GROUPS, false);
  expect(calls).toEqual([['cluster.remove', GROUPS]]);
});

test('a known kind is logged again when it becomes unknown, and its waiting objects are enqueued', () => {
  const { calls, known } = connected();
  known(GROUPS);
  expect(calls).toEqual([['unknowns.forget', GROUPS], ['controller.known', GROUPS]]);
});

test('--kinds narrows the informers; the kinds of Kubernetes itself stay', () => {
  const options = { catalog: Catalog.default(), settings: { targetNamespaces: [] }, kinds: 'resources.azure.com/*' };
  const informers = createInformers(options as unknown as WatchersOptions);
  expect(informers.whyNotWatched('storage.azure.com', 'StorageAccount').why).toContain('--kinds');
  expect(informers.whyNotWatched('resources.azure.com', 'ResourceGroup').why).not.toContain('--kinds');
  expect(informers.whyNotWatched('', 'Secret').why).not.toContain('--kinds');
});
