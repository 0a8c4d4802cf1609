import { hash } from 'node:crypto';

/**
 * A digest of what would be sent. The body must not hold secret values (the caller puts the Secret's name and resourceVersion in their
 * place), because the digest of a weak password in an annotation could be guessed.
 */
export function digestOf(apiVersion: string, armId: string, body: unknown): string {
  return hash('sha256', JSON.stringify([apiVersion, armId.toLowerCase(), canonical(body)]), 'base64url');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value).sort().map((key) => [key, canonical((value as Readonly<Record<string, unknown>>)[key])]);
}
