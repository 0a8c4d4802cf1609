import { redactor } from './secrets';
import { TEXT_LIMITS, truncate } from '../text-limits';

/** Longer than a message, because the stack follows it. */
const LONGEST_TEXT = 2 * TEXT_LIMITS.message;

/** The same error object with redacted texts: none of the values, and no token. Includes a limited number of causes. */
export function redactError<T>(error: T, secrets: readonly string[]): T {
  return error instanceof Error ? (redacted(error, redactor(secrets), TEXT_LIMITS.causes) as T) : error;
}

function redacted(error: Error, redact: (text: string) => string, depth: number): Error {
  const own = Object.entries(Object.getOwnPropertyDescriptors(error)).flatMap(([name, property]) => {
    const { value } = property as { value?: unknown };
    if (typeof value === 'string') return [[name, { ...property, value: redact(truncate(value, LONGEST_TEXT)) }] as const];
    if (value instanceof Error) return depth > 1 ? [[name, { ...property, value: redacted(value, redact, depth - 1) }] as const] : [];
    return [[name, property] as const];
  });
  return Object.create(Object.getPrototypeOf(error) as object, Object.fromEntries(own) as PropertyDescriptorMap) as Error;
}
