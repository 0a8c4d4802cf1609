import { randomBytes } from 'node:crypto';

/** From the beginning of the Gregorian calendar to that of Unix time, in milliseconds. */
const GREGORIAN = 12_219_292_800_000n;

let last = 0n;

/** A new UUID version 1 (RFC 9562 section 5.1): the time, and a random node instead of a network card. Never the same twice in a process. */
export function uuidV1(now: number = Date.now()): string {
  const time = (BigInt(now) + GREGORIAN) * 10_000n;
  last = time > last ? time : last + 1n;
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32BE(Number(last & 0xffffffffn), 0);
  bytes.writeUInt16BE(Number((last >> 32n) & 0xffffn), 4);
  bytes.writeUInt16BE(Number((last >> 48n) & 0x0fffn) + 0x1000, 6);
  randomBytes(8).copy(bytes, 8);
  bytes[8] = 0x80 + (bytes[8] % 0x40); // variant
  if (bytes[10] % 2 === 0) bytes[10] += 1; // multicast: no network card has such an address
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
