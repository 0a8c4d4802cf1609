import { shortHash } from '../../azure/names/fit-name';
import { withoutTrailing } from '../../azure/trailing-slashes';

/** Kubernetes takes longer names; people do not. */
const MAX_OBJECT_NAME = 120;

/** A text in lower-case letters; where it is longer than allowed, a hash of all of it takes the place of its end, so that what differs keeps differing. */
export function limited(text: string, max: number): string {
  const lower = text.toLowerCase();
  if (lower.length <= max) return lower;
  return `${withoutTrailing(lower.slice(0, max - 7), '-._')}-${shortHash(lower)}`;
}

/** The name of a Kubernetes object from words; where characters are lost (`_`, `$`), a hash keeps apart what differs. */
export function objectName(...words: string[]): string {
  const exact = words.join('-').toLowerCase();
  const kept = exact.replace(/(?<=^|-)[^a-z0-9.-]+|[^a-z0-9.-]+(?=-|$)/g, '').replace(/[^a-z0-9.-]+/g, '-');
  const plain = withoutTrailing(kept.replace(/^[-.]+/, ''), '-.');
  return limited(plain === exact ? plain : `${plain}-${shortHash(exact)}`, MAX_OBJECT_NAME);
}
