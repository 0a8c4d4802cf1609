import { randomBytes } from 'node:crypto';

/** From the beginning of the Gregorian calendar to that of Unix time, in milliseconds. */
const GREGORIAN = 12_219_292_800_000n;

let last = 0n;

/**
 * A new UUID version 1 (RFC 9562 section 5.1): the time, and a random node instead of a network card. Never the same twice in a process.
 */
export function uuidV1(now: number = Date.now()): string {
  const time = (BigInt(now) + GREGORIAN) * 10_000n;
  last = time > last ? time : last + 1n;
  const digits = last.toString(16).padStart(15, '0');
  const bytes = Buffer.from(`${digits.slice(7)}${digits.slice(3, 7)}1${digits.slice(0, 3)}0000000000000000`, 'hex');
  randomBytes(8).copy(bytes, 8);
  bytes.writeUInt8(0x80 + (bytes.readUInt8(8) % 0x40), 8); // variant
  const node = bytes.readUInt8(10);
  if (node % 2 === 0) bytes.writeUInt8(node + 1, 10); // multicast: no network card has such an address
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
