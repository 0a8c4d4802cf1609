import type { SimulationProgram, SuiteRunner, Tools } from './mutant';

type Bundled = Awaited<ReturnType<SimulationProgram<unknown, unknown>>>;

/** The programs of simulations: each is bundled once, when it is first needed. */
export class Simulations {
  private readonly bundles = new Map<SimulationProgram<never, unknown>, Promise<Bundled>>();

  public async bundled<Job, Answer>(program: SimulationProgram<Job, Answer>): ReturnType<SimulationProgram<Job, Answer>> {
    const key = program as SimulationProgram<never, unknown>;
    let bundle = this.bundles.get(key);
    if (!bundle) this.bundles.set(key, bundle = program() as Promise<Bundled>);
    return await bundle as Awaited<ReturnType<SimulationProgram<Job, Answer>>>;
  }

  /** Ends the processes of all programs, and removes the bundles. */
  public async end(): Promise<void> {
    for (const bundle of this.bundles.values()) (await bundle.catch(() => undefined))?.end();
  }
}

/** The tools of one of the jobs that run at a time. */
export class JobTools implements Tools {
  private readonly started = new Map<SimulationProgram<never, unknown>, unknown>();

  public constructor(public readonly suites: SuiteRunner, private readonly simulations: Simulations) {}

  public async simulation<Job, Answer>(program: SimulationProgram<Job, Answer>): Promise<(job: Job) => Promise<Answer>> {
    const key = program as SimulationProgram<never, unknown>;
    let ask = this.started.get(key) as ((job: Job) => Promise<Answer>) | undefined;
    if (!ask) {
      const process = (await this.simulations.bundled(program)).start();
      ask = (job) => process.ask(job);
      this.started.set(key, ask);
    }
    return ask;
  }
}
