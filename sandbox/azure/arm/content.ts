import { invalidRequestContent } from './errors';
import { isRecord } from '../../../src/util/records';
import type { Json } from '../model/store';

/** The body of a write. */
export function parseBody(text: string): Json {
  if (text.trim() === '') throw invalidRequestContent('the request has no content');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequestContent('the content is not valid JSON');
  }
  if (!isRecord(body)) throw invalidRequestContent('the content is not a JSON object');
  return body;
}

/** A body with the changes of a PATCH; null removes a member. */
export function merged(before: Json, patch: Json): Json {
  const result = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) delete result[name];
    else result[name] = isRecord(value) && isRecord(old) ? merged(old, value) : value;
  }
  return result;
}

/** JSON text in which the order of members does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner);
}
