import { join, relative } from 'node:path';
import { mutantsCommand } from './command';
import { allGroups } from './groups';

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
