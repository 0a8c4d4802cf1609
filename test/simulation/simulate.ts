import { createHash } from 'node:crypto';
import { AzureModel } from './azure-model';
import { ControllerProcess } from './controller-process';
import { Faults } from './faults';
import { Invariants } from './invariants';
import { KubeModel } from './kube-model';
import { LateDrift } from './late-drift';
import { LimitsModel } from './limits-model';
import { Process, WallClock } from './process';
import { QUIET_PERIODS, QuietHours } from './quiet-hours';
import { Random } from './random';
import { Scheduler } from './scheduler';
import { unsettled } from './settled';
import { SettledWrites } from './settled-writes';
import { SweepModel } from './sweep-model';
import { Traits } from './traits';
import { User } from './user';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Some clusters look again more often than the slowest operations last, some as they do by default. */
const SYNC_PERIODS = [20 * MINUTE, 20 * MINUTE, 20 * MINUTE, HOUR];
/** The slowest class of retries waits a sync period, with its spread; what comes back each time is
 * corrected in three more; operations last 40 minutes. */
const SETTLING_PERIODS = 5;
const SETTLING_BESIDES = HOUR;
/** So often is looked whether all passes have ended. */
const MOST_LOOKS = 4;
/** Lines that are hashed at once. */
const LINES_AT_ONCE = 500;

export interface SimulationOptions {
  /** Told of each step. */
  readonly onStep?: (line: string) => void;
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
}

/** One world from one seed: some time with faults, then hours in which everything has to come right, then hours in which nothing may happen. */
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
  private readonly sweepModel: SweepModel;
  private readonly settledWrites: SettledWrites;
  private readonly limits: LimitsModel;
  private readonly hash = createHash('sha256');
  private lines = '';
  private readonly quietHours: QuietHours;
  private controller?: ControllerProcess;
  private steps = 0;
  private crashes = 0;
  private processes = 0;
  private sent = 0;

  public constructor(private readonly seed: number, private readonly options: SimulationOptions) {
    this.random = new Random(seed);
    this.faults = new Faults(this.random);
    this.syncPeriod = this.random.pick(SYNC_PERIODS);
    const trueNow = () => this.wall.trueNow();
    this.kube = new KubeModel((act) => void this.scheduler.after(this.random.between(100, 4_000), act), trueNow);
    this.azure = new AzureModel(this.random, this.faults, trueNow);
    this.invariants = new Invariants(this.kube, this.azure, trueNow, (line) => this.log(line));
    this.traits = new Traits(seed, this.syncPeriod);
    const { rows, random } = this.traits;
    this.sweepModel = new SweepModel({ ...rows, azure: this.azure, random, now: trueNow, mayBeWrong: () => !this.faults.isOver });
    this.azure.onChange = (path, resource, at) => this.sweepModel.changed(path, resource, at);
    this.azure.rows = (request, path) => this.sweepModel.answer(request, path);
    this.limits = new LimitsModel(this.traits.limits, trueNow);
    this.quietHours = new QuietHours(this.kube, this.traits, (path) => this.user.isStubborn(path));
    this.settledWrites = new SettledWrites(trueNow, (text) => this.invariants.violated(text));
    this.kube.onWrite = (write) => this.invariants.written(write);
    const plan = (after: number, act: () => void) => void this.scheduler.after(after, act);
    this.user = new User(this.kube, this.azure, this.random, this.faults, this.wall, (line) => this.log(line), plan, this.hasGlobalCredential ? ['b'] : []);
  }

  /** Of every third world. */
  private get hasGlobalCredential(): boolean {
    return this.seed % 3 === 0;
  }

  public async run(): Promise<void> {
    this.user.begin();
    for (const wanted of this.user.wanted) this.scheduler.after(this.random.between(0, 3 * MINUTE), () => this.user.create(wanted));
    this.start();
    const faulty = this.random.between(20, 80) * MINUTE;
    this.userActs();
    await this.advance(faulty);
    this.log('faults stop');
    this.faults.stop();
    this.userRepairs();
    if (!this.controller) this.start();
    await this.advance(SETTLING_PERIODS * this.syncPeriod + SETTLING_BESIDES);
    this.complain(unsettled(this.kube, this.azure, (path) => this.user.isStubborn(path)));
    this.quietHours.begin();
    await this.advance(QUIET_PERIODS * this.syncPeriod);
    this.complain([...unsettled(this.kube, this.azure, (path) => this.user.isStubborn(path)), ...this.quietHours.problems()].map((text) => `in the quiet hours: ${text}`));
    await this.drifts();
    await this.allEnd();
    this.controller?.kill();
  }

  /** A pass that hangs runs whenever one looks; another one may just have begun. */
  private async allEnd(): Promise<void> {
    for (let looks = 1; this.controller && this.controller.running > 0; looks += 1) {
      if (looks > MOST_LOOKS) return this.complain(['a pass hangs']);
      await this.advance(5 * MINUTE);
    }
  }

  public report(): Report {
    const { seed, steps, crashes, sent } = this;
    this.hash.update(this.lines);
    return { seed, faults: [...this.faults.chosen, ...this.traits.chosen], violations: [...new Set(this.invariants.violations)], hash: this.hash.digest('hex'), steps, crashes, requests: sent };
  }

  /** Somebody changes resources when all is quiet. */
  private async drifts(): Promise<void> {
    const { kube, azure, traits, syncPeriod } = this;
    const isStubborn = (path: string) => this.user.isStubborn(path);
    const wasMisshown = (path: string) => this.sweepModel.misshown.has(path.toLowerCase());
    const drift = new LateDrift({ kube, azure, traits, syncPeriod, isStubborn, wasMisshown, random: traits.random, log: (line) => this.log(line) });
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
    const controller = new ControllerProcess({
      process,
      settledWrites: this.settledWrites,
      limits: this.limits,
      timeScale: this.traits.limits.timeScale,
      syncPeriod: this.syncPeriod,
      ...(this.traits.drift === 'batch' ? { sweeps: this.traits } : {}),
      faults,
      random,
      kube,
      azure,
      invariants,
      log: (line) => this.log(line),
      mayDie: () => {
        if (process.alive && faults.strikes('crash', 0.006)) this.crash();
      },
      hasGlobalCredential: this.hasGlobalCredential,
      validCredential: (namespace) => this.user.validCredential(namespace),
      onRequest: (method, path) => this.count(method, path),
    });
    this.controller = controller;
    this.log(`process ${process.number} starts`);
    controller.start().catch((error: unknown) => {
      if (process.alive) invariants.violated(`the controller does not start: ${(error as Error).message}`);
    });
  }

  private crash(): void {
    this.crashes += 1;
    this.log('crash');
    this.controller?.kill();
    this.controller = undefined;
    this.scheduler.after(this.random.between(1_000, 60_000), () => {
      if (!this.controller) this.start();
    });
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
