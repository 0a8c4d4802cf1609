import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { RightToWrite } from './right-to-write';
import { assignmentOf } from '../../runtime/shards/assignment';
import { Fence } from '../../runtime/shards/fence';
import { FencedOwnership } from '../../runtime/shards/fenced-ownership';
import { shardIdentity } from '../../runtime/shards/member-lease';
import { CLUSTER_KEY, type Ownership, type ShardHost } from '../../runtime/shards/ownership';
import type { ShardCount } from '../../runtime/shards/publication';
import type { ShardMembership, Supervision } from '../supervisor';
import { monotonicMs } from '../supervisor/shared-state';

/** Characters of an identity that are unique to one start of a process. */
const RANDOM_LENGTH = 12;

/** The membership of this process among replicas that share the work, each of which writes for its own part. */
export class Sharding implements RightToWrite {
  public readonly identity = shardIdentity(hostname(), randomUUID().replaceAll('-', '').slice(0, RANDOM_LENGTH));
  public readonly fence = new Fence({ now: () => Date.now(), elapsed: monotonicMs });
  /** Informed of changes, and asked to prepare for them. Set before `lead`. */
  public host: ShardHost | undefined;
  private readonly fenced = new FencedOwnership(this.fence);
  private membership: ShardMembership | undefined;
  private split: readonly string[] = [];

  public constructor(public readonly shards: ShardCount) {}

  public get ownership(): Ownership {
    return this.fenced;
  }

  /** Whether the term of this process has not ended. Each write asks besides whether this process looks after its object. */
  public get mayWrite(): boolean {
    return this.fence.isCurrent('own') && this.fence.isCurrent('group');
  }

  public get mayWriteForCluster(): boolean {
    return this.fenced.owns(CLUSTER_KEY);
  }

  public get lost(): AbortSignal | undefined {
    return this.membership?.lost;
  }

  /** Resolves when this process is a member; it owns nothing yet. */
  public async lead(supervision: Pick<Supervision, 'join'>, signal: AbortSignal): Promise<void> {
    const peer = {
      prepare: async (next: Parameters<typeof assignmentOf>[0], over: AbortSignal) => {
        await this.host?.prepare(assignmentOf(next, this.identity), over);
      },
      expect: (next: Parameters<typeof assignmentOf>[0] | undefined) => {
        this.host?.expect(next && assignmentOf(next, this.identity));
      },
      take: async (snapshot: Parameters<FencedOwnership['take']>[0]) => {
        this.fenced.take(snapshot);
        // Not within the message: the answer does not wait for what follows from the change.
        setImmediate(() => this.host?.changed());
      },
    };
    this.membership = await supervision.join(peer, signal);
    if (this.split.length > 0) this.membership.split(this.split);
  }

  /** The namespaces that are to be split by owner tree from now on. */
  public setSplit(namespaces: readonly string[]): void {
    this.split = namespaces;
    this.membership?.split(namespaces);
  }

  public async release(): Promise<void> {
    await this.membership?.release();
  }
}
