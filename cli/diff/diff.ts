import { advice } from './advice';
import { isEmpty, type Advice, type Changes } from './changes';
import { compare } from './compare';
import { diffMarkdown } from './markdown';
import { reportOf } from './report';
import { diffText } from './text';
import { UUID } from '../../src/azure/uuid';
import { type FileOptions, printNotes } from '../manifests/file-options';
import { foldersOf } from '../manifests/folders/folder-options';
import { withoutTemplates } from '../manifests/inside/inside';
import { valuesOf } from '../manifests/later/value-options';
import type { Manifests } from '../manifests/manifests';
import { readManifests } from '../manifests/read-manifests';
import { problemLines } from '../output/few-of-each';
import type { Terminal } from '../output/terminal';
import { UsageError } from '../output/usage-error';

export interface DiffOptions extends FileOptions {
  readonly output: 'text' | 'json' | 'markdown';
  readonly verbose: boolean;
  readonly exitCode: boolean;
  readonly subscription?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;


/** Prints the changes from one set of manifests to another. Returns the exit status. */
export function diff(oldPath: string, newPath: string, options: DiffOptions, terminal: Terminal, environment: Environment): number {
  if (oldPath === '-' && newPath === '-') throw new UsageError('only one of OLD and NEW can be the standard input');
  const subscriptionId = subscriptionOf(options, environment);
  const values = valuesOf(options);
  const folders = foldersOf(options);
  const sides = { OLD: readManifests([oldPath], 'refuse', values, folders), NEW: readManifests([newPath], 'refuse', values, folders) };
  for (const { notes } of Object.values(sides)) printNotes(notes, terminal);
  const problems = [...sides.OLD.problems, ...sides.NEW.problems];
  for (const line of problemLines(problems, options.output === 'json')) terminal.error(line);
  const trouble = options.exitCode ? 2 : 1;
  const unreadable = Object.entries(sides).find(([, { manifests, problems: found }]) => manifests.length === 0 && found.length > 0);
  if (unreadable) {
    terminal.error(`nothing of ${unreadable[0]} could be read, so nothing is compared; correct what is named above (/dev/null stands for no objects at all)`);
    return trouble;
  }
  const compared = compare(
    withoutTemplates(sides.OLD.manifests).map(({ object }) => object),
    withoutTemplates(sides.NEW.manifests).map(({ object }) => object),
    { subscriptionId },
  );
  const changes: Changes = { ...compared, warnings: [...unread(sides), ...compared.warnings] };
  terminal.print(printed(changes, options, terminal));
  if (problems.length > 0) return trouble;
  return options.exitCode && !isEmpty(changes) ? 1 : 0;
}

function printed(changes: Changes, { output, verbose }: DiffOptions, terminal: Terminal): string {
  if (output === 'json') {
    const { summary, ...rest } = changes;
    return JSON.stringify({ summary, ...rest }, undefined, 2);
  }
  const report = reportOf(changes, verbose);
  return output === 'markdown' ? diffMarkdown(report) : diffText(report, terminal.style);
}

/** Warnings about unreadable documents: their objects look removed, but must not be reported as deletions without a warning. */
function unread(sides: Readonly<Record<'OLD' | 'NEW', Manifests>>): Advice[] {
  return (['OLD', 'NEW'] as const).flatMap((side) =>
    sides[side].problems.length === 0 ? [] : [advice.unread(side, sides[side].problems.length)],
  );
}

function subscriptionOf(options: DiffOptions, environment: Environment): string | undefined {
  const value = options.subscription ?? (environment.AZURE_SUBSCRIPTION_ID || undefined);
  if (value !== undefined && !UUID.test(value)) throw new UsageError('AZURE_SUBSCRIPTION_ID is not a subscription id: give a UUID');
  return value;
}
