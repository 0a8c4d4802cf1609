// Do the constructs give what the platform's templates give? For every case: inputs → constructs → synth → compare.
//
//   npm run accept:platform -- DIRECTORY              with onboarding/ and selfservice/: a JSON file a case
//   npm run accept:platform -- --claims DIRECTORY     the cases of teams and services as claims of the platform's kinds
//
// Prints a line for every difference, then `N passed, N failed` over the cases. Exit status 0 when all passed, 2 without cases.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accept, acceptClaims } from './accept';
import type { Case } from './accept';

const FOLDERS = ['onboarding', 'selfservice'];

async function main(args: readonly string[]): Promise<number> {
  const [directory] = args.filter((arg) => arg !== '--claims');
  if (directory === undefined) return usage('Usage: npm run accept:platform -- [--claims] DIRECTORY');
  const cases = casesIn(found(directory));
  if (cases.length === 0) return usage(`${directory} has no case (onboarding/*.json, selfservice/*.json)`);
  const judge = args.includes('--claims') ? acceptClaims : accept;
  let failed = 0;
  let left = 0;
  for (const one of cases) {
    const differences = await judge(one);
    if (!differences) left++;
    if (!differences) continue;
    for (const difference of differences) console.log(`${one.name}: ${difference}`);
    if (differences.length > 0) failed++;
  }
  if (left > 0) console.log(`${left} left out: objects of the platform itself, of deployers, or of a service's chart`);
  console.log(`${cases.length - failed - left} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

function casesIn(directory: string): Case[] {
  return FOLDERS.map((folder) => join(directory, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .sort()
        .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Case),
    );
}

/** npm runs scripts in the package's folder, and says where it was called. */
function found(directory: string): string {
  const called = process.env.INIT_CWD;
  return (
    [resolve(directory), ...(called === undefined ? [] : [resolve(called, directory)])].find((candidate) => existsSync(candidate))
    ?? directory
  );
}

function usage(text: string): number {
  console.error(text);
  return 2;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
