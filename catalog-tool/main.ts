import { parseCommand, USAGE, UsageError } from './arguments';
import { run, type Output } from './run';

async function main(): Promise<void> {
  try {
    const output: Output = { say: (text) => process.stdout.write(text), warn: (text) => process.stderr.write(text) };
    process.exitCode = await run(parseCommand(process.argv.slice(2)), output);
  } catch (error) {
    process.stderr.write(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : `${(error as Error).message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

void main();
