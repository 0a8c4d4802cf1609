import { join, relative } from 'node:path';
import { mutantsCommand } from './command';
import { allGroups } from './groups';

// The reader of the output may stop reading (`| head`): what was found is not known then, as after a SIGPIPE.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

/** `npx projen mutants`: `command.ts` has the help. */
async function main(): Promise<void> {
  process.exitCode = await mutantsCommand(process.argv.slice(2), {
    groups: allGroups,
    cases: relative(process.cwd(), join(__dirname, '..', '..', '..', 'shared', 'conformance', 'cases')),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
  });
}

void main();
