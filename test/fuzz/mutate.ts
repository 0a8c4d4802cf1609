import { hostileText } from './hostile-texts';
import { HOSTILE_KEYS, HOSTILE_VALUES } from './hostile-values';
import type { Random } from '../simulation/random';

type Container = unknown[] | Record<string, unknown>;

/** Every place of a JSON value that holds another one. */
function places(value: unknown, found: [container: Container, key: string | number][] = []): [Container, string | number][] {
  if (typeof value !== 'object' || value === null || found.length > 2_000) return found;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push([value as Container, key]);
    places((value as Record<string, unknown>)[key], found);
  }
  return found;
}

const read = (container: Container, key: string | number): unknown => (container as Record<string | number, unknown>)[key];

/**
 * Levels of what is still changed. A change adds 2,000 at most; this program itself could not clone 2,500 levels, nor write 5,000 as JSON.
 */
const DEEPEST = 1_000;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** Defines a member of its own, also one with the name `__proto__`. */
function write(container: Container, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Often a value of the list, at times a text that is made for a regular expression. */
export function hostileValue(random: Random): unknown {
  return random.chance(0.1) ? hostileText(random) : random.pick(HOSTILE_VALUES)();
}

const textMutations: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => text.slice(0, random.between(0, text.length)),
  (text) => text + text,
  (text, random) => {
    const at = random.between(0, text.length);
    const value = random.pick(HOSTILE_VALUES)();
    return text.slice(0, at) + (typeof value === 'string' ? value.slice(0, 200) : JSON.stringify(value).slice(0, 200)) + text.slice(at);
  },
  (text, random) => {
    const at = random.between(0, Math.max(text.length - 1, 0));
    return text.slice(0, at) + String.fromCharCode(random.between(0, 0x2100)) + text.slice(at + 1);
  },
  (text) => text.toUpperCase(),
  (text, random) => {
    const at = random.between(0, text.length);
    return text.slice(0, at) + text.slice(at, at + random.between(1, 20)).repeat(random.pick([2, 10, 1_000])) + text.slice(at);
  },
  (text, random) => {
    const at = random.between(0, text.length);
    return (
      text.slice(0, at)
      + (random.chance(0.1)
        ? hostileText(random)
        : random.pick(['\r\n', '\u202e', '\ud800', '\u0000', '"', '\\', '{', '[', '<', '%0a', '\t']))
      + text.slice(at + random.between(0, 3))
    );
  },
  (text) => text.split('').reverse().join(''),
];

const mutations: readonly ((container: Container, key: string | number, random: Random, donor: unknown) => void)[] = [
  (container, key, random) => write(container, key, hostileValue(random)),
  (container, key, random) => write(container, key, hostileValue(random)),
  (container, key) => (Array.isArray(container) ? void container.splice(Number(key), 1) : void delete container[key]),
  (container, key, random) =>
    write(container, Array.isArray(container) ? container.length : random.pick(HOSTILE_KEYS), read(container, key)),
  (container, key) => write(container, key, [read(container, key)]),
  (container, key) => write(container, key, { [String(key)]: read(container, key) }),
  (container, key, random) => {
    const value = read(container, key);
    write(container, key, typeof value === 'string' ? random.pick(textMutations)(value, random) : JSON.stringify(value) ?? '');
  },
  (container, key, random, donor) => {
    const others = places(donor);
    if (others.length > 0) write(container, key, structuredClone(read(...random.pick(others))));
  },
  (container, key, random) => {
    const all = places(container);
    if (all.length > 0) write(container, key, structuredClone(read(...random.pick(all))));
  },
];

/** A JSON value with one to six changes; `donor` is another one, parts of which may come in. */
export function mutate(seed: unknown, donor: unknown, random: Random): unknown {
  const value = structuredClone(seed);
  if (random.chance(0.01)) return hostileValue(random);
  for (let count = random.between(1, 6); count > 0; count -= 1) {
    const all = places(value);
    if (all.length === 0 || isDeeper(value, DEEPEST)) return value;
    const [container, key] = random.pick(all);
    random.pick(mutations)(container, key, random, donor);
  }
  return value;
}

/** A text with one to six changes. */
export function mutateText(text: string, random: Random): string {
  let result = text;
  for (let count = random.between(1, 6); count > 0; count -= 1) result = random.pick(textMutations)(result, random).slice(0, 200_000);
  return result;
}

/** Bytes with some changes, which need not be UTF-8 after them. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = copy.length > 0 ? random.between(0, 4) : 0; count > 0; count -= 1) {
    copy[random.between(0, copy.length - 1)] = random.pick([0, 0x22, 0x5b, 0x5c, 0x7b, 0x7d, 0x80, 0xc0, 0xff, random.between(0, 255)]);
  }
  return random.chance(0.1) ? copy.subarray(0, random.between(0, copy.length)) : copy;
}

/** JSON with changes, as a text from the network: mostly valid JSON, at times damaged. */
export function mutatedJson(seed: unknown, donor: unknown, random: Random): string {
  const text = JSON.stringify(mutate(seed, donor, random)) ?? '';
  return random.chance(0.15) ? mutateText(text, random) : text;
}
