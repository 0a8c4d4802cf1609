import { hash } from 'node:crypto';

/**
 * A digest of the request. The body must not hold secret values (the caller replaces them by the Secret's name and resourceVersion),
 * because a weak password could be guessed from its digest in an annotation.
 */
export function digestOf(apiVersion: string, armId: string, body: unknown): string {
  return hash('sha256', JSON.stringify([apiVersion, armId.toLowerCase(), canonical(body)]), 'base64url');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value).sort().map((key) => [key, canonical((value as Readonly<Record<string, unknown>>)[key])]);
}
