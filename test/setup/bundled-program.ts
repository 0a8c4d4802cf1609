import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { Answered, Sent } from './answer-jobs';
import { mutated, mutatedFiles } from '../../scripts/suites/mutant.cjs';

const ROOT = join(__dirname, '..', '..');
/** Thousands of errors are created without their stacks being read, and most objects live for one step of a simulation. */
const FLAGS = ['--stack-trace-limit=0', '--max-semi-space-size=64'];

/**
 * A test's program that runs from a bundle, in processes of its own. In the suite itself, where each use of a global is a call, simulations
 * take five to ten times as long.
 */
export class BundledProgram<Job, Answer> {
  private readonly processes: ProgramProcess<Job, Answer>[] = [];

  /** @param file the bundle */
  public constructor(private readonly file: string) {}

  public start(): ProgramProcess<Job, Answer> {
    const started = new ProgramProcess<Job, Answer>(fork(this.file, { execArgv: FLAGS }));
    this.processes.push(started);
    return started;
  }

  public end(): void {
    this.processes.splice(0).forEach((started) => started.end());
    rmSync(this.file, { force: true });
  }
}

export class ProgramProcess<Job, Answer> {
  private readonly waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  private asked = 0;

  public constructor(private readonly child: ChildProcess) {
    child.on('message', ({ id, content }: Answered<Answer>) => {
      const asked = this.waiting.get(id);
      this.waiting.delete(id);
      if ('answer' in content) asked?.resolve(content.answer);
      else asked?.reject(new Error(content.error));
    });
    child.on('exit', (code, signal) => {
      this.waiting.forEach(({ reject }) => reject(new Error(`the process ended with ${code ?? signal}`)));
      this.waiting.clear();
    });
  }

  public ask(job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.asked += 1;
      this.waiting.set(this.asked, { resolve, reject });
      this.child.send({ id: this.asked, content: job } satisfies Sent<Job>);
    });
  }

  public end(): void {
    if (this.child.connected) this.child.disconnect();
  }
}

/**
 * Bundles a program.
 * @param entry path from the root; it calls `answerJobs`
 * @param replaced modules that are imported in the place of others: paths from the root
 */
export async function bundleProgram<Job, Answer>(
  entry: string, replaced: Readonly<Record<string, string>> = {},
): Promise<BundledProgram<Job, Answer>> {
  // The catalog finds itself two folders above the code that reads it.
  const outfile = join(ROOT, 'node_modules', '.simulation', `${entry.replace(/\W/g, '-')}-${process.pid}.cjs`);
  await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    logLevel: 'error',
    plugins: [replacing(replaced), mutating],
  });
  return new BundledProgram(outfile);
}

/** For a suite: a process of the program while its tests run. */
export function programOfSuite<Job, Answer>(...program: Parameters<typeof bundleProgram>): (job: Job) => Promise<Answer> {
  let bundled: BundledProgram<Job, Answer> | undefined;
  let started: ProgramProcess<Job, Answer> | undefined;
  beforeAll(async () => {
    bundled = await bundleProgram<Job, Answer>(...program);
    started = bundled.start();
  });
  afterAll(() => bundled?.end());
  return (job) => started!.ask(job);
}

function replacing(replaced: Readonly<Record<string, string>>): Plugin {
  const others = new Map(Object.entries(replaced).map(([path, other]) => [join(ROOT, path), join(ROOT, other)]));
  return {
    name: 'replacing',
    setup({ onResolve }) {
      onResolve({ filter: /^\.\.?\// }, ({ resolveDir, path, importer }) => {
        const other = others.get(join(resolveDir, `${path}.ts`));
        return other === undefined || other === importer ? undefined : { path: other };
      });
    },
  };
}

/** The mutant of the environment, as in the modules of suites. */
const mutating: Plugin = {
  name: 'mutating',
  setup({ onLoad }) {
    if (mutatedFiles.length === 0) return;
    onLoad({ filter: /\.ts$/ }, ({ path }) => (
      mutatedFiles.includes(path) ? { contents: mutated(readFileSync(path, 'utf8'), path), loader: 'ts' } : undefined));
  },
};
