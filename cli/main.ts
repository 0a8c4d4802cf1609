#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from './command-line';

// This file becomes lib/cli/main.js, two folders below the package's root.
const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string };

// The reader of the output may stop reading (`| head`): that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

/** Ends when the command has. Not process.exit: output to a pipe is still on its way. */
export const done = runCommandLine(process.argv.slice(2), version).then((status) => {
  process.exitCode = status;
});
