import { ApiError } from '../api-error';
import type { SandboxClock } from '../clock';
import type { StoredObject } from '../objects';
import { joinApiVersion } from '../objects';
import type { StreamAnswer } from './answer';
import type { Representation } from './representation';
import type { Target } from '../operations/request';
import { storageName } from '../resources/definition';
import type { Registry } from '../resources/registry';
import type { Predicate } from '../selectors';
import type { Change } from '../storage/change';
import type { Store } from '../storage/store';

export interface WatchOptions {
  readonly matches: Predicate;
  /** From the query: '' and '0' mean "first what there is". */
  readonly resourceVersion: string;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean;
  readonly timeoutSeconds: number;
  readonly bookmarkInterval: number;
}

interface Surroundings {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: SandboxClock;
}

/**
 * A watch of one resource.
 *
 * An object that comes to match the selectors by a change is ADDED, one that ceases to is DELETED.
 */
export function watch(
  { store, registry, clock }: Surroundings,
  target: Target,
  representation: Representation,
  options: WatchOptions,
): StreamAnswer {
  const resource = storageName(target.definition);
  const bookmark = (resourceVersion: number, initial = false): object => ({
    type: 'BOOKMARK',
    object: {
      kind: target.definition.kind,
      apiVersion: joinApiVersion(target.definition.group, target.version.name),
      metadata: { resourceVersion: String(resourceVersion), ...(initial && { annotations: { 'k8s.io/initial-events-end': 'true' } }) },
    },
  });
  return {
    contentType: representation.contentType,
    start: (write, end) => {
      const send = (event: object) => write(`${JSON.stringify(event)}\n`);
      const stops: (() => void)[] = [];
      const stop = () => stops.splice(0).forEach((one) => one());
      const finish = () => {
        stop();
        end();
      };
      const follow = (change: Change) => {
        const event = seen(change, (object) => inScope(target, object) && options.matches(object));
        if (event) send({ type: event.type, object: representation.one(event.object) });
      };
      const { resourceVersion } = options;
      const fromNow = resourceVersion === '' || resourceVersion === '0' || options.sendInitialEvents;
      if (fromNow) {
        const objects = store
          .list(resource, target.namespace || undefined)
          .filter((object) => inScope(target, object) && options.matches(object));
        for (const object of objects) send({ type: 'ADDED', object: representation.one(object) });
        if (options.sendInitialEvents && options.bookmarks) send(bookmark(store.resourceVersion, true));
      }
      try {
        stops.push(store.watch(resource, fromNow ? store.resourceVersion : Number(resourceVersion), follow));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        send({ type: 'ERROR', object: error.status });
        finish();
        return stop;
      }
      stops.push(registry.onRemoved((removed) => removed === resource && finish()));
      const mark = () => {
        send(bookmark(store.resourceVersion));
        stops[timer] = clock.schedule(options.bookmarkInterval, mark);
      };
      const timer = stops.length;
      if (options.bookmarks) stops.push(clock.schedule(options.bookmarkInterval, mark));
      stops.push(clock.schedule(options.timeoutSeconds * 1000, () => {
        if (options.bookmarks) send(bookmark(store.resourceVersion));
        finish();
      }));
      return stop;
    },
  };
}

const inScope = ({ namespace, name }: Target, { metadata }: StoredObject): boolean =>
  (!namespace || metadata.namespace === namespace) && (!name || metadata.name === name);

/** A change as someone sees it who looks at the matching objects only. */
function seen({ type, object, previous }: Change, matches: Predicate): { type: string; object: StoredObject } | undefined {
  const before = previous !== undefined && matches(previous);
  const after = type !== 'DELETED' && matches(object);
  if (before && after) return { type: 'MODIFIED', object };
  if (after) return { type: 'ADDED', object };
  if (!before) return undefined;
  // The event shows the last object that the watch has seen, as of the change.
  const { resourceVersion } = object.metadata;
  return { type: 'DELETED', object: { ...previous, metadata: { ...previous.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } } };
}
