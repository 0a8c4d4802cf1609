import { existsSync } from 'node:fs';
import { collectAtRest } from './process/collect-at-rest';
import { HELP, readFlags } from './process/flags';
import type { RunOptions } from './process/run-options';
import { runController } from './run-controller';
import { SettingsError } from './settings';
import { CredentialError } from '../engine/credentials/types';
import { runProgram } from '../runtime/run-program';

await runProgram({
  name: 'controller',
  help: HELP,
  readFlags,
  explainedErrors: [SettingsError, CredentialError],
  run: ({ verbosity, json, ...options }, { logger, version, stop }) => {
    collectAtRest(stop);
    return runController({ ...options, logger, version, supervisorThread: supervisorThread(verbosity, json) }, stop);
  },
});

/** The module of the supervisor's thread; only the bundle has one. */
function supervisorThread(verbosity: number, json: boolean): RunOptions['supervisorThread'] {
  const module = new URL('./supervisor-thread.js', import.meta.url);
  return existsSync(module) ? { module, verbosity, json } : undefined;
}
