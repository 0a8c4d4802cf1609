import { styleText } from 'node:util';

/** Emphasis, where the output can show it. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

/** Where a command prints. */
export interface Terminal {
  readonly style: Style;
  /** A line (or several) on the standard output. */
  print(text: string): void;
  /** A line on the standard error. */
  error(text: string): void;
  /** A line on the standard error that tells of no error. */
  note(text: string): void;
}

type Format = Parameters<typeof styleText>[0];

const paint = (format: Format) => (text: string) => styleText(format, text, { validateStream: false });
const coloured: Style = { bold: paint('bold'), dim: paint('dim'), good: paint('green'), bad: paint('red'), warn: paint('yellow') };
const same = (text: string) => text;
const plain: Style = { bold: same, dim: same, good: same, bad: same, warn: same };

/** Colours only on a terminal, and not against the user's wish (https://no-color.org). */
export function styleFor(stream: { readonly isTTY?: boolean }, environment: Readonly<Record<string, string | undefined>>): Style {
  return stream.isTTY && !environment.NO_COLOR && environment.TERM !== 'dumb' ? coloured : plain;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const errors = styleFor(process.stderr, process.env);
  return {
    style: styleFor(process.stdout, process.env),
    print: (text) => void process.stdout.write(`${text}\n`),
    error: (text) => void process.stderr.write(`${errors.bad('error:')} ${text}\n`),
    note: (text) => void process.stderr.write(`${errors.warn('note:')} ${text}\n`),
  };
}
