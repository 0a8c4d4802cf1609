import { ExpressionError } from './engine';
import { textBefore } from '../../../src/util/text-before';
import { shortened } from '../../../src/util/words';

/** The messages of failing expressions. */

const LONGEST_EXPRESSION = 16 * 1024;
const LONGEST_QUOTE = 500;
const LONGEST_CAUSE = 1000;

export function compileError(text: string, cause: string): ExpressionError {
  return new ExpressionError('compile', `failed to compile CEL expression: "${quote(text)}": ${cause}`);
}

/** An expression, shortened for conditions. */
export function quote(text: string): string {
  return shortened(text, LONGEST_QUOTE);
}

/** The engine's one-line summary, in cel-go's spelling where only the case differs. */
export function messageOf(error: unknown): string {
  // JavaScript's error for recursion that is too deep.
  if (error instanceof RangeError && error.message.includes('call stack')) return 'the expression is nested too deeply';
  const text =
    error instanceof Error ? ('summary' in error && typeof error.summary === 'string' ? error.summary : error.message) : String(error);
  const line = textBefore(text, '\n').replace(/^No such key/, 'no such key');
  return shortened(line, LONGEST_CAUSE);
}

/** The message with the position of a compile error as `line:column`, counted from 1. */
export function positioned(error: unknown): string {
  const range = error instanceof Error && 'range' in error ? (error.range as { start?: number } | undefined) : undefined;
  const input = error instanceof Error && 'node' in error ? (error.node as { input?: string } | undefined)?.input : undefined;
  return at(compilerText(messageOf(error)), input ?? '', input === undefined ? undefined : range?.start);
}

/** The message in the words of cel-go, which users of ASO know and search for. */
function compilerText(message: string): string {
  return message
    .replace(/^Unknown variable: (.+)$/, "undeclared reference to '$1' (in container '')")
    .replace(/^no such key: (.+)$/, "undefined field '$1'")
    .replace(/^no such overload: (\S+) (\S+) (\S+)$/, (_, left: string, op: string, right: string) =>
      `found no matching overload for '_${op}_' applied to '(${celName(left)}, ${celName(right)})'`);
}

export function at(message: string, text: string, position: number | undefined): string {
  if (position === undefined) return message;
  const lines = text.slice(0, position).split('\n');
  return `${message} (at ${lines.length}:${lines.at(-1)!.length + 1})`;
}

/** `list<string>` → `list(string)`, `optional<string>` → `optional_type(string)`. */
export function celName(type: string): string {
  if (type === 'list') return 'list(dyn)';
  if (type === 'map') return 'map(dyn, dyn)';
  if (type === 'null') return 'null_type';
  return type.replace(/\b[A-Z]\b/g, 'dyn').replaceAll('optional<', 'optional_type<').replaceAll('<', '(').replaceAll('>', ')');
}

/** The error for a text that is too long to be parsed. */
export function longestExpressionError(text: string): ExpressionError | undefined {
  return text.length > LONGEST_EXPRESSION
    ? compileError(text, `the expression is longer than ${LONGEST_EXPRESSION} characters`)
    : undefined;
}
