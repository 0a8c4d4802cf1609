import type { ShardMembership, ShardPeer } from './join-shards';
import type { Endpoint } from '../../runtime/http/http-endpoints';
import type { Leadership } from '../../runtime/leader';

/** Answers probes and renews the Lease. */
export interface Supervision {
  /** Serves the probes. `notReady` returns what the process waits for; undefined: it is ready. */
  serveHealth(notReady: () => string | undefined): Promise<Endpoint[]>;
  /** Resolves when this process leads. */
  lead(signal: AbortSignal): Promise<Leadership>;
  /** Resolves when this process has a Lease among the replicas that share the work. */
  join(peer: ShardPeer, signal: AbortSignal): Promise<ShardMembership>;
  close(): Promise<void>;
}
