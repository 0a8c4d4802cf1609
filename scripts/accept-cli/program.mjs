import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(fileURLToPath(import.meta.url), '../../..');

let runs = 0;

/** Runs lib/cli in this process, from its first line on: all that it imports is loaded once. Answers its exit status. */
export async function runProgram(args) {
  process.argv = [process.execPath, join(ROOT, 'lib/cli/main.js'), ...args];
  process.exitCode = undefined;
  process.stdout.removeAllListeners('error');
  const { done } = await import(`../../lib/cli/program.js?run=${runs += 1}`);
  await done;
  const status = process.exitCode ?? 0;
  process.exitCode = undefined;
  return status;
}
