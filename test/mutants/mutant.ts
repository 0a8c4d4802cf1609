/** A fault that is made on purpose, and that a suite or a simulation has to find. */
export interface Mutant {
  readonly name: string;
  /** The suites that have to find it, which are run without it first. Default: none. */
  readonly suites?: readonly string[];
  /** Runs what has to find it. */
  find(tools: Tools): Promise<Verdict>;
}

/** `by`: the seed or the test that found it. `why`: the reason for which it counts as not found. */
export type Verdict = { readonly found: true; readonly by: string } | { readonly found: false; readonly why: string };

/** Tools that one of the jobs has at its disposal, beside others. */
export interface Tools {
  /** Runs suites, with edits of sources or without. */
  readonly suites: SuiteRunner;
  /** A process of a simulation's program, which this job alone uses. */
  simulation<Job, Answer>(program: SimulationProgram<Job, Answer>): Promise<(job: Job) => Promise<Answer>>;
}

/** Bundles the program of a simulation. */
export interface SimulationProgram<Job, Answer> {
  (): Promise<{ start(): { ask(job: Job): Promise<Answer> }; end(): void }>;
}

export interface SuiteRunner {
  /** Names of failing tests, by suite, of sources as they are. */
  failuresWithout(suite: string): readonly string[];
  run(suites: readonly string[], options: SuiteOptions): Promise<SuiteResults>;
}

export interface SuiteOptions {
  readonly edits?: readonly SourceEdit[];
  /** Only tests whose names match this pattern. */
  readonly test?: string | undefined;
}

/** Names of the tests that fail, or why the suite did not run. */
export type SuiteResult = { readonly failures: readonly string[] } | { readonly error: string };

/** By the path of the suite. */
export type SuiteResults = ReadonlyMap<string, SuiteResult>;

/** A replacement in a source, which is made when the file is loaded. */
export interface SourceEdit {
  /** Path from the root. */
  readonly file: string;
  /** Text that is in the file exactly once. */
  readonly from: string;
  readonly to: string;
}

/** Mutants of one part. */
export interface Group {
  readonly mutants: readonly Mutant[];
  /** Why the group cannot run here. */
  readonly skipped?: string;
}
