import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleFor, type Terminal } from '../../cli/output/terminal';

/** A terminal without colours that remembers what was printed. */
export function captured(): Terminal & { readonly out: string[]; readonly err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  return {
    out,
    err,
    style: styleFor({}, {}),
    print: (text) => void out.push(text),
    error: (text) => void err.push(text),
    note: (text) => void err.push(`note: ${text}`),
  };
}

/** Writes files into a directory of their own; answers its path. */
export function filesIn(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'cli-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}
