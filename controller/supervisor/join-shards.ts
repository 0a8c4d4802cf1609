import { Connection, RestClient, type ClusterAccess } from '../../engine/kubernetes';
import type { ElectionTime } from '../../runtime/leader';
import type { Logger } from '../../runtime/log/log';
import type { Fence } from '../../runtime/shards/fence';
import { FencedOwnership } from '../../runtime/shards/fenced-ownership';
import { CLUSTER_KEY } from '../../runtime/shards/ownership';
import type { ShardCount } from '../../runtime/shards/publication';
import { ShardMember } from '../../runtime/shards/shard-member';
import type { Snapshot } from '../../runtime/shards/snapshot';
import type { View } from '../../runtime/shards/view';

/** The part of the process that works on a share, as the protocol sees it. It may be on another thread. */
export interface ShardPeer {
  /** As `ShardHost.prepare`. */
  prepare(next: View, signal: AbortSignal): Promise<void>;
  /** As `ShardHost.expect`. */
  expect(next: View | undefined): void;
  /** Resolves when the ownership of the process has the snapshot. */
  take(snapshot: Snapshot): Promise<void>;
}

/** The membership of this process among the replicas that share the work. */
export interface ShardMembership {
  /** Aborts with a ShardLostError: the process owns nothing any more, and has to end. */
  readonly lost: AbortSignal;
  /** The namespaces to split by owner tree from now on. Default: none. */
  split(namespaces: readonly string[]): void;
  /** Ends the work, and lets the others take over at once. Never rejects. */
  release(): Promise<void>;
}

export interface JoinOptions {
  readonly access: ClusterAccess;
  readonly logger: Logger;
  readonly namespace: string;
  readonly identity: string;
  readonly shards: ShardCount;
  readonly version: string;
  readonly userAgent: string;
  readonly time: ElectionTime;
  readonly fence: Fence;
  readonly peer: ShardPeer;
  readonly standstill?: () => string | undefined;
  readonly onRequest: (request: { readonly method: string; readonly host: string; readonly status?: number | undefined }) => void;
}

/** Resolves when this process has a Lease. Leases have their own connection, so that hundreds of requests cannot block them. */
export async function joinShards(options: JoinOptions, signal: AbortSignal): Promise<ShardMembership> {
  const { access, logger, namespace, identity, userAgent, peer, fence, onRequest, ...rest } = options;
  const connection = new Connection(access, { userAgent: `${userAgent}/shards`, maxRequests: 4, timeout: 5_000, onRequest });
  const ownership = new FencedOwnership(fence);
  const member = new ShardMember({
    ...rest,
    client: new RestClient(connection),
    namespace,
    identity,
    fence,
    prepare: (next, over) => peer.prepare(next, over),
    expect: (next) => peer.expect(next),
    onSnapshot: async (snapshot) => {
      ownership.take(snapshot);
      await peer.take(snapshot);
    },
    ownsCluster: () => ownership.owns(CLUSTER_KEY),
    onOtherController: (holder) => {
      if (holder !== '') logger.info({ holder }, 'waits: a controller without shards leads');
    },
    onError: (err) => logger.warn({ message: (err as Error).message }, 'a Lease of the replicas could not be read or written'),
  });
  try {
    logger.info({ namespace, identity, shards: rest.shards }, 'joins the replicas that share the work');
    await member.join(signal);
    return {
      lost: member.lost,
      split: (namespaces) => member.split(namespaces),
      release: async () => {
        await member.release();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
