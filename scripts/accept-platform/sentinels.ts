// Sentinels replace inputs that a case leaves out because they do not matter. If a sentinel is in the synthesized output, the input did
// matter.
import { createHash } from 'node:crypto';

export type Inputs = Readonly<Record<string, any>>;

/** A text, a UUID or a URL for an input, which nothing else would have. */
export function sentinelOf(input: string): string {
  const hash = createHash('sha256').update(input).digest('hex').slice(0, 12);
  if (/Id$/.test(input)) return `0badf00d-0000-4000-8000-${hash}`;
  if (/Url$/.test(input)) return `https://missing-${hash}.invalid/`;
  if (/Interval$/.test(input)) return `${BigInt(`0x${hash}`)}h`;
  return `missing-${hash}`;
}

/** The inputs, with sentinels for those of the names that are not there. */
export function completed(inputs: Inputs, names: readonly string[]): Inputs {
  return { ...inputs, ...Object.fromEntries(names.filter((name) => inputs[name] === undefined).map((name) => [name, sentinelOf(name)])) };
}

/** The inputs whose sentinels turned up. */
export function missingInputs(objects: unknown, names: readonly string[]): string[] {
  const text = JSON.stringify(objects).toLowerCase();
  return names.filter((name) => text.includes(sentinelOf(name)));
}
