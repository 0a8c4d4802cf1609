import type { Fence } from './fence';
import type { ShardCount } from './publication';
import type { ShardClient } from './requests';
import type { Snapshot } from './snapshot';
import type { View } from './view';
import type { ElectionTime } from '../leader';

export interface ShardMemberOptions {
  readonly client: ShardClient;
  /** Of the operator. */
  readonly namespace: string;
  /** `shardIdentity`: unique to this start of the process. */
  readonly identity: string;
  readonly shards: ShardCount;
  /** Namespaces to split by owner tree; the first 50 by name. `split` changes them. */
  readonly wantsSplit?: readonly string[];
  /** Of the program, for people who read the Lease. */
  readonly version: string;
  readonly time: ElectionTime;
  readonly fence: Fence;
  /** As `ShardHost.prepare`. It may be on another thread. */
  readonly prepare: (next: View, signal: AbortSignal) => Promise<void>;
  /** As `ShardHost.expect`. */
  readonly expect?: (next: View | undefined) => void;
  /**
   * Gives the ownership of the process its next snapshot; resolves when it has it. If that is on another thread that does not turn its
   * event loop, the fence makes the last snapshot void.
   */
  readonly onSnapshot: (snapshot: Snapshot) => Promise<void>;
  /** Whether the process owns the key: `FencedOwnership` of the same fence and snapshots. Asked for the work of the whole cluster. */
  readonly ownsCluster: () => boolean;
  /** Why this process hangs although this thread runs; undefined: it does not. While it hangs, nothing is renewed. */
  readonly standstill?: () => string | undefined;
  /** Another controller holds the group's Lease, so this process waits; empty: none does. */
  readonly onOtherController?: (holder: string) => void;
  /** Called for failed requests. They are retried. */
  readonly onError?: (error: unknown) => void;
}
