import { parseCommand, USAGE, UsageError } from './arguments';
import { run } from './run';

async function main(): Promise<void> {
  try {
    process.exitCode = await run(parseCommand(process.argv.slice(2)), { say: (text) => process.stdout.write(text), warn: (text) => process.stderr.write(text) });
  } catch (error) {
    process.stderr.write(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : `${(error as Error).message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

void main();
