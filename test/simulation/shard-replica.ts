import type { Process } from './process';
import { DISTURBED_SCALE, type ProtocolTime } from './protocol-time';
import type { KubernetesClient, KubernetesListWatch } from '../../engine/kubernetes/types';
import type { ElectionTime } from '../../runtime/leader';
import { assignmentOf } from '../../runtime/shards/assignment';
import { Fence } from '../../runtime/shards/fence';
import { FencedOwnership } from '../../runtime/shards/fenced-ownership';
import { CLUSTER_KEY, type Ownership, type ShardHost } from '../../runtime/shards/ownership';
import { ShardMember } from '../../runtime/shards/shard-member';
import type { Snapshot } from '../../runtime/shards/snapshot';

export interface ShardReplicaOptions {
  /** The thread on which reconciles run. */
  readonly main: Process;
  /** The thread that renews the Lease: it goes on while the other one is blocked. */
  readonly supervisor: Process;
  /** On the supervisor's own connection. */
  readonly client: Pick<KubernetesClient, 'get' | 'create' | 'replace' | 'delete'> & Pick<KubernetesListWatch, 'list'>;
  readonly namespace: string;
  readonly identity: string;
  readonly time: ProtocolTime;
  readonly onError: (error: unknown) => void;
}

const BEGINNING = Date.parse('2026-01-01T00:00:00Z');
/** The longest time of a message between threads. */
const SLOWEST_MESSAGE_MS = 25;
/** As the heartbeat of a real process. */
const STANDSTILL_MS = 30_000;

/** The membership of one process, as `controller/process/sharding.ts` and `controller/supervisor/join-shards.ts` have it on two threads. */
export class ShardReplica {
  public host: ShardHost | undefined;
  private readonly fenced: FencedOwnership;
  private readonly fence: Fence;
  private readonly member: ShardMember;
  private messages = Promise.resolve();

  public constructor(private readonly options: ShardReplicaOptions) {
    const { supervisor, main, client, namespace, identity, time, onError } = options;
    const memory = new Fence(slowed(supervisor, time));
    this.fence = new Fence(slowed(main, time), memory.memory);
    this.fenced = new FencedOwnership(this.fence);
    const ownership = new FencedOwnership(memory);
    this.member = new ShardMember({
      client,
      namespace,
      identity,
      shards: 'auto',
      version: 'simulation',
      time: slowed(supervisor, time),
      fence: memory,
      prepare: async (next, signal) => {
        await this.message();
        await this.host?.prepare(assignmentOf(next, identity), signal);
      },
      onSnapshot: async (snapshot) => {
        ownership.take(snapshot);
        await this.take(snapshot);
      },
      ownsCluster: () => ownership.owns(CLUSTER_KEY),
      standstill: () => (main.stoppedFor > STANDSTILL_MS ? 'the main thread hangs' : undefined),
      onError,
    });
  }

  public get ownership(): Ownership {
    return this.fenced;
  }

  public get mayWrite(): boolean {
    return this.fence.isCurrent('own') && this.fence.isCurrent('group');
  }

  public get lost(): AbortSignal {
    return this.member.lost;
  }

  /** Of the main thread, in the protocol's time; in whole milliseconds, so that who sleeps what is left of a time comes to its end. */
  public get elapsed(): () => number {
    const { elapsed } = slowed(this.options.main, this.options.time);
    return () => Math.floor(elapsed());
  }

  /** The namespaces that are to be split from now on, as the main thread sees them. */
  public split(namespaces: readonly string[]): void {
    const { supervisor } = this.options;
    supervisor.schedule(supervisor.random() * SLOWEST_MESSAGE_MS, () => this.member.split(namespaces));
  }

  public join(): Promise<void> {
    return this.member.join(this.options.supervisor.signal);
  }

  public release(): Promise<void> {
    return this.member.release();
  }

  private async take(snapshot: Snapshot): Promise<void> {
    await this.message();
    this.fenced.take(structuredClone(snapshot));
    this.options.main.schedule(0, () => this.host?.changed());
  }

  /** Resolves when the main thread gets the message, after those before it. */
  private message(): Promise<void> {
    const { main } = this.options;
    const arrived = main.sleep(main.random() * SLOWEST_MESSAGE_MS);
    this.messages = this.messages.then(() => arrived);
    return this.messages;
  }
}

/** The clocks of a thread for the protocol. */
function slowed(process: Process, time: ProtocolTime): ElectionTime {
  // Clocks are set and stand still only while there are faults.
  const scale = DISTURBED_SCALE;
  return {
    now: () => BEGINNING + time.now() + process.clockOffset / scale,
    elapsed: () => time.now() - (process.trueTime - process.elapsed()) / scale,
    random: () => process.random(),
    sleep: (milliseconds, signal) => process.sleep(milliseconds * time.scale, signal),
  };
}
