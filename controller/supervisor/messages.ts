import type { ShardCount } from '../../runtime/shards/publication';
import type { Snapshot } from '../../runtime/shards/snapshot';
import type { View } from '../../runtime/shards/view';

/** The start data of the supervisor's thread. */
export interface SupervisorData {
  readonly memory: SharedArrayBuffer;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly kubeconfig?: string | undefined;
  readonly healthAddr?: string | undefined;
  /** Absent: there is no leader election. */
  readonly lease?: { readonly namespace: string; readonly identity: string; readonly userAgent: string } | undefined;
  /** Absent: this process does not share the work. */
  readonly shards?: ShardData | undefined;
  readonly verbosity: number;
  readonly json: boolean;
}

/** The membership among the replicas that share the work. */
export interface ShardData {
  readonly namespace: string;
  readonly identity: string;
  readonly userAgent: string;
  readonly shards: ShardCount;
  readonly version: string;
  /** Memory of the fence, which the threads share. */
  readonly fence: SharedArrayBuffer;
}

/** A message to the supervisor. */
export type Order =
  /** Why the process is not ready; undefined: it is. */
  | { readonly do: 'ready'; readonly notReady?: string | undefined }
  | { readonly do: 'lead' }
  | { readonly do: 'release' }
  | { readonly do: 'join' }
  | { readonly do: 'leave' }
  /** The namespaces to split by owner tree from now on. */
  | { readonly do: 'split'; readonly namespaces: readonly string[] }
  /** Answers to a report of the same number. */
  | { readonly do: 'prepared'; readonly number: number; readonly error?: string | undefined }
  | { readonly do: 'taken'; readonly number: number }
  | { readonly do: 'close' };

/** A message from the supervisor. */
export type Report =
  | { readonly is: 'listening'; readonly port?: number | undefined }
  /** The supervisor cannot start. */
  | { readonly is: 'failed'; readonly error: 'ListenError' | 'KubeconfigError' | 'Error'; readonly message: string }
  | { readonly is: 'leading' }
  | { readonly is: 'lost'; readonly message: string }
  | { readonly is: 'released' }
  | { readonly is: 'joined' }
  | { readonly is: 'left' }
  | { readonly is: 'shardLost'; readonly message: string }
  /** The view is about to be published. Answered by `prepared`. */
  | { readonly is: 'prepare'; readonly number: number; readonly view: View }
  /** The view that comes if members that seem to be gone are; undefined: none is expected any more. */
  | { readonly is: 'expect'; readonly view?: View | undefined }
  /** The time of that preparation is over. */
  | { readonly is: 'prepareOver'; readonly number: number }
  /** Answered by `taken`. */
  | { readonly is: 'snapshot'; readonly number: number; readonly snapshot: Snapshot }
  | { readonly is: 'request'; readonly method: string; readonly host: string; readonly status?: number | undefined };
