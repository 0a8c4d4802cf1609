import { Journal } from './journal';
import { LeaseApi, type Link } from './lease-api';
import { SingleController, UnknownReplica } from './others';
import { Replica, type Environment } from './replica';
import { Random } from '../../../simulation/random';
import { Scheduler } from '../../../simulation/scheduler';

/** The result of one seed. */
export interface Report {
  readonly seed: number;
  readonly violations: readonly string[];
  /** Names of the disturbances that have happened. */
  readonly disturbances: readonly string[];
  readonly requests: number;
  readonly writes: number;
  readonly takeOvers: number;
  readonly lives: number;
}

const SECOND = 1_000;
const KEYS = ['', 'red', 'green', 'blue', 'pink', 'hot', 'hot/1', 'hot/2', 'hot/3'];
const SPLIT_SEED = 1_000_000;
/** Disturbances end at this time. */
const DISTURBED = 80 * SECOND;
/** Then all has to come right within this time: twice an expired Lease of 15 s (members that end are started again), drains, and lists. */
const QUIET = 75 * SECOND;
const TROUBLES: readonly Link['trouble'][] = ['cut', 'mute', 'slow', 'lossy'];
const ANNOTATIONS = ['{"protocol":2,"owns":"everything"}', 'not JSON', '{"protocol":1,"phase":"active","members":"all"}', ''];

/** One run: replicas of random settings, and what happens to them. */
export async function simulate(seed: number): Promise<Report> {
  return new Simulation(seed).run();
}

class Simulation {
  private readonly random: Random;
  private readonly scheduler = new Scheduler();
  private readonly journal = new Journal(this.scheduler, KEYS);
  private readonly environment: Environment;
  private readonly replicas: Replica[];
  private readonly disturbances = new Set<string>();

  public constructor(private readonly seed: number) {
    const random = this.random = new Random(seed);
    const api = new LeaseApi(this.scheduler, random);
    this.environment = { scheduler: this.scheduler, random, api, journal: this.journal, keys: KEYS };
    // Most installations have one setting; some are being changed.
    const shards = random.chance(0.7) ? 'auto' : random.between(1, 3);
    const isMixed = random.chance(0.2);
    const slowestFill = random.pick([200, 2_000, 8_000]);
    const longestWork = random.pick([2, 6]);
    this.replicas = Array.from({ length: random.between(3, 5) }, (_, index) => new Replica(`replica-${index}`, this.environment, {
      shards: isMixed ? random.pick(['auto', 1, 2] as const) : shards,
      wantsSplit: random.chance(isMixed ? 0.5 : 0.9) ? ['hot'] : [],
      slowestFill,
      longestWork,
      slowestMessage: random.pick([0, 20, 300]),
      skew: random.between(-300, 300) * SECOND,
    }));
  }

  public async run(): Promise<Report> {
    const { scheduler, random, journal, replicas } = this;
    const others = this.others();
    for (const replica of replicas) {
      const begin = random.chance(0.5) ? random.between(0, 2_000) : random.between(0, 40) * SECOND;
      scheduler.after(begin, () => replica.start());
    }
    for (let count = random.between(1, 9); count > 0; count -= 1) {
      scheduler.after(random.between(5 * SECOND, DISTURBED - SECOND), () => this.disturb());
    }
    this.splitAtTimes();
    const everyMoment = () => {
      journal.lookAtAll();
      scheduler.after(250, everyMoment);
    };
    everyMoment();
    await scheduler.advance(DISTURBED);
    others.forEach((other) => other.kill());
    for (const replica of replicas) {
      replica.link.trouble = 'none';
      replica.start();
    }
    await scheduler.advance(QUIET);
    const left = journal.unsettled().map((text) => `at the end: ${text}`);
    return {
      seed: this.seed,
      violations: [...journal.violations, ...left],
      disturbances: [...this.disturbances],
      requests: this.environment.api.requests,
      writes: journal.writes,
      takeOvers: journal.takeOvers,
      lives: replicas.reduce((sum, { lives }) => sum + lives, 0),
    };
  }

  /** Others that use the same Leases. */
  private others(): { kill(): void }[] {
    const { random, scheduler, environment } = this;
    const others: { kill(): void; start(): void }[] = [];
    if (random.chance(0.2)) {
      const single = new SingleController('single', environment);
      others.push(single);
      if (random.chance(0.5)) scheduler.after(random.between(20, 70) * SECOND, () => void single.stop());
    }
    if (random.chance(0.15)) others.push(new UnknownReplica('unknown', environment, random.pick(ANNOTATIONS)));
    for (const other of others) {
      this.disturbances.add(other.constructor.name);
      scheduler.after(random.chance(0.5) ? 0 : random.between(0, 60) * SECOND, () => other.start());
    }
    return others;
  }

  /** By hand: the Lease of a member. */
  private deleteLease(): void {
    const { api } = this.environment;
    const names = [...api.leases.keys()].filter((name) => name.startsWith('cdk8s-aso-shard-'));
    if (names.length > 0) api.leases.delete(this.random.pick(names));
    api.deletedAt = this.scheduler.time;
  }

  /** The annotation of a namespace is set, or removed: replicas see that one after the other. Drawn apart from the other disturbances. */
  private splitAtTimes(): void {
    const { scheduler, replicas } = this;
    const random = new Random(this.seed + SPLIT_SEED);
    if (!random.chance(0.3)) return;
    for (let count = random.between(1, 3); count > 0; count -= 1) {
      const time = random.between(5 * SECOND, DISTURBED - 5 * SECOND);
      const namespaces = random.chance(0.5) ? ['hot'] : [];
      for (const replica of replicas) scheduler.after(time + random.between(0, 4_000), () => replica.split(namespaces));
      scheduler.after(time, () => this.disturbances.add('split'));
    }
  }

  private disturb(): void {
    const { random, scheduler } = this;
    const replica = random.pick(this.replicas);
    const until = Math.min(random.between(500, 45 * SECOND), DISTURBED - scheduler.time);
    const trouble = random.pick(TROUBLES);
    const kinds: Record<string, () => void> = {
      stop: () => {
        replica.stop();
        scheduler.after(until, () => replica.start());
      },
      kill: () => replica.kill(),
      freeze: () => replica.life?.freeze(until, 'freeze'),
      suspend: () => replica.life?.freeze(until, 'suspend'),
      jump: () => replica.life?.machine.jump(random.between(-600, 600) * SECOND),
      delete: () => this.deleteLease(),
      busy: () => replica.life?.keepBusy(until),
      [trouble]: () => {
        replica.link.trouble = trouble;
        scheduler.after(until, () => (replica.link.trouble = 'none'));
      },
    };
    const kind = random.pick(Object.keys(kinds));
    this.disturbances.add(kind);
    kinds[kind]!();
  }
}
