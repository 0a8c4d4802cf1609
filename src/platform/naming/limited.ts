import { createHash } from 'node:crypto';

const HASH_LENGTH = 8;

/** The name; where it is too long its beginning and a hash of the whole, so that what differs keeps differing. */
export function limited(name: string, max: number): string {
  if (name.length <= max) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, max - HASH_LENGTH - 1).replace(/[-.]+$/, '')}-${hash}`;
}
