import { isIP } from 'node:net';

/** A range of addresses in CIDR notation: `10.0.0.0/16`. */
export interface Cidr {
  readonly version: 4 | 6;
  /** First address. */
  readonly first: bigint;
  /** Last address. */
  readonly last: bigint;
  readonly prefix: number;
}

/** A text in CIDR notation; its host bits may be set. Undefined for any other text. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || !/^\d{1,3}$/.test(text.slice(slash + 1))) return undefined;
  const address = parseAddress(text.slice(0, slash));
  const prefix = Number(text.slice(slash + 1));
  if (!address || prefix > address.bits) return undefined;
  const size = 2n ** BigInt(address.bits - prefix);
  const first = (address.value / size) * size;
  return { version: address.bits === 32 ? 4 : 6, first, last: first + size - 1n, prefix };
}

/** Whether the address before the slash is another one than the first of the range. */
export function hasHostBits(text: string): boolean {
  const cidr = parseCidr(text);
  return cidr !== undefined && parseAddress(text.slice(0, text.indexOf('/')))!.value !== cidr.first;
}

export function overlap(one: Cidr, other: Cidr): boolean {
  return one.version === other.version && one.first <= other.last && other.first <= one.last;
}

/** Whether all addresses of `inner` are in `outer`. */
export function contains(outer: Cidr, inner: Cidr): boolean {
  return outer.version === inner.version && outer.first <= inner.first && inner.last <= outer.last;
}

/** `10.0.1.0/24`: the range as Azure writes it. */
export function textOfCidr({ version, first, prefix }: Cidr): string {
  return `${version === 4 ? textOfIpv4(first) : textOfIpv6(first)}/${prefix}`;
}

/** The number of an IPv4 or IPv6 address. Undefined for any other text. */
export function parseAddress(text: string): { readonly bits: 32 | 128; readonly value: bigint } | undefined {
  switch (isIP(text)) {
    case 4: return { bits: 32, value: numberOf(text.split('.').map(Number), 256n) };
    case 6: return text.includes('%') ? undefined : { bits: 128, value: numberOf(groupsOf(text), 65_536n) };
    default: return undefined;
  }
}

function numberOf(digits: readonly number[], base: bigint): bigint {
  return digits.reduce((value, digit) => value * base + BigInt(digit), 0n);
}

/** The eight groups of an IPv6 address. */
function groupsOf(text: string): number[] {
  const [head = '', tail] = withoutIpv4(text).split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  if (tail === undefined) return groups(head);
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** `::ffff:10.0.0.1` with its last four bytes as two groups. */
function withoutIpv4(text: string): string {
  const last = text.slice(text.lastIndexOf(':') + 1);
  if (!last.includes('.')) return text;
  const [a = 0, b = 0, c = 0, d = 0] = last.split('.').map(Number);
  return `${text.slice(0, text.length - last.length)}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

function textOfIpv4(value: bigint): string {
  return [3n, 2n, 1n, 0n].map((place) => String((value / 256n ** place) % 256n)).join('.');
}

function textOfIpv6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((value / 65_536n ** BigInt(7 - index)) % 65_536n).toString(16));
  // The longest run of zeros is left out (RFC 5952).
  const zeros = longestZeros(groups);
  return zeros === '' ? groups.join(':') : groups.join(':').replace(new RegExp(`:?\\b${zeros}\\b:?`), '::');
}

function longestZeros(groups: readonly string[]): string {
  return (groups.join(':').match(/\b0(?::0)+\b/g) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
