#!/usr/bin/env node
import { runCommandLine } from './command-line';

// Whoever reads our output may stop reading (`| head`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Not process.exit: output to a pipe is still on its way.
void runCommandLine(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
