import type { KubernetesError, ResourceType } from '../kubernetes/types';

interface InformerEventBase {
  readonly resource: ResourceType;
  /** Of an informer that is restricted to namespaces. */
  readonly namespace?: string;
}

/** What happens inside an informer, for logs and metrics. */
export type InformerTelemetry = InformerEventBase & (
  /** A list is complete. `changes`: objects that differ from what the watch had told, i.e. events that were missed (or the first list). */
  | { readonly event: 'listed'; readonly reason: RelistReason; readonly objects: number; readonly pages: number; readonly changes: number; readonly resourceVersion: string }
  /** A page token expired in the middle of a list, which begins again. */
  | { readonly event: 'list-restarted' }
  | { readonly event: 'watch-opened'; readonly resourceVersion: string; readonly timeoutSeconds: number }
  | { readonly event: 'watch-ended'; readonly events: number }
  | { readonly event: 'bookmark'; readonly resourceVersion: string }
  /** The version is too old for the server: a list follows. */
  | { readonly event: 'gone'; readonly resourceVersion: string }
  /** Nothing heard for so long that the connection is taken for dead and opened again. */
  | { readonly event: 'idle'; readonly milliseconds: number }
  /** An event (or list item) was older than what the store has. */
  | { readonly event: 'stale-ignored'; readonly name: string }
  | { readonly event: 'failed'; readonly error: KubernetesError | Error; readonly failures: number; readonly retryInMilliseconds: number }
  /** A handler threw: a bug of the handler, the informer goes on. */
  | { readonly event: 'handler-failed'; readonly error: unknown }
  | { readonly event: 'stopped' }
);

export type RelistReason = 'start' | 'gone' | 'watchdog' | 'malformed';

/** What happens to the set of informers. */
export type InformerSetTelemetry =
  | { readonly event: 'kind-served'; readonly resource: ResourceType }
  | { readonly event: 'kind-gone'; readonly resource: ResourceType }
  | { readonly event: 'discovery-failed'; readonly error: unknown }
  /** The start does not wait any longer. Objects that need what these lists hold do. */
  | { readonly event: 'not-synced'; readonly resources: readonly ResourceType[]; readonly milliseconds: number };
