import { existsSync, readFileSync } from 'node:fs';
import { close as closeInspector } from 'node:inspector';
import { join } from 'node:path';
import { ListenError } from './http/http-endpoints';
import { LeadershipLostError } from './leader';
import { createLogger, type Logger, type LogOptions } from './log/log';
import { ShardLostError } from './shards/shard-lost-error';
import { KubeconfigError } from '../engine/kubernetes/kubeconfig';
import { asText } from '../src/util/words';

/** Time for the process to end, below the grace period of the pod (20 s): the sum of all waits for others is less. */
const LONGEST_END_MS = 18_000;
/** Time for the last output, after the program has ended. */
const LAST_OUTPUT_MS = 1_000;

/** Errors that the message explains to the user: no stack is logged. */
type ErrorClass = abstract new (...args: never[]) => Error;
const EXPLAINED_ERRORS: readonly ErrorClass[] = [KubeconfigError, ListenError, LeadershipLostError, ShardLostError];

export interface ProgramContext {
  readonly logger: Logger;
  /** Of the package that contains the program; `dev` where there is none. */
  readonly version: string;
  /** Aborted by SIGTERM and SIGINT. */
  readonly stop: AbortSignal;
}

/** Flags of every program. */
type LogFlags = Pick<LogOptions, 'verbosity' | 'json'>;

/** The parts that a program in a cluster has of its own. */
export interface Program<F extends LogFlags> {
  /** `controller` of `cdk8s-aso-controller`. */
  readonly name: string;
  /** Output of `--help`. */
  readonly help: string;
  /** @throws FlagError */
  readonly readFlags: (args: readonly string[]) => F | 'help' | 'version';
  /** Errors that end the program with their message alone, besides those of every program in a cluster. */
  readonly explainedErrors: readonly ErrorClass[];
  /** Resolves after `stop` was aborted. */
  readonly run: (flags: F, context: ProgramContext) => Promise<void>;
}

/**
 * Runs a program of this process: flags, signals, log and exit status (0 stopped, 1 failed).
 * An uncaught error of a library ends the process: the next start finds all state on the objects.
 */
export async function runProgram<F extends LogFlags>(program: Program<F>): Promise<void> {
  process.exitCode = await exitStatus(program);
  // Node itself waits until a debugger disconnects.
  closeInspector();
  // A library's forgotten socket must not keep a stopped program alive.
  setTimeout(() => process.exit(), LAST_OUTPUT_MS).unref();
}

async function exitStatus<F extends LogFlags>(program: Program<F>): Promise<number> {
  const { name, help, explainedErrors, readFlags, run } = program;
  let flags: F | 'help' | 'version';
  try {
    flags = readFlags(process.argv.slice(2));
  } catch (error) {
    return complain(name, `${(error as Error).message}; see --help`);
  }
  if (flags === 'help') return print(help);
  if (flags === 'version') return print(`${packageVersion()}\n`);
  const logger = createLogger({ verbosity: flags.verbosity, json: flags.json });
  const stop = stopSignal(logger);
  logger.info({ ...flags } as object, 'flags');
  try {
    await run(flags, { logger, version: packageVersion(), stop });
    return 0;
  } catch (error) {
    logger.flush();
    const isExplained = [...EXPLAINED_ERRORS, ...explainedErrors].some((type) => error instanceof type);
    if (isExplained) return complain(name, (error as Error).message);
    logger.fatal({ err: error }, `the ${name} ended`);
    return 1;
  }
}

/** Aborted by SIGTERM and SIGINT; after one of them, the process ends in time even if something in it does not. */
function stopSignal(logger: Logger): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      stop.abort(new Error(`stopped by ${name}`));
      setTimeout(() => endLate(logger), LONGEST_END_MS).unref();
    });
  }
  return stop.signal;
}

function endLate(logger: Logger): never {
  logger.error(`the process has not ended ${LONGEST_END_MS / 1000} s after the signal; it ends now`);
  closeInspector();
  process.exit(1);
}

/** The bundles are two folders below the root of the package. */
function packageVersion(): string {
  const file = join(__dirname, '..', '..', 'package.json');
  return existsSync(file) ? asText((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version) : 'dev';
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(name: string, message: string): number {
  process.stderr.write(`cdk8s-aso-${name}: ${message}\n`);
  return 1;
}
