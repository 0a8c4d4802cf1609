import { redactTokens } from '../../engine/redact';
import { causesOf, TEXT_LIMITS, truncate } from '../../engine/text-limits';
import { BACKUP_POLLER_TOKEN, POLLER_TOKEN } from '../../src/azure/annotations';

/** Members of an object, or elements of a list, that a log line shows. */
const MOST_MEMBERS = 100;
const DEEPEST = 8;
const LONGEST_NAME = 256;
const REDACTED = 'REDACTED';
const LEFT_OUT = '[left out: the line would be too long]';

/** Specs and Secrets are never logged; these are the members, at any depth, that could slip in with an object or an error. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'password',
  'clientSecret',
  'AZURE_CLIENT_SECRET',
  'AZURE_CLIENT_CERTIFICATE',
  'AZURE_CLIENT_CERTIFICATE_PASSWORD',
  'token',
  'data',
  'stringData',
  'spec',
  POLLER_TOKEN,
  BACKUP_POLLER_TOKEN,
]);

/** A text of a log line: cut to its size, and without tokens and keys. */
export function logText(text: string): string {
  return redactTokens(truncate(text, TEXT_LIMITS.logValue));
}

/** The fields of a log line: texts truncated and redacted, secret members left out, lists and objects truncated, errors as messages. */
export function logFields(value: unknown): unknown {
  return new Fields().format(value, 0);
}

class Fields {
  private left: number = TEXT_LIMITS.logLine;

  public format(value: unknown, depth: number): unknown {
    if (this.left <= 0) return LEFT_OUT;
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (depth >= DEEPEST) return '[left out: nested too deeply]';
    if (value instanceof Error) return this.error(value);
    return Array.isArray(value) ? this.list(value, depth) : this.object(value, depth);
  }

  private text(value: string): string {
    const text = logText(value.length > this.left ? truncate(value, this.left) : value);
    this.left -= text.length;
    return text;
  }

  private list(values: readonly unknown[], depth: number): unknown[] {
    const kept = values.slice(0, MOST_MEMBERS).map((value) => this.counted(value, depth));
    return values.length > MOST_MEMBERS ? [...kept, `[left out: ${values.length - MOST_MEMBERS} more]`] : kept;
  }

  private object(value: object, depth: number): Record<string, unknown> {
    const names = Object.keys(value);
    const kept: Record<string, unknown> = {};
    for (const name of names.slice(0, MOST_MEMBERS)) {
      const member = (value as Record<string, unknown>)[name];
      define(kept, this.text(truncate(name, LONGEST_NAME)), SECRET.has(name) ? REDACTED : this.counted(member, depth));
    }
    if (names.length > MOST_MEMBERS) kept['…'] = `[left out: ${names.length - MOST_MEMBERS} more]`;
    return kept;
  }

  /** Numbers, brackets and commas take their room as well. */
  private counted(value: unknown, depth: number): unknown {
    this.left -= 8;
    return this.format(value, depth + 1);
  }

  /** The message of an error. Its other members stay out: libraries attach requests and answers, with headers and bodies. */
  private error(error: Error): Record<string, unknown> {
    const { code, status, reason, problem } = error as { code?: unknown; status?: unknown; reason?: unknown; problem?: unknown };
    const facts = Object.entries({ code, status, reason, problem })
      .filter(([, fact]) => typeof fact === 'string' || typeof fact === 'number')
      .map(([name, fact]) => [name, typeof fact === 'string' ? this.text(truncate(fact, TEXT_LIMITS.reason)) : fact]);
    const causes = causesOf(error);
    const message = causes.map((cause) => truncate(cause.message, TEXT_LIMITS.logValue)).join(': ');
    const stack = causes.map((cause) => truncate(cause.stack ?? cause.name, TEXT_LIMITS.logValue)).join('\ncaused by: ');
    return { type: error.name, message: this.text(message), ...Object.fromEntries(facts), stack: this.text(stack) };
  }
}

/** Sets a member whose name may be anything, `__proto__` included. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
