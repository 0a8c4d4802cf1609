import type { Claimant, Journal } from './journal';
import type { LeaseApi, Link } from './lease-api';
import { Machine } from './machine';
import { WorkerHost, type HostTraits } from './worker-host';
import { assignmentOf } from '../../../../runtime/shards/assignment';
import { Fence } from '../../../../runtime/shards/fence';
import { FencedOwnership } from '../../../../runtime/shards/fenced-ownership';
import type { ShardCount } from '../../../../runtime/shards/publication';
import { ShardMember } from '../../../../runtime/shards/shard-member';
import type { Snapshot } from '../../../../runtime/shards/snapshot';
import type { Random } from '../../../simulation/random';
import type { Scheduler } from '../../../simulation/scheduler';

export interface Environment {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly api: LeaseApi;
  readonly journal: Journal;
  readonly keys: readonly string[];
}

export interface ReplicaTraits extends HostTraits {
  readonly shards: ShardCount;
  readonly wantsSplit: readonly string[];
  /** The longest time of a message between the threads, in milliseconds. */
  readonly slowestMessage: number;
  /** Of the wall clock. */
  readonly skew: number;
}

/** One start of a replica: the protocol on one thread, the work on another. */
class Life implements Claimant {
  public readonly machine: Machine;
  private readonly ownership: FencedOwnership;
  private readonly member: ShardMember;
  private readonly host: WorkerHost;
  /** The main thread turns its event loop again at this time. */
  private busyUntil = 0;
  private nextMessage = 0;
  private messages = Promise.resolve();

  public constructor(
    public readonly name: string,
    link: Link,
    private readonly environment: Environment,
    private readonly traits: ReplicaTraits,
    private readonly hasEnded: () => void,
  ) {
    const { scheduler, random, api, journal, keys } = environment;
    const machine = this.machine = new Machine(scheduler, random, traits.skew);
    const time = machine.time();
    const fence = new Fence(time);
    this.ownership = new FencedOwnership(new Fence(time, fence.memory));
    this.host = new WorkerHost(name, machine, journal, random, keys, traits, this.ownership);
    this.member = new ShardMember({
      client: api.clientOf(link, machine.deliver),
      namespace: 'aso',
      identity: name,
      shards: traits.shards,
      wantsSplit: traits.wantsSplit,
      version: '1.0.0',
      time,
      fence,
      prepare: async (next, signal) => {
        await this.message();
        await this.host.prepare(assignmentOf(next, name), signal);
      },
      onSnapshot: async (snapshot) => this.take(snapshot),
      ownsCluster: () => this.ownership.owns(''),
    });
    this.member.lost.addEventListener('abort', () => this.end());
  }

  public get isRunning(): boolean {
    return this.machine.isRunning;
  }

  public start(): void {
    this.environment.journal.enter(this);
    this.member.join(new AbortController().signal).catch(() => undefined);
    this.host.start();
  }

  /** As asked by a caller that looks whether the namespace is split, and by one that does not. */
  public says(key: string): boolean {
    const { ownership } = this;
    const [namespace = '', root] = key.split('/');
    return ownership.owns(key) || (root !== undefined && !ownership.isSplit(namespace) && ownership.owns(namespace));
  }

  public async stop(): Promise<void> {
    await this.member.release();
    this.end();
  }

  public end(): void {
    if (!this.machine.isAlive) return;
    this.machine.kill();
    this.environment.journal.leave(this);
    this.hasEnded();
  }

  /** All threads stop. When they go on, any of them may be the first. */
  public freeze(milliseconds: number, how: 'freeze' | 'suspend'): void {
    this.machine[how](milliseconds);
    this.environment.scheduler.after(milliseconds, () => this.environment.journal.look(this));
  }

  /** Its settings change. */
  public split(namespaces: readonly string[]): void {
    this.member.split(namespaces);
  }

  /** The main thread does something long. */
  public keepBusy(milliseconds: number): void {
    this.busyUntil = this.environment.scheduler.time + milliseconds;
  }

  private async take(snapshot: Snapshot): Promise<void> {
    await this.message();
    this.ownership.take(structuredClone(snapshot));
    this.environment.journal.look(this);
  }

  private message(): Promise<void> {
    const { random, scheduler } = this.environment;
    // In their order.
    this.nextMessage = Math.max(this.nextMessage, this.busyUntil, scheduler.time + random.between(0, this.traits.slowestMessage));
    const arrived = new Promise<void>((resolve) => this.machine.after(this.nextMessage - scheduler.time, resolve));
    this.messages = this.messages.then(() => arrived);
    return this.messages;
  }
}

/** A pod: when its process ends by itself, it is started again. */
export class Replica {
  public readonly link: Link = { trouble: 'none' };
  public lives = 0;
  public life: Life | undefined;
  private isWanted = false;

  public constructor(private readonly name: string, private readonly environment: Environment, private traits: ReplicaTraits) {}

  public start(): void {
    this.isWanted = true;
    if (this.life) return;
    this.lives += 1;
    const life = this.life = new Life(`${this.name}-${this.lives}`, this.link, this.environment, this.traits, () => {
      if (this.life === life) this.life = undefined;
      const { scheduler, random } = this.environment;
      scheduler.after(random.between(300, 5_000), () => this.isWanted && this.start());
    });
    life.start();
  }

  /** All lives from now on want to split these. */
  public split(namespaces: readonly string[]): void {
    this.traits = { ...this.traits, wantsSplit: namespaces };
    this.life?.split(namespaces);
  }

  /** SIGTERM */
  public stop(): void {
    this.isWanted = false;
    void this.life?.stop();
  }

  /** kill -9; it is started again */
  public kill(): void {
    this.life?.end();
  }
}
