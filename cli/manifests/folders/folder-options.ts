import { Option, type Command } from 'commander';
import { isDirectory } from './files';
import type { Tool, ToolLimits } from './run-tool';
import { UsageError } from '../../output/usage-error';
import type { InsideOption } from '../inside/inside-option';
import { readLimited } from '../read-limited';

/** The options of commands that read folders as other tools do. */
export interface FolderOptions {
  /** Let kustomize fetch what is remote. */
  readonly remoteBases?: boolean;
  /** Files of values for charts. */
  readonly values?: readonly string[];
}

/** How folders are read. */
export interface Folders extends FolderOptions, InsideOption {
  /** The programs of this machine; by default they are looked for on the PATH. */
  readonly tools?: { readonly kustomize?: Tool; readonly helm?: Tool };
  readonly limits?: ToolLimits;
  /** A directory that is read as a whole: its kustomizations may read each other's files. */
  readonly repository?: string;
  /** Whether the files are read as they are written: what is built is nowhere to be rewritten. */
  readonly asWritten?: boolean;
}

/** Adds `--remote-bases` and `--values`. */
export function addFolderOptions(command: Command): Command {
  const several = (text: string, before: readonly string[] | undefined) => [...(before ?? []), text];
  return command
    .addOption(new Option('--remote-bases', 'let kustomize fetch the remote bases of a kustomization'))
    .addOption(new Option('--values <file>', 'a file of values for a chart, as helm template takes it; may be repeated').argParser(several));
}

/** @throws UsageError for a file of values that cannot be read: helm would take a name for an address */
export function foldersOf({ remoteBases = false, values = [], inside = [] }: FolderOptions & InsideOption): Folders {
  for (const file of values) {
    try {
      if (isDirectory(file)) throw new Error('is a directory');
      readLimited(file);
    } catch (error) {
      throw new UsageError(`--values ${file}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : 'cannot be read'}`);
    }
  }
  return { remoteBases, values, inside };
}
