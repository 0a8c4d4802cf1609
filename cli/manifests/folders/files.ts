import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine, type Problem } from '../../output/problem';
import { fixByDirectoriesBelow } from '../directories-below';
import { MANIFEST_FILE, OTHER_FILES } from '../file-names';
import { MAX_FILE_BYTES, TooManyBytesError } from '../read-limited';

export const STANDARD_INPUT = '-';
const NO_MANIFESTS = 'give a directory with manifests, e.g. the dist/ that cdk8s synth writes';

/** The files that a path means: itself, or the manifests of a directory, none of those below it. */
export function manifestFiles(path: string): ({ file: string } | Problem)[] {
  if (path === STANDARD_INPUT) return [{ file: path }];
  try {
    const found = statSync(path);
    if (found.isFile() && found.size > MAX_FILE_BYTES) return [unreadable(path, new TooManyBytesError(MAX_FILE_BYTES))];
    if (!found.isDirectory()) return [{ file: path }];
    const files = filesOfDirectory(path);
    if (files.length > 0) return files;
    return [{ file: path, message: 'the directory has no .yaml, .yml or .json file', fix: fixByDirectoriesBelow(path) ?? NO_MANIFESTS }];
  } catch (error) {
    return [unreadable(path, error)];
  }
}

/** The manifests in a directory, by name. Devices and pipes are none: reading one may never end. */
export function filesOfDirectory(directory: string): ({ file: string } | Problem)[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && MANIFEST_FILE.test(entry.name) && !OTHER_FILES.includes(entry.name))
    .map((entry) => join(directory, entry.name))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((file) => (isSpecial(file) ? notReadable(file) : { file }));
}

/** Whether there is something else than a file or a directory. */
function isSpecial(path: string): boolean {
  try {
    const found = statSync(path);
    return !found.isFile() && !found.isDirectory();
  } catch {
    return false; // Reading it says so.
  }
}

/** The problem of a device, a pipe or a socket that stands where a file is looked for. */
export function notReadable(file: string): Problem {
  return { file, message: 'is neither a file nor a directory, and is not read', fix: 'give a file, or remove it' };
}

/**
 * The problem of a directory, or a standard input, without any object: somewhere before, something failed. A file may be empty, as those of
 * charts without objects are.
 */
export function nothingIn(path: string, isTree = false): Problem[] {
  if (isTree) return [{ file: path, message: 'neither the directory nor one below it has a Kubernetes object', fix: NO_MANIFESTS }];
  if (path === STANDARD_INPUT) {
    return [{ file: '<stdin>', message: 'has no Kubernetes object', fix: 'see whether the command before the pipe failed' }];
  }
  return isDirectory(path) ? [{ file: path, message: 'the directory has no Kubernetes object', fix: fixByDirectoriesBelow(path) ?? NO_MANIFESTS }] : [];
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A file, or the standard input, that cannot be read. */
export function unreadable(file: string, error: unknown): Problem {
  if (error instanceof TooManyBytesError) return { file, message: error.message, fix: error.fix };
  const code = (error as NodeJS.ErrnoException).code;
  const reasons: Record<string, [message: string, fix: string]> = {
    ENOENT: ['no such file or directory', 'check the path'],
    EACCES: ['permission denied', 'make the file readable'],
    EISDIR: ['is a directory', 'give a file or a directory of manifests'],
    ELOOP: ['is a symbolic link that leads back to itself', 'correct the link'],
  };
  const [message, fix] = reasons[code ?? ''] ?? [`cannot be read: ${oneLine((error as Error).message)}`, 'give a readable file'];
  return { file, message, fix };
}
