import { existsSync, readFileSync } from 'node:fs';
import { close as closeInspector } from 'node:inspector';
import { join } from 'node:path';
import { ListenError } from '../runtime/http/http-endpoints';
import { LeadershipLostError } from '../runtime/leader';
import { HELP, readFlags, type Flags } from './process/flags';
import type { RunOptions } from './process/run-options';
import { runController } from './run-controller';
import { SettingsError } from './settings';
import { CredentialError } from '../engine/credentials/types';
import { KubeconfigError } from '../engine/kubernetes/kubeconfig';
import { createLogger, type Logger } from '../runtime/log/log';
import { asText } from '../src/util/words';

/** Time for the process to end, below the grace period of the pod (20 s): the sum of all waits for others is less. */
const LONGEST_END_MS = 18_000;

async function main(): Promise<number> {
  let flags: Flags | 'help' | 'version';
  try {
    flags = readFlags(process.argv.slice(2));
  } catch (error) {
    return complain(`${(error as Error).message}; see --help`);
  }
  if (flags === 'help') return print(HELP);
  if (flags === 'version') return print(`${version()}\n`);
  const { verbosity, json, ...options } = flags;
  const logger = createLogger({ verbosity, json });
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      stop.abort(new Error(`stopped by ${name}`));
      setTimeout(() => endLate(logger), LONGEST_END_MS).unref();
    });
  }
  logger.info({ ...flags }, 'flags');
  try {
    await runController({ ...options, logger, version: version(), supervisorThread: supervisorThread(verbosity, json) }, stop.signal);
    return 0;
  } catch (error) {
    const known = [SettingsError, CredentialError, KubeconfigError, ListenError, LeadershipLostError].some((type) => error instanceof type);
    if (known) return complain((error as Error).message);
    logger.fatal({ err: error }, 'the controller ended');
    return 1;
  }
}

/** Ends the process although something in it does not end. */
function endLate(logger: Logger): never {
  logger.error(`the process has not ended ${LONGEST_END_MS / 1000} s after the signal; it ends now`);
  closeInspector();
  process.exit(1);
}

/** The module of the supervisor's thread; only the bundle has one. */
function supervisorThread(verbosity: number, json: boolean): RunOptions['supervisorThread'] {
  const module = new URL('./supervisor-thread.js', import.meta.url);
  return existsSync(module) ? { module, verbosity, json } : undefined;
}

/** The version of the package that contains the bundle. */
function version(): string {
  const file = join(__dirname, '..', '..', 'package.json');
  return existsSync(file) ? asText((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version) : 'dev';
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(message: string): number {
  process.stderr.write(`cdk8s-aso-controller: ${message}\n`);
  return 1;
}

// An uncaught error of a library ends the process: the next start finds all state on the objects.
process.exitCode = await main();
// Node itself waits until a debugger disconnects.
closeInspector();
// A library's forgotten socket must not keep a stopped controller alive.
setTimeout(() => process.exit(), 1_000).unref();
