import { createHash } from 'node:crypto';
import { withoutTrailing } from '../trailing-slashes';

const HASH_LENGTH = 6;
const SEPARATORS = ['-', '_', ''];
/** The shortest name with room for a letter beside the hash. */
const SHORTEST = HASH_LENGTH + 1;

/** A short hash of a text, of lower-case letters and digits. */
export function shortHash(text: string): string {
  const digest = createHash('sha256').update(text, 'utf8').digest('hex');
  return BigInt(`0x${digest.slice(0, 16)}`).toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);
}

/**
 * A name from words, in lower case, with the separator that the rules allow. If it would be too long or too short, or characters are lost,
 * it ends with a hash of all words, so that different words give different names.
 * @param words the parts of the name
 * @param max the maximum length
 * @param allows whether a name is valid
 * @param prefix precedes names whose first character would be invalid otherwise
 */
export function fitName(words: readonly string[], max: number, allows: (name: string) => boolean, prefix: string): string | undefined {
  const hash = shortHash(words.join('\n'));
  const lossy = words.some((word) => /[^A-Za-z0-9\s._-]/.test(word));
  const plain = words.flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/)).filter((word) => word !== '');
  const variants = [...(lossy ? [] : [plain]), [...plain, hash], [prefix, ...plain], [prefix, ...plain, hash]];
  for (const variant of variants) {
    const found = SEPARATORS.map((separator) => shortened(variant.join(separator), max, separator, hash)).find(allows);
    if (found !== undefined) return found;
  }
  // Some patterns limit the length themselves, which only trying reveals.
  const longest = Math.min(max, Math.max(...variants.map((variant) => variant.join('-').length)));
  for (let length = longest - 1; length >= SHORTEST; length--) {
    for (const variant of variants) {
      const found = SEPARATORS.map((separator) => shortened(variant.join(separator), length, separator, hash)).find(allows);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function shortened(name: string, max: number, separator: string, hash: string): string {
  if (name.length <= max) return name;
  const room = max - HASH_LENGTH - separator.length;
  const head = withoutTrailing(name.slice(0, Math.max(0, room)), '-_');
  return head === '' ? hash.slice(-max) : `${head}${separator}${hash}`;
}
