import { apiVersionOf } from '../../../src/object-id';
import { ApiError } from '../api-error';
import type { SandboxClock } from '../clock';
import type { Metadata, StoredObject } from '../objects';
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
export function watch(surroundings: Surroundings, target: Target, representation: Representation, options: WatchOptions): StreamAnswer {
  return {
    contentType: representation.contentType,
    start: (write, end) => {
      const stream = new WatchStream(surroundings, target, representation, options, write, end);
      stream.start();
      return () => stream.stop();
    },
  };
}

/** One running watch, as the lines that it writes. */
class WatchStream {
  private readonly stops: (() => void)[] = [];
  private readonly resource: string;
  private cancelBookmark: (() => void) | undefined;

  public constructor(
    private readonly surroundings: Surroundings,
    private readonly target: Target,
    private readonly representation: Representation,
    private readonly options: WatchOptions,
    private readonly write: (line: string) => void,
    private readonly end: () => void,
  ) {
    this.resource = storageName(target.definition);
  }

  public start(): void {
    const { store, registry, clock } = this.surroundings;
    const { resourceVersion, sendInitialEvents, bookmarks, timeoutSeconds } = this.options;
    const fromNow = resourceVersion === '' || resourceVersion === '0' || sendInitialEvents;
    if (fromNow) this.sendObjects();
    try {
      this.stops.push(
        store.watch(this.resource, fromNow ? store.resourceVersion : Number(resourceVersion), (change) => this.follow(change)),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.send({ type: 'ERROR', object: error.status });
      this.finish();
      return;
    }
    this.stops.push(registry.onRemoved((removed) => removed === this.resource && this.finish()));
    if (bookmarks) this.scheduleBookmark();
    this.stops.push(clock.schedule(timeoutSeconds * 1000, () => {
      if (bookmarks) this.sendBookmark();
      this.finish();
    }));
  }

  public stop(): void {
    this.stops.splice(0).forEach((one) => one());
    this.cancelBookmark?.();
    this.cancelBookmark = undefined;
  }

  private finish(): void {
    this.stop();
    this.end();
  }

  private sendObjects(): void {
    const { store } = this.surroundings;
    const objects = store.list(this.resource, this.target.namespace || undefined).filter((object) => this.matches(object));
    for (const object of objects) this.send({ type: 'ADDED', object: this.representation.one(object) });
    if (this.options.sendInitialEvents && this.options.bookmarks) this.sendBookmark(true);
  }

  private follow(change: Change): void {
    const event = seen(change, (object) => this.matches(object));
    if (event) this.send({ type: event.type, object: this.representation.one(event.object) });
  }

  private matches(object: StoredObject): boolean {
    return inScope(this.target, object) && this.options.matches(object);
  }

  private scheduleBookmark(): void {
    this.cancelBookmark = this.surroundings.clock.schedule(this.options.bookmarkInterval, () => {
      this.sendBookmark();
      this.scheduleBookmark();
    });
  }

  private sendBookmark(isInitial = false): void {
    const { definition, version } = this.target;
    const resourceVersion = String(this.surroundings.store.resourceVersion);
    // An object of the kind without a name.
    const metadata: Partial<Metadata> = { resourceVersion, ...(isInitial && { annotations: { 'k8s.io/initial-events-end': 'true' } }) };
    const apiVersion = apiVersionOf({ group: definition.group, version: version.name });
    const bookmark: StoredObject = { kind: definition.kind, apiVersion, metadata: metadata as Metadata };
    // In the representation that the watch asked for: decoders of one kind refuse another.
    this.send({ type: 'BOOKMARK', object: this.representation.one(bookmark) });
  }

  private send(event: object): void {
    this.write(`${JSON.stringify(event)}\n`);
  }
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
