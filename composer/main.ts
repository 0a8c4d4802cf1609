import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HELP, readFlags, type Flags } from './process/flags';
import { BundleError } from './render/renderer';
import { BundleFileError, runComposer } from './run-composer';
import { KubeconfigError } from '../engine/kubernetes/kubeconfig';
import { ListenError } from '../runtime/http/http-endpoints';
import { LeadershipLostError } from '../runtime/leader';
import { createLogger } from '../runtime/log/log';
import { asText } from '../src/util/words';

/** Time for the process to end, below the grace period of the pod (20 s). */
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
  const { verbosity, json, bundle, ...options } = flags;
  const logger = createLogger({ verbosity, json });
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      stop.abort(new Error(`stopped by ${name}`));
      setTimeout(() => {
        logger.error(`the process has not ended ${LONGEST_END_MS / 1000} s after the signal; it ends now`);
        process.exit(1);
      }, LONGEST_END_MS).unref();
    });
  }
  logger.info({ ...flags }, 'flags');
  try {
    await runComposer({ ...options, bundleFile: bundle, logger, version: version() }, stop.signal);
    return 0;
  } catch (error) {
    const isKnown = [BundleError, BundleFileError, KubeconfigError, ListenError, LeadershipLostError].some((type) => error instanceof type);
    if (isKnown) return complain((error as Error).message);
    logger.fatal({ err: error }, 'the composer ended');
    return 1;
  }
}

/** The version of the package that contains the program. */
function version(): string {
  const file = join(__dirname, '..', '..', 'package.json');
  return existsSync(file) ? asText((JSON.parse(readFileSync(file, 'utf8')) as { version?: unknown }).version) : 'dev';
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(message: string): number {
  process.stderr.write(`cdk8s-aso-composer: ${message}\n`);
  return 1;
}

process.exitCode = await main();
// A library's forgotten socket must not keep a stopped composer alive.
setTimeout(() => process.exit(), 1_000).unref();
