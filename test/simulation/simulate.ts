import { createHash } from 'node:crypto';
import { AzureModel, SUBSCRIPTION } from './azure-model';
import { BatchAnswers } from './batch-answers';
import { ControllerProcess, GLOBAL_CLIENT } from './controller-process';
import { Faults } from './faults';
import { Invariants } from './invariants';
import { LEASES, OPERATOR, TYPES } from './kinds';
import { KubeModel } from './kube-model';
import { KubeWatch } from './kube-watch';
import { LateDrift } from './late-drift';
import { LimitsModel } from './limits-model';
import type { GivenTrouble } from './list-troubles';
import { Members } from './members';
import { Process, WallClock } from './process';
import { ProtocolTime } from './protocol-time';
import { QUIET_PERIODS, QuietHours } from './quiet-hours';
import { Random } from './random';
import { Scheduler } from './scheduler';
import { unsaidWaits, unsettled } from './settled';
import { SettledWrites } from './settled-writes';
import { ShardFaults } from './shard-faults';
import { ShareWatch } from './share-watch';
import { Splitting } from './splitting';
import { Traits } from './traits';
import { isOfTeam } from './truth/guard-rails';
import { MEMBER_LEASE, RULES } from './truth/shares';
import { TEAMS, User } from './user';
import type { ResourceType } from '../../engine/kubernetes';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Some clusters look again more often than the slowest operations last, some as they do by default. */
const SYNC_PERIODS = [...Array.from({ length: 7 }, () => 20 * MINUTE), HOUR];
/** The slowest class of retries waits a sync period, with its spread; what comes back each time is
 * corrected in three more; operations last 40 minutes. */
const SETTLING_PERIODS = 5;
const SETTLING_BESIDES = HOUR;
/**
 * Of these, the periods after which every object without an owner reports so. Nothing new happens to it afterwards, so its wait mostly
 * ends.
 */
const WAITING_PERIODS = 2;
/** So often is looked whether all reconciles have ended. */
const MOST_LOOKS = 4;
/** Of a run with trouble in one list. */
const MORE_STARTS = 3;
/** Replicas that share the namespaces, and the teams whose namespaces these are. */
const SHARDS = 3;
const SHARED_TEAMS = ['a', 'b', 'c'];
/** From so long after the faults on, replicas share the namespaces as they will in the end. */
const SETTLED_AFTER = 15 * MINUTE;
/** As `ProtocolTime.scale`, then. */
const SLOW_PROTOCOL = 60;
/** Of the faults of shards. */
const SHARD_SEED = 0x5a4d;
/**
 * Faults by which a process may take what is there for something else, or forget that it has sent it: a run without them tells what other
 * words alone do.
 */
const MISLEADING = [
  'garbled', 'drift', 'staleReads', 'duplicates', 'vanishing', 'stubborn', 'lazyAnswers', 'failedOperations', 'handmade',
  'crash', 'kubeLost', 'kubeErrors', 'armLost', 'armErrors', 'pauses',
] as const;
/** Lines that are hashed at once. */
const LINES_AT_ONCE = 500;

export interface SimulationOptions {
  /** Called for each step. */
  readonly onStep?: (line: string) => void;
  /** Faults that are left out. */
  readonly without?: readonly string[] | undefined;
  /** Fault in one list at each start; the controller is killed a few more times, so that it has to start. */
  readonly listTrouble?: GivenTrouble | undefined;
  /** Three replicas share the namespaces, with faults of their own. Default: one process looks after all, or one of two leads. */
  readonly shards?: boolean | undefined;
  /** Members of teams make objects by hand, with guard rails or without, and in the end a team leaves. Default: there are none. */
  readonly members?: 'guarded' | 'unguarded' | undefined;
}

export interface Report {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly violations: readonly string[];
  /** Of all steps: equal hashes are equal runs. */
  readonly hash: string;
  readonly steps: number;
  readonly crashes: number;
  readonly requests: number;
  /** How often a replica wrote for a namespace for which another one had written before. */
  readonly moves: number;
  readonly shardFaults: readonly string[];
  /** How often a namespace was split by owner tree, or made whole again. */
  readonly splits: number;
  /** Objects that members have made or tried to make, and which limits have refused some. */
  readonly byHand: number;
  readonly limits: readonly string[];
}

/**
 * One simulation from one seed: some time with faults, then hours in which everything has to come right, then hours in which nothing may
 * happen.
 */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Report> {
  const simulation = new Simulation(seed, options);
  await simulation.run();
  return simulation.report();
}

class Simulation {
  private readonly scheduler = new Scheduler();
  private readonly random: Random;
  private readonly faults: Faults;
  private readonly wall = new WallClock(this.scheduler);
  private readonly kube: KubeModel;
  private readonly azure: AzureModel;
  private readonly invariants: Invariants;
  private readonly user: User;
  private readonly syncPeriod: number;
  private readonly traits: Traits;
  private readonly batchAnswers: BatchAnswers;
  private readonly settledWrites: SettledWrites;
  private readonly limits: LimitsModel;
  private readonly hash = createHash('sha256');
  private lines = '';
  private readonly quietHours: QuietHours;
  private readonly kubeWatch: KubeWatch;
  private readonly types: readonly ResourceType[];
  private readonly protocolTime = new ProtocolTime(() => this.scheduler.time);
  private readonly shareWatch: ShareWatch | undefined;
  private readonly shardFaults: ShardFaults | undefined;
  private readonly splitting: Splitting | undefined;
  private readonly members: Members | undefined;
  /** Alive. */
  private readonly controllers = new Set<ControllerProcess>();
  /** Those that were told to end. */
  private readonly leaving = new WeakSet<ControllerProcess>();
  private steps = 0;
  private crashes = 0;
  private processes = 0;
  private sent = 0;

  public constructor(private readonly seed: number, private readonly options: SimulationOptions) {
    this.random = new Random(seed);
    this.faults = new Faults(this.random, options.without);
    this.syncPeriod = this.random.pick(SYNC_PERIODS);
    const trueNow = () => this.wall.trueNow();
    this.kube = new KubeModel((act) => void this.scheduler.after(this.random.between(100, 4_000), act), trueNow);
    this.azure = new AzureModel(this.random, this.faults, trueNow);
    this.traits = new Traits(seed, this.syncPeriod, options.without);
    const leader = () => (this.traits.replicas > 1 && !options.shards ? this.leader() : undefined);
    this.invariants = new Invariants({
      kube: this.kube,
      azure: this.azure,
      now: trueNow,
      log: (line) => this.log(line),
      subscription: SUBSCRIPTION,
      globalClient: GLOBAL_CLIENT,
      leader,
      mayReach: options.members && ((namespace, path) => isOfTeam(path, namespace, SUBSCRIPTION)),
      tenure: options.shards ? (process, path) => this.shareWatch?.tenure(`replica-${process}`, path) ?? 0 : undefined,
    });
    this.kubeWatch = new KubeWatch({ leader, violated: (text) => this.invariants.violated(text) });
    const { rows, random } = this.traits;
    this.batchAnswers = new BatchAnswers({ ...rows, azure: this.azure, random, now: trueNow, mayBeWrong: () => !this.faults.isOver });
    this.azure.onChange = (path, resource, at) => this.batchAnswers.changed(path, resource, at);
    this.azure.rows = (request) => this.batchAnswers.answer(request);
    this.limits = new LimitsModel(this.traits.limits, trueNow);
    this.quietHours = new QuietHours(this.kube, this.azure, this.traits, (path) => this.user.isStubborn(path));
    const isMisleading = MISLEADING.some((fault) => this.faults.has(fault));
    this.settledWrites = new SettledWrites(trueNow, (text) => this.invariants.violated(text), (path, body) => (
      !isMisleading && this.azure.isAsSent(path, body)));
    if (options.shards) {
      const shardRandom = new Random(seed + SHARD_SEED);
      const watch = this.shareWatch = new ShareWatch({
        now: trueNow,
        protocolNow: () => this.protocolTime.now(),
        namespaces: [OPERATOR, ...SHARED_TEAMS],
        kube: this.kube,
        violated: (text) => this.invariants.violated(text),
      });
      this.shardFaults = new ShardFaults({
        random: shardRandom,
        without: options.without ?? [],
        after: (milliseconds, act) => void this.scheduler.after(milliseconds, act),
        victims: () => this.victims(),
        settledMembers: () => watch.settledMembers(),
        deleteLease: (identity) => this.kube.delete(LEASES, OPERATOR, `${MEMBER_LEASE}${identity}`, 'user'),
        termMs: (RULES.term + RULES.drift) * this.protocolTime.scale,
        log: (line) => this.log(line),
      });
    }
    this.splitting = options.shards ? new Splitting({
      seed,
      without: options.without ?? [],
      kube: this.kube,
      namespaces: SHARED_TEAMS,
      after: (milliseconds, act) => void this.scheduler.after(milliseconds, act),
      log: (line) => this.log(line),
    }) : undefined;
    this.members = options.members && new Members({
      seed,
      kube: this.kube,
      namespaces: options.shards ? SHARED_TEAMS : TEAMS,
      subscription: SUBSCRIPTION,
      isGuarded: options.members === 'guarded',
      after: (milliseconds, act) => void this.scheduler.after(milliseconds, act),
      log: (line) => this.log(line),
    });
    this.kube.onWrite = (write) => {
      this.shareWatch?.written(write);
      this.invariants.written(write);
    };
    const plan = (after: number, act: () => void) => void this.scheduler.after(after, act);
    this.user = new User({
      kube: this.kube,
      azure: this.azure,
      random: this.random,
      faults: this.faults,
      wall: this.wall,
      log: (line) => this.log(line),
      plan,
      late: this.hasGlobalCredential ? ['b'] : [],
      onboarded: this.seed % 6 === 0 ? ['a'] : [],
      traits: this.traits,
      teams: options.shards ? SHARED_TEAMS : undefined,
      hasMoreTrees: this.splitting?.isChosen,
    });
    // Kinds of which there are no objects cost time, and show nothing.
    this.types = TYPES.filter(
      ({ group, kind }) => group !== 'network.azure.com' || this.user.wanted.some(({ type }) => type.kind === kind),
    );
  }

  /** Of every third simulation. */
  private get hasGlobalCredential(): boolean {
    return this.seed % 3 === 0;
  }

  public async run(): Promise<void> {
    this.user.begin();
    for (const wanted of this.user.wanted) this.scheduler.after(this.random.between(0, 3 * MINUTE), () => this.user.create(wanted));
    for (let replica = 0; replica < this.replicas; replica += 1) this.start();
    this.shardFaults?.begin();
    this.splitting?.begin();
    this.members?.begin();
    const faulty = this.random.between(20, 80) * MINUTE;
    if (this.options.listTrouble) this.startAgainWithin(faulty);
    this.userActs();
    await this.advance(faulty);
    this.log('faults stop');
    this.faults.stop();
    this.shardFaults?.stop();
    if (this.shardFaults) this.scheduler.after(SETTLED_AFTER, () => this.protocolTime.slowDown(SLOW_PROTOCOL));
    this.userRepairs();
    this.startMissing();
    await this.advance(WAITING_PERIODS * this.syncPeriod);
    this.complain(unsaidWaits(this.kube));
    if (!this.traits.waitsForEver) this.user.endWaits();
    this.members?.stop();
    await this.advance((SETTLING_PERIODS - WAITING_PERIODS) * this.syncPeriod + SETTLING_BESIDES);
    this.complain(unsettled(this.kube, this.azure, (path) => this.user.isStubborn(path)));
    this.complain(this.shareWatch?.unowned() ?? []);
    this.quietHours.begin();
    await this.advance(QUIET_PERIODS * this.syncPeriod);
    this.complain(
      [...unsettled(this.kube, this.azure, (path) => this.user.isStubborn(path)), ...this.quietHours.problems()].map(
        (text) => `in the quiet hours: ${text}`,
      ),
    );
    await this.drifts();
    this.complain(this.quietHours.uncorrected());
    await this.teamLeaves('b');
    await this.allEnd();
    this.controllers.forEach((controller) => controller.kill());
  }

  private get replicas(): number {
    return this.options.shards ? SHARDS : this.traits.replicas;
  }

  private victims() {
    return [...this.controllers].filter((controller) => !this.leaving.has(controller)).map((controller) => ({
      identity: controller.identity,
      main: controller.main,
      supervisor: controller.supervisor,
      kill: () => this.crash(controller),
      leave: () => {
        this.leaving.add(controller);
        void controller.leave();
      },
    }));
  }

  /** Holder of the Lease in the API server; empty if there is none. */
  private leader(): string {
    const lease = this.kube.all(LEASES).find(({ metadata }) => metadata.namespace === OPERATOR);
    return String(lease?.spec?.holderIdentity ?? '');
  }

  private async teamLeaves(namespace: string): Promise<void> {
    if (!this.members) return;
    this.members.leave(namespace);
    await this.advance(SETTLING_PERIODS * this.syncPeriod + SETTLING_BESIDES);
    this.complain(this.members.left(namespace));
  }

  /** A reconcile that hangs runs whenever one looks; another one may just have begun. */
  private async allEnd(): Promise<void> {
    for (let looks = 1; [...this.controllers].some(({ running }) => running > 0); looks += 1) {
      if (looks > MOST_LOOKS) return this.complain(['a reconcile hangs']);
      await this.advance(5 * MINUTE);
    }
  }

  public report(): Report {
    const { seed, steps, crashes, sent } = this;
    this.hash.update(this.lines);
    return {
      seed,
      faults: [...this.faults.chosen, ...this.traits.chosen, ...this.shardFaults?.chosen ?? [], ...this.splitting?.isChosen ? ['split'] : []],
      violations: [...new Set(this.invariants.violations)],
      hash: this.hash.digest('hex'),
      steps,
      crashes,
      requests: sent,
      moves: this.shareWatch?.moves ?? 0,
      splits: this.splitting?.changes ?? 0,
      byHand: this.members?.made ?? 0,
      limits: [...this.members?.refused.keys() ?? []],
      shardFaults: [...this.shardFaults?.happened.keys() ?? []],
    };
  }

  /** Another client changes resources when all is quiet. */
  private async drifts(): Promise<void> {
    const { kube, azure, traits, syncPeriod } = this;
    const isStubborn = (path: string) => this.user.isStubborn(path);
    const wasMisshown = (path: string) => this.batchAnswers.misshown.has(path.toLowerCase());
    const drift = new LateDrift({
      kube,
      azure,
      traits,
      syncPeriod,
      isStubborn,
      wasMisshown,
      random: traits.random,
      log: (line) => this.log(line),
    });
    await this.advance(drift.begin());
    this.complain([...drift.problems(), ...unsettled(kube, azure, isStubborn)].map((text) => `after late changes: ${text}`));
  }

  /** In pieces, so that a run that has gone wrong ends. */
  private async advance(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= HOUR) {
      if (this.invariants.violations.length > 0) return;
      await this.scheduler.advance(Math.min(left, HOUR)).catch((error: Error) => this.complain([error.message]));
    }
  }

  private complain(problems: readonly string[]): void {
    if (this.invariants.violations.length === 0) problems.forEach((problem) => this.invariants.violated(problem));
  }

  private start(): void {
    const { faults, random, kube, azure, invariants } = this;
    const process = new Process((this.processes += 1), this.scheduler, this.wall, random);
    const supervisor = this.shareWatch && new Process(process.number, this.scheduler, this.wall, random, process);
    const controller: ControllerProcess = new ControllerProcess({
      process,
      types: this.types,
      settledWrites: this.settledWrites,
      limits: this.limits,
      contrary: this.traits.contrary,
      timeScale: this.traits.limits.timeScale,
      syncPeriod: this.syncPeriod,
      ...(this.traits.drift === 'batch' ? { driftDetection: this.traits } : {}),
      faults,
      random,
      kube,
      azure,
      invariants,
      kubeWatch: this.kubeWatch,
      log: (line) => this.log(line),
      mayDie: () => {
        if (process.alive && faults.strikes('crash', 0.006)) this.crash(controller);
        else if (process.alive && faults.strikes('pauses', 0.002)) this.pause(process);
      },
      hasGlobalCredential: this.hasGlobalCredential,
      isValid: (principal) => this.user.isValid(principal),
      isReplica: this.traits.replicas > 1 && !this.shareWatch,
      shards: this.shareWatch && { supervisor: supervisor!, watch: this.shareWatch, time: this.protocolTime },
      listTrouble: this.options.listTrouble,
      onEnd: () => this.ended(controller),
      onRequest: (method, path) => this.count(method, path),
    });
    this.controllers.add(controller);
    this.log(`process ${process.number} starts`);
    controller.start().catch((error: unknown) => {
      if (process.alive) invariants.violated(`the controller does not start: ${(error as Error).message}`);
    });
  }

  private crash(controller: ControllerProcess): void {
    this.crashes += 1;
    this.log(`crash of ${controller.identity}`);
    controller.kill();
    this.ended(controller);
  }

  private startAgainWithin(time: number): void {
    for (let part = 1; part <= MORE_STARTS; part += 1) {
      this.scheduler.after((time * part) / (MORE_STARTS + 1), () => {
        for (const controller of [...this.controllers]) this.crash(controller);
      });
    }
  }

  /** A process that has ended is started again after a while. */
  private ended(controller: ControllerProcess): void {
    this.controllers.delete(controller);
    this.scheduler.after(this.random.between(1_000, 60_000), () => {
      if (this.controllers.size < this.replicas) this.start();
    });
  }

  private startMissing(): void {
    while (this.controllers.size < this.replicas) this.start();
  }

  /** Its node has no time for it. */
  private pause(process: Process): void {
    const milliseconds = this.random.between(1_000, 90_000);
    this.log(`process ${process.number} stands still for ${milliseconds} ms`);
    process.pause(milliseconds);
  }

  private userActs(): void {
    this.scheduler.after(this.random.between(5_000, 180_000), () => {
      this.user.act();
      this.userActs();
    });
  }

  private userRepairs(): void {
    this.user.repair();
    this.scheduler.after(5 * MINUTE, () => this.userRepairs());
  }

  private count(method: string, path: string): void {
    this.sent += 1;
    this.quietHours.count(method, path);
  }

  private log(line: string): void {
    this.steps += 1;
    const text = `${(this.scheduler.time / 1000).toFixed(3)} ${line}`;
    this.lines += `${text}\n`;
    if (this.steps % LINES_AT_ONCE === 0) {
      this.hash.update(this.lines);
      this.lines = '';
    }
    this.options.onStep?.(text);
  }
}
