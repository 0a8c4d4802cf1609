import { HELP, readFlags } from './process/flags';
import { BundleError } from './render/renderer';
import { BundleFileError, runComposer } from './run-composer';
import { runProgram } from '../runtime/run-program';

await runProgram({
  name: 'composer',
  help: HELP,
  readFlags,
  explainedErrors: [BundleError, BundleFileError],
  run: ({ bundle, ...options }, { logger, version, stop }) =>
    runComposer({ ...options, bundleFile: bundle, logger, version }, stop),
});
