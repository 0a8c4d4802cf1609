import { createHash } from 'node:crypto';
import { contains, overlap, parseCidr, textOfCidr, type Cidr } from '../../util/cidr';
import { childName, childrenOf } from '../children';
import { isResource, type ResourceInternals } from '../resource-internals';
import type { Conversion } from '../schema/conversion';

const LENGTH_ONLY = /^\/(\d{1,2})$/;
/** Azure's smallest subnet has 8 addresses. */
const LONGEST = 29;

interface SubnetProps {
  readonly azureName?: unknown;
  readonly addressPrefix?: unknown;
  readonly addressPrefixes?: unknown;
  readonly ipamPoolPrefixAllocations?: unknown;
}

/** Whether the library has to choose the range of a subnet: it has none, or only a length: `/26`. */
export function needsRange(props: object): boolean {
  const { addressPrefix, addressPrefixes, ipamPoolPrefixAllocations } = props as SubnetProps;
  if (addressPrefixes !== undefined || ipamPoolPrefixAllocations !== undefined) return false;
  return addressPrefix === undefined || (typeof addressPrefix === 'string' && LENGTH_ONLY.test(addressPrefix));
}

/**
 * The range of a subnet within the first range of its network. It follows from the subnet's name and size and from the network's range
 * alone, so it stays when other subnets come and go. Two names may give ranges that overlap; that is a problem, with a range that is free:
 * a range chosen in its place would depend on the other subnets.
 */
export function subnetRange(subnet: ResourceInternals, run: Conversion): string | undefined {
  const network = subnet.owner?.construct;
  const { addressPrefix, azureName } = subnet._given as SubnetProps;
  const space = isResource(network) ? rangesOf(network._check().spec.addressSpace)[0] : undefined;
  if (!isResource(network) || space?.version !== 4) {
    if (addressPrefix === undefined) return undefined;
    run.problems.push(`addressPrefix: '${String(addressPrefix)}' is a length only, and the range of the network is not known here. Give the whole range: 10.0.1.0/24.`);
    return undefined;
  }
  const length = LENGTH_ONLY.exec(String(addressPrefix))?.[1];
  const prefix = length === undefined ? defaultLength(space) : Number(length);
  if (prefix < space.prefix || prefix > LONGEST) {
    run.problems.push(`addressPrefix: '/${prefix}' does not fit the network's ${textOfCidr(space)}. Give /${space.prefix} to /${LONGEST}.`);
    return undefined;
  }
  const name = typeof azureName === 'string' ? azureName : childName(subnet._given) ?? subnet.node.id;
  const range = slotOf(space, prefix, hashOf(name));
  const others = othersOf(network, subnet);
  const taken = others.find((other) => overlap(other.range, range));
  if (!taken) return textOfCidr(range);
  const free = firstFree(space, prefix, others.map((other) => other.range));
  const cure = free === undefined
    ? `No /${prefix} is left in ${textOfCidr(space)}: give a longer prefix, or the network another range.`
    : `Write addressPrefix: '${textOfCidr(free)}', which is free.`;
  run.problems.push(`addressPrefix: ${textOfCidr(range)}, the range that the name '${name}' gives, overlaps with ${textOfCidr(taken.range)} of '${taken.path}'. ${cure}`);
  return undefined;
}

/** A /24, or a sixteenth of a small network. */
function defaultLength({ prefix }: Cidr): number {
  return Math.min(LONGEST, Math.max(24, prefix + 4));
}

function hashOf(name: string): bigint {
  return BigInt(`0x${createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 12)}`);
}

function slotOf(space: Cidr, prefix: number, number: bigint): Cidr {
  const size = 2n ** BigInt(32 - prefix);
  const slots = 2n ** BigInt(prefix - space.prefix);
  const first = space.first + (number % slots) * size;
  return { version: 4, first, last: first + size - 1n, prefix };
}

function firstFree(space: Cidr, prefix: number, taken: readonly Cidr[]): Cidr | undefined {
  const size = 2n ** BigInt(32 - prefix);
  for (let first = space.first; first <= space.last;) {
    const range: Cidr = { version: 4, first, last: first + size - 1n, prefix };
    const other = taken.find((one) => overlap(one, range));
    if (!other) return contains(space, range) ? range : undefined;
    // The next multiple of the size after the range that is taken.
    first = space.first + ((other.last - space.first) / size + 1n) * size;
  }
  return undefined;
}

/** The ranges of the other subnets: chosen ones of those before this one, so that of two that overlap one is right; written ones of all. */
function othersOf(network: ResourceInternals, subnet: ResourceInternals): { readonly range: Cidr; readonly path: string }[] {
  const siblings = childrenOf(network, subnet.kind);
  const own = siblings.indexOf(subnet);
  return siblings.flatMap((sibling, index) => {
    if (sibling === subnet || (index > own && needsRange(sibling._given))) return [];
    const { addressPrefix, addressPrefixes } = (index < own ? sibling._check().spec : sibling._given) as SubnetProps;
    const written = [addressPrefix, ...(Array.isArray(addressPrefixes) ? addressPrefixes : [])];
    return rangesIn(written).map((range) => ({ range, path: sibling.node.path }));
  });
}

function rangesOf(addressSpace: unknown): Cidr[] {
  const { addressPrefixes } = (addressSpace ?? {}) as { addressPrefixes?: unknown };
  return Array.isArray(addressPrefixes) ? rangesIn(addressPrefixes) : [];
}

function rangesIn(texts: readonly unknown[]): Cidr[] {
  return texts.flatMap((text) => (typeof text === 'string' ? parseCidr(text) ?? [] : []));
}
