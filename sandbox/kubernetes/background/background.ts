import type { SandboxClock } from '../clock';
import { Cleanup } from './cleanup';
import { GarbageCollector } from './garbage-collector';
import type { Writer } from '../operations/writer';
import type { Registry } from '../resources/registry';
import type { Change } from '../storage/change';
import type { Store } from '../storage/store';

/** The controllers that belong to a cluster itself. They see every change after the request that made it is answered. */
export function startBackground(
  store: Store,
  registry: Registry,
  writer: Writer,
  clock: SandboxClock,
  namespaceGracePeriod: number,
): () => void {
  const cleanup = new Cleanup(store, registry, writer, clock, namespaceGracePeriod);
  const controllers = [new GarbageCollector(store, registry, writer), cleanup];
  let queue: Change[] = [];
  let cancel: (() => void) | undefined;
  const run = () => {
    cancel = undefined;
    const changes = queue;
    queue = [];
    for (const change of changes) for (const controller of controllers) controller.handle(change);
  };
  const stop = store.onChange((change) => {
    queue.push(change);
    cancel ??= clock.schedule(0, run);
  });
  return () => {
    stop();
    cancel?.();
    cleanup.stop();
  };
}
