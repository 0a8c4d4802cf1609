import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { realPathOf } from './paths';

/**
 * The repository that a directory is in: the nearest one with a `.git`. A home directory with settings under git, and the whole machine,
 * are none: what is in them does not belong together.
 */
export function repositoryOf(directory: string, home = homedir()): string | undefined {
  const root = realPathOf(home);
  for (let at = realPathOf(resolve(directory)); at !== root && dirname(at) !== at; at = dirname(at)) {
    if (existsSync(`${at}/.git`)) return at;
  }
  return undefined;
}
