import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommandLine } from '../../../cli/command-line';
import { captured, filesIn } from '../capture';

export interface Result {
  readonly status: number;
  readonly out: string;
  readonly err: readonly string[];
  /** The file after the run. */
  readonly file: string;
}

/** Runs `upgrade-check` on a file with the text. In the output FILE stands for its path. */
export async function upgradeCheck(text: string, ...args: string[]): Promise<Result> {
  const file = join(filesIn({ 'manifests.yaml': text }), 'manifests.yaml');
  const terminal = captured();
  const status = await runCommandLine(['upgrade-check', ...args, file], '0.0.0', terminal);
  const named = (printed: string) => printed.replaceAll(file, 'FILE');
  return { status, out: named(terminal.out.join('\n')), err: terminal.err.map(named), file: readFileSync(file, 'utf8') };
}

interface JsonFinding {
  readonly rule: string;
  readonly severity: string;
  readonly line?: number;
  readonly field?: string;
  readonly message: string;
  readonly fix: string;
  readonly fixable: boolean;
}

export interface JsonReport {
  readonly from?: string;
  readonly to: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly findings: readonly JsonFinding[];
}

export async function reportOf(text: string, ...args: string[]): Promise<JsonReport> {
  return JSON.parse((await upgradeCheck(text, '--output', 'json', ...args)).out) as JsonReport;
}
