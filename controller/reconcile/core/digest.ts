import { createHash } from 'node:crypto';

/**
 * A digest of what would be sent. The body must not hold secret values (the caller puts the Secret's name and resourceVersion in their
 * place), because the digest of a weak password in an annotation could be guessed.
 */
export function digestOf(apiVersion: string, armId: string, body: unknown): string {
  return createHash('sha256').update(JSON.stringify([apiVersion, armId.toLowerCase(), canonical(body)])).digest('base64url');
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, inner]) => [key, canonical(inner)]);
}
