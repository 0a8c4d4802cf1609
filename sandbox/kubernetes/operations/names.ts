import { randomInt } from 'node:crypto';

/** Without vowels and look-alikes, as Kubernetes' own. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A name for `generateName`. */
export function nameFrom(prefix: string): string {
  const suffix = Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${prefix.slice(0, 58)}${suffix}`;
}
