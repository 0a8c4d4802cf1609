import { randomBytes } from 'node:crypto';
import { styleText } from 'node:util';
import { visibleLines, visibleLiteral } from '../../src/azure/visible-text';

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
  /** A line on the standard error that reports no error. */
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

/** The same terminal, on which nothing but its own style is obeyed: all else that a terminal would obey is shown. */
export function guarded(terminal: Terminal): Terminal {
  const { style, mend } = new MarkedStyle(terminal.style);
  return {
    style,
    print: (text) => terminal.print(mend(text)),
    error: (text) => terminal.error(mend(text)),
    note: (text) => terminal.note(mend(text)),
  };
}

/** A style whose sequences nobody can forge: until the text is printed, words that nobody can guess stand in their place. */
class MarkedStyle {
  public readonly style: Style;
  private readonly nonce = randomBytes(12).toString('hex');
  private readonly sequences: string[] = [];

  public constructor({ bold, dim, good, bad, warn }: Style) {
    this.style = {
      bold: this.marked(bold),
      dim: this.marked(dim),
      good: this.marked(good),
      bad: this.marked(bad),
      warn: this.marked(warn),
    };
  }

  public readonly mend = (text: string): string => {
    const visible = isJson(text) ? visibleLiteral(text) : visibleLines(text);
    return this.sequences.reduce((mended, sequence, index) => mended.replaceAll(this.word(index), sequence), visible);
  };

  private marked(apply: (text: string) => string): (text: string) => string {
    const [before = '', after = ''] = apply('\u0000').split('\u0000');
    if (before === '' && after === '') return (text) => text;
    const word = (sequence: string) => this.word(this.sequences.push(sequence) - 1);
    const [open, close] = [word(before), word(after)];
    return (text) => `${open}${text}${close}`;
  }

  private word(index: number): string {
    return `<${this.nonce}:${index}>`;
  }
}

/** In JSON, escapes have to be those of JSON. */
function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
