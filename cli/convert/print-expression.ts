import { lineComment } from './code-comment';
import { NONE, type Comments } from './comments';
import type { CodeNames, Entry, Expression } from './expression';
import { literal as quoted } from '../../codegen/emit-types';
import type { FieldPath } from '../../src/catalog/validate-spec';

const INDENT = '  ';
const WIDTH = 120;
/** The most lines that a multi-line text is printed on. */
const MOST_LINES = 5_000;

/** The identifiers and the comments that code is printed with. */
export interface Printing {
  readonly names: CodeNames;
  readonly comments: Comments;
}

/**
 * An expression as code.
 * @param column the column at which the expression begins, so that short values stay on one line
 */
export function printExpression(expression: Expression, printing: Printing, indent = '', column = indent.length): string {
  switch (expression.is) {
    case 'literal':
      return scalar(expression.value, indent);
    case 'code':
      return expression.text(printing.names);
    case 'object':
      return printBlock(
        ['{', '}'],
        expression.entries.map((entry) => ({ prefix: keyPrefix(entry, printing), value: entry.value, at: entry.at })),
        expression.at,
        printing,
        indent,
        column,
      );
    case 'list':
      return printBlock(
        ['[', ']'],
        expression.items.map(({ value, at }) => ({ prefix: '', value, at })),
        expression.at,
        printing,
        indent,
        column,
      );
  }
}

interface Line {
  readonly prefix: string;
  readonly value: Expression;
  readonly at?: FieldPath | undefined;
}

function printBlock(
  [open, close]: readonly [string, string],
  lines: readonly Line[],
  at: FieldPath | undefined,
  printing: Printing,
  indent: string,
  column: number,
): string {
  const { comments } = printing;
  const commented = (at !== undefined && comments.below(at)) || lines.some((line) => line.at && comments.below(line.at));
  if (!commented) {
    const inline = inlineBlock([open, close], lines, printing, WIDTH - column);
    if (inline !== undefined) return inline;
  }
  const deeper = indent + INDENT;
  const printed = lines.flatMap((line) => {
    const { before, beside, end } = line.at ? comments.take(line.at) : NONE;
    const within = line.at && line.value.is === 'code' ? comments.takeBelow(line.at) : [];
    const value = printExpression(line.value, printing, deeper, deeper.length + line.prefix.length);
    const text = `${deeper}${member(line.prefix, line.value, value)},`;
    // Beside a value of several lines the comment would be at its end.
    const [only, another] = beside;
    const short = value.includes('\n') || another !== undefined ? undefined : only;
    const above = [...before, ...within, ...(short === undefined ? beside : [])];
    const own = short === undefined ? text : `${text} ${lineComment(short)}`;
    return [...commentLines(above, deeper), own, ...commentLines(end, deeper)];
  });
  const rest = at ? comments.take(at).end : [];
  return [open, ...printed, ...commentLines(rest, deeper), `${indent}${close}`].join('\n');
}

/**
 * A block on one line; undefined when it does not fit into `room` characters. The function stops as soon as the text is too long, so a
 * nested value is visited once for each line that it may be part of, not once for each level around it.
 */
function inlineBlock(
  [open, close]: readonly [string, string],
  lines: readonly Line[],
  printing: Printing,
  room: number,
): string | undefined {
  const space = open === '{' && lines.length > 0 ? ' ' : '';
  let text = open + space;
  for (const [index, { prefix, value }] of lines.entries()) {
    text += index > 0 ? ', ' : '';
    const part = inlineText(value, printing, room - text.length - prefix.length);
    if (part === undefined) return undefined;
    text += member(prefix, value, part);
  }
  text += space + close;
  return text.length <= room ? text : undefined;
}

/** `owner`, where a variable has the name of the property. */
function member(prefix: string, { is }: Expression, text: string): string {
  return is === 'code' && prefix === `${text}: ` ? text : prefix + text;
}

function inlineText(expression: Expression, printing: Printing, room: number): string | undefined {
  if (room < 0) return undefined;
  if (expression.is === 'object') {
    return inlineBlock(
      ['{', '}'],
      expression.entries.map((entry) => ({ prefix: keyPrefix(entry, printing), value: entry.value })),
      printing,
      room,
    );
  }
  if (expression.is === 'list') {
    return inlineBlock(
      ['[', ']'],
      expression.items.map(({ value }) => ({ prefix: '', value })),
      printing,
      room,
    );
  }
  // A literal that is longer than the room is not quoted first: the quotes only add to its length.
  if (expression.is === 'literal' && typeof expression.value === 'string' && expression.value.length > room) return undefined;
  const text = expression.is === 'literal' ? scalar(expression.value, '') : expression.text(printing.names);
  return text.length <= room && !text.includes('\n') ? text : undefined;
}

/** Prints comment lines. */
export function commentLines(lines: readonly string[], indent: string): string[] {
  return lines.map((line) => `${indent}${lineComment(line)}`);
}

function scalar(value: string | number | boolean | null, indent: string): string {
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value);
  const lines = value.split('\n');
  if (lines.length < 3 && value.length < WIDTH) return quoted(value);
  return lines.length === 1 || lines.length > MOST_LINES
    ? quoted(value)
    : `[\n${lines.map((line) => `${indent}${INDENT}${quoted(line)},\n`).join('')}${indent}].join('\\n')`;
}

function keyPrefix({ key, keyCode }: Entry, { names }: Printing): string {
  return `${keyCode ? `[${keyCode.text(names)}]` : keyText(key)}: `;
}

function keyText(key: string): string {
  // The plain key would set the prototype of an object literal.
  if (key === '__proto__') return '[\'__proto__\']';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : quoted(key);
}
