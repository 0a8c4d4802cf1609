import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { SuiteOptions, SuiteResult, SuiteResults, SuiteRunner } from './mutant';
import { MUTANT } from '../../scripts/suites/mutant.cjs';

const ROOT = join(__dirname, '..', '..');
const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
/** A mutant that makes a suite run for ever is not found: on a slow machine it could not be told from one that works. */
const LIMIT_MS = 10 * 60_000;

interface JestReport {
  readonly testResults: readonly {
    /** Absolute path. */
    readonly name: string;
    /** The error of a suite that did not load. */
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** Runs suites in processes of jest, each of which may have another mutant. */
export class JestRunner implements SuiteRunner {
  private readonly children = new Set<() => void>();
  private before: SuiteResults = new Map();

  public constructor() {
    // A process that ends at once leaves none of jest behind.
    process.once('exit', () => this.end());
  }

  /** Runs suites with the sources as they are. Answers what fails there already. */
  public async runWithout(suites: readonly string[], processes: number): Promise<string[]> {
    if (suites.length > 0) this.before = await this.start(suites, {}, processes);
    return [...this.before].flatMap(([suite, result]) => (
      'error' in result ? `${suite}: ${result.error}` : result.failures.map((title) => `${suite}: ${title}`)));
  }

  public failuresWithout(suite: string): readonly string[] {
    const before = this.before.get(suite);
    return before && 'failures' in before ? before.failures : [];
  }

  public run(suites: readonly string[], options: SuiteOptions): Promise<SuiteResults> {
    return this.start(suites, options, 1);
  }

  public end(): void {
    this.children.forEach((kill) => kill());
  }

  private async start(suites: readonly string[], { edits = [], test }: SuiteOptions, processes: number): Promise<SuiteResults> {
    const directory = mkdtempSync(join(tmpdir(), 'cdk8s-aso-mutant-'));
    const file = join(directory, 'report.json');
    const child = spawn(process.execPath, [
      '--max-semi-space-size=64', JEST, '--ci', '--silent', '--maxWorkers', String(processes), '--json', '--outputFile', file,
      ...(test === undefined ? [] : ['--testNamePattern', test]), '--runTestsByPath', ...suites,
    ], { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, FORCE_COLOR: '0', [MUTANT]: JSON.stringify(edits) } });
    const kill = () => void child.kill('SIGKILL');
    this.children.add(kill);
    let [errors, isLate] = ['', false];
    child.stderr.on('data', (data: Buffer) => (errors = `${errors}${data.toString()}`.slice(-4_000)));
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, LIMIT_MS);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    this.children.delete(kill);
    try {
      return resultsOf(JSON.parse(readFileSync(file, 'utf8')) as JestReport);
    } catch {
      const error = isLate ? `it takes more than ${LIMIT_MS / 60_000} minutes` : `it did not run: ${errors.trim()}`;
      return new Map(suites.map((suite) => [suite, { error }]));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

function resultsOf({ testResults }: JestReport): SuiteResults {
  return new Map(testResults.map(({ name, ...result }) => [relative(ROOT, name).split(sep).join('/'), resultOf(result)]));
}

/** A suite that does not load would fail with any text in the place of the source: that finds nothing. */
function resultOf({ message, assertionResults }: Omit<JestReport['testResults'][number], 'name'>): SuiteResult {
  if (assertionResults.length === 0) return { error: `it did not run: ${message}` };
  return { failures: assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName) };
}
