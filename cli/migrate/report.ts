import type { Finding } from './finding';
import type { MigrationStep } from './migration-context';
import type { Preflight } from './preflight';
import { originalVersionOf } from './recorded-versions';
import { counted } from '../../src/util/words';
import { fewOfEach, withoutValues } from '../output/few-of-each';
import { oneLine } from '../output/problem';
import type { Style, Terminal } from '../output/terminal';

const ORDER = { stop: 0, warning: 1, note: 2 } as const;
const WORDS = { stop: 'STOP', warning: 'LOOK', note: 'ok' } as const;

/** One line for each finding, with its cure on the next, and the verdict. */
export function formatFindings(findings: readonly Finding[], style: Style): string {
  const paint = { stop: style.bad, warning: style.warn, note: style.good };
  const { items, left } = fewOfEach([...findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]), ({ severity, check, message }) => `${severity} ${check} ${withoutValues(message)}`);
  const lines = items
    .flatMap(({ severity, check, message, fix }) => [
      `${paint[severity](WORDS[severity].padEnd(4))}  ${check.padEnd(12)}  ${oneLine(message)}`,
      ...(fix === undefined ? [] : [`${' '.repeat(20)}${style.dim(`→ ${oneLine(fix)}`)}`]),
    ]);
  const stops = findings.filter(({ severity }) => severity === 'stop').length;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const verdict = stops > 0
    ? `${counted(stops, 'finding stands', 'findings stand')} in the way.`
    : `Nothing stands in the way${warnings > 0 ? `; look at ${counted(warnings, 'finding')} first` : ''}.`;
  const more = left.map(({ first: { severity, check }, count }) => `${' '.repeat(6)}${check.padEnd(12)}  and ${count} more: ${WORDS[severity]}`);
  return [...lines, ...more, '', style.bold(verdict)].join('\n');
}

/** The steps with what they will work on. */
export function formatPlan(steps: readonly MigrationStep[], { state }: Preflight, installed: number): string {
  const crds = state.kinds.length;
  const objects = state.kinds.reduce((sum, kind) => sum + kind.objects.length, 0);
  const others = state.kinds.flatMap(({ kind, objects: all }) => all.filter((each) => originalVersionOf(each, kind) !== kind.to)).length;
  const counts: Readonly<Record<string, string>> = {
    'refuse-writes': counted(crds, 'kind'),
    'record-versions': `${counted(objects, 'object')}, ${others} in another version`,
    'move-storage': counted(crds, 'CRD'),
    'rewrite-objects': counted(objects, 'object'),
    'stored-versions': counted(crds, 'CRD'),
    'replace-crds': counted(crds, 'CRD'),
    'install': counted(installed, 'object'),
    'return-crds': counted(crds, 'CRD'),
    'install-aso': counted(installed, 'manifest'),
    'await-aso': counted(crds, 'CRD'),
    'return-objects': counted(objects, 'object'),
  };
  return ['', ...steps.map(({ id, title }, index) => `${String(index + 1).padStart(2)}. ${title}${counts[id] === undefined ? '' : ` (${counts[id]})`}`)].join('\n');
}

/** Prints a running migration: lines of text as it goes, or one JSON document at the end. */
export class MigrationReport {
  private readonly done: { readonly id: string; readonly result: string; readonly seconds: number }[] = [];

  public constructor(
    private readonly steps: readonly MigrationStep[],
    private readonly terminal: Terminal,
    private readonly output: 'text' | 'json',
    private readonly last = 'The cluster is handed over.',
  ) {}

  public begin({ id, title }: MigrationStep): void {
    const number = this.steps.findIndex((step) => step.id === id) + 1;
    if (this.output === 'text') this.terminal.print(`${this.terminal.style.bold(`${number}/${this.steps.length}`)} ${title}`);
  }

  public progress(text: string): void {
    if (this.output === 'text') this.terminal.print(this.terminal.style.dim(`     ${oneLine(text)}`));
  }

  public end({ id }: MigrationStep, result: string, milliseconds: number): void {
    const seconds = Math.round(milliseconds / 100) / 10;
    this.done.push({ id, result, seconds });
    if (this.output === 'text') this.terminal.print(`     ${this.terminal.style.good('done')}: ${oneLine(result)} (${seconds} s)`);
  }

  /** The migration waits for the user. */
  public pause({ id }: Pick<MigrationStep, 'id'>, lines: readonly string[]): void {
    if (this.output === 'json') {
      this.terminal.print(JSON.stringify({ finished: false, waits: id, todo: lines, steps: this.done }, undefined, 2));
      return;
    }
    const { style } = this.terminal;
    const [first = '', ...rest] = lines.map((line) => `${line.startsWith('  ') ? '  ' : ''}${oneLine(line)}`);
    this.terminal.print(['', style.warn(first), ...rest, '', style.bold('The migration is not finished.')].join('\n'));
  }

  public finish(): void {
    if (this.output === 'json') this.terminal.print(JSON.stringify({ finished: true, steps: this.done }, undefined, 2));
    else this.terminal.print(this.terminal.style.bold(this.last));
  }
}
