import { lineComment } from './code-comment';
import { NONE, type Comments } from './comments';
import type { CodeNames, Expression } from './expression';
import { literal as quoted } from '../../codegen/emit-types';
import type { FieldPath } from '../manifests';

const INDENT = '  ';
const WIDTH = 120;

/** How code is written: with which names, and with the comments of which object. */
export interface Printing {
  readonly names: CodeNames;
  readonly comments: Comments;
}

/**
 * An expression as code.
 * @param column where it begins, so that short things stay on one line
 */
export function printExpression(expression: Expression, printing: Printing, indent = '', column = indent.length): string {
  switch (expression.is) {
    case 'literal':
      return scalar(expression.value, indent);
    case 'code':
      return expression.text(printing.names);
    case 'object':
      return printBlock(['{', '}'], expression.entries.map(({ key, value, at }) => ({ prefix: `${keyText(key)}: `, value, at })), expression.at, printing, indent, column);
    case 'list':
      return printBlock(['[', ']'], expression.items.map(({ value, at }) => ({ prefix: '', value, at })), expression.at, printing, indent, column);
  }
}

interface Line {
  readonly prefix: string;
  readonly value: Expression;
  readonly at?: FieldPath;
}

function printBlock(
  [open, close]: readonly [string, string], lines: readonly Line[], at: FieldPath | undefined, printing: Printing, indent: string, column: number,
): string {
  const { comments } = printing;
  const commented = (at !== undefined && comments.below(at)) || lines.some((line) => line.at && comments.below(line.at));
  if (!commented) {
    const parts = lines.map(({ prefix, value }) => `${prefix}${printExpression(value, printing, '', 0)}`);
    const space = open === '{' && parts.length > 0 ? ' ' : '';
    const inline = `${open}${space}${parts.join(', ')}${space}${close}`;
    if (!inline.includes('\n') && column + inline.length <= WIDTH) return inline;
  }
  const deeper = indent + INDENT;
  const printed = lines.flatMap((line) => {
    const { before, beside, end } = line.at ? comments.take(line.at) : NONE;
    const within = line.at && line.value.is === 'code' ? comments.takeBelow(line.at) : [];
    const value = printExpression(line.value, printing, deeper, deeper.length + line.prefix.length);
    const text = `${deeper}${line.prefix}${value},`;
    // Beside something that takes several lines a comment would stand at its end.
    const short = !value.includes('\n') && beside.length === 1;
    const above = [...before, ...within, ...(short ? [] : beside)];
    return [...commentLines(above, deeper), short ? `${text} ${lineComment(beside[0])}` : text, ...commentLines(end, deeper)];
  });
  const rest = at ? comments.take(at).end : [];
  return [open, ...printed, ...commentLines(rest, deeper), `${indent}${close}`].join('\n');
}

/** Lines of comment. */
export function commentLines(lines: readonly string[], indent: string): string[] {
  return lines.map((line) => `${indent}${lineComment(line)}`);
}

function scalar(value: string | number | boolean | null, indent: string): string {
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value);
  const lines = value.split('\n');
  if (lines.length < 3 && value.length < WIDTH) return quoted(value);
  return lines.length === 1 ? quoted(value) : `[\n${lines.map((line) => `${indent}${INDENT}${quoted(line)},\n`).join('')}${indent}].join('\\n')`;
}

function keyText(key: string): string {
  // In an object literal that would set the prototype.
  if (key === '__proto__') return '[\'__proto__\']';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : quoted(key);
}
