import { redact } from '../../engine/redact';
import { causesOf, oneLine, TEXT_LIMITS, truncate } from '../../engine/text-limits';

/** A driver's message, on one line, without the secrets of the reconcile. */
export function redacted(error: unknown, secrets: readonly string[]): string {
  const message = truncate(messageOf(error), TEXT_LIMITS.message);
  return oneLine(redact(withoutQuotedStatement(message), secrets), TEXT_LIMITS.message);
}

/** Servers quote the statement from the place on that they do not understand, a password included, and cut it off anywhere. */
function withoutQuotedStatement(message: string): string {
  return message.replace(/\bnear\s{1,8}['"][^]*$/i, 'near …');
}

/** Where every address of a host refuses, Node's error has a code and no message; SQL Server's driver has the code one error deeper. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [code, inner] = causesOf(error).map(symbolOf);
  const message = error.message || code || error.name;
  return inner && !message.includes(inner) ? `${message} (${inner})` : message;
}

/** The server's code of an error: the number where the driver has one, SQL Server's; else a symbol. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'number' in error && typeof error.number === 'number' ? String(error.number) : symbolOf(error);
}

function symbolOf(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? truncate(code, TEXT_LIMITS.reason) : undefined;
}
