import type { KubernetesError, ResourceType } from '../kubernetes/types';

interface InformerEventBase {
  readonly resource: ResourceType;
  /** Set for an informer that is restricted to namespaces. */
  readonly namespace?: string | undefined;
}

/** Events of an informer, for logs and metrics. */
export type InformerTelemetry = InformerEventBase & (
  /** A list is complete. `changes`: objects that differ from the watched state, i.e. missed events (or the first list). */
  | { readonly event: 'listed'; readonly reason: RelistReason; readonly objects: number; readonly pages: number; readonly changes: number; readonly resourceVersion: string }
  /** A page token expired in the middle of a list, which starts again. */
  | { readonly event: 'list-restarted' }
  | { readonly event: 'watch-opened'; readonly resourceVersion: string; readonly timeoutSeconds: number }
  | { readonly event: 'watch-ended'; readonly events: number }
  | { readonly event: 'bookmark'; readonly resourceVersion: string }
  /** The version is too old for the server: a list follows. */
  | { readonly event: 'gone'; readonly resourceVersion: string }
  /** The connection was silent for so long that it counts as dead and is opened again. */
  | { readonly event: 'idle'; readonly milliseconds: number }
  /** An event (or list item) was older than the stored object. */
  | { readonly event: 'stale-ignored'; readonly name: string }
  | { readonly event: 'failed'; readonly error: KubernetesError | Error; readonly failures: number; readonly retryInMilliseconds: number }
  /** A handler threw: a bug of the handler; the informer continues. */
  | { readonly event: 'handler-failed'; readonly error: unknown }
  | { readonly event: 'stopped' }
);

export type RelistReason =
  | 'start'
  | 'gone'
  | 'watchdog'
  | 'malformed'
  /** More namespaces are kept from now on. */
  | 'ownership';

/** Events of the set of informers. */
export type InformerSetTelemetry =
  | { readonly event: 'kind-served'; readonly resource: ResourceType }
  | { readonly event: 'kind-gone'; readonly resource: ResourceType }
  | { readonly event: 'discovery-failed'; readonly error: unknown }
  /** The start no longer waits for these lists. Objects that depend on them still wait. */
  | { readonly event: 'not-synced'; readonly resources: readonly ResourceType[]; readonly milliseconds: number };
