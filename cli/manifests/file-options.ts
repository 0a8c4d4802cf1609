import type { Command } from 'commander';
import { addFolderOptions, type FolderOptions } from './folders/folder-options';
import type { InsideOption } from './inside/inside-option';
import { addValueOptions, type ValueOptions } from './later/value-options';
import { problemLines } from '../output/few-of-each';
import type { Problem } from '../output/problem';
import type { Terminal } from '../output/terminal';

/** The options of commands that read files. */
export interface FileOptions extends ValueOptions, FolderOptions, InsideOption {}

/** Adds `--set`, `--env-file`, `--remote-bases` and `--values`. */
export function addFileOptions(command: Command): Command {
  return addFolderOptions(addValueOptions(command));
}

/** Prints what reading files has to say that is no mistake. */
export function printNotes(notes: readonly Problem[] | undefined, terminal: Terminal): void {
  for (const line of problemLines(notes ?? [])) terminal.note(line);
}
