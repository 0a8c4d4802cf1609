import { shortHash } from '../../azure/names/fit-name';
import { withoutTrailing } from '../../azure/trailing-slashes';

/** A readable length; Kubernetes allows longer names. */
const MAX_OBJECT_NAME = 120;

/** The text in lower case. If it is too long, a hash of the whole text replaces its end, so that different texts stay different. */
export function limited(text: string, max: number): string {
  const lower = text.toLowerCase();
  if (lower.length <= max) return lower;
  return `${withoutTrailing(lower.slice(0, max - 7), '-._')}-${shortHash(lower)}`;
}

/** The name of a Kubernetes object from words. If characters are dropped (`_`, `$`), a hash keeps different names different. */
export function objectName(...words: string[]): string {
  const exact = words.join('-').toLowerCase();
  const kept = exact.replace(/(?<=^|-)[^a-z0-9.-]+|[^a-z0-9.-]+(?=-|$)/g, '').replace(/[^a-z0-9.-]+/g, '-')
    .replace(/[.-]+/g, (run) => (run.includes('.') ? '.' : run));
  const plain = withoutTrailing(kept.replace(/^[-.]+/, ''), '-.');
  return limited(plain === exact ? plain : `${plain}-${shortHash(exact)}`, MAX_OBJECT_NAME);
}
