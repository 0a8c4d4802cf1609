import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** Whether a file is in a directory, or below it, once links are followed. */
export function isBelow(file: string, directory: string): boolean {
  const path = relative(realPathOf(directory), realPathOf(file));
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
