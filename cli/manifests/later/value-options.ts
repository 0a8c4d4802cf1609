import { readFileSync } from 'node:fs';
import { Option, type Command } from 'commander';
import { KnownValues } from './known-values';
import { isText } from '../../../src/util/records';
import { UsageError } from '../../output/usage-error';

/** The options of commands that read files with variables. */
export interface ValueOptions {
  readonly set?: readonly string[];
  readonly envFile?: readonly string[];
}

/** Adds `--set` and `--env-file`. */
export function addValueOptions(command: Command): Command {
  const several = (text: string, before: readonly string[] | undefined) => [...(before ?? []), text];
  return command
    .addOption(new Option('--set <NAME=VALUE>', 'the value of a variable in the files, such as ${NAME}; may be repeated').argParser(several))
    .addOption(new Option('--env-file <file>', 'a file of NAME=VALUE, a line each; may be repeated').argParser(several));
}

/** The values of the command line: of one name, the last one counts, and `--set` before files. @throws UsageError */
export function valuesOf({ set = [], envFile = [] }: ValueOptions): KnownValues {
  const files = envFile.flatMap((file) => linesOf(file).map((line) => pairOf(line, `--env-file ${file}`)));
  return new KnownValues(new Map([...files, ...set.map((text) => pairOf(text, '--set'))]));
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  } catch (error) {
    throw new UsageError(`--env-file ${file}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no such file' : 'cannot be read'}`);
  }
}

/** The value is not named in an error: it may be a secret. */
function pairOf(text: string, option: string): [string, string] {
  const found = /^(?:export\s+)?([A-Za-z_][\w.-]*)=(.*)$/s.exec(text);
  const [, name, value] = found ?? [];
  if (!isText(name) || !isText(value)) throw new UsageError(`${option}: give NAME=VALUE`);
  const quoted = /^(["'])(.*)\1$/s.exec(value);
  return [name, option === '--set' ? value : quoted?.[2] ?? value];
}
