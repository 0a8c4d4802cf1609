import { createHash, hash, pbkdf2Sync } from 'node:crypto';
import forge from 'node-forge';

/**
 * The file itself sets the cost of deriving a key from a password: an iteration count of 2³¹ in two kilobytes takes hours. Files of
 * OpenSSL, Windows and Key Vault have some thousands, the strongest ones 600 000. Counting functions on top of OpenSSL replace the
 * library's functions: a million iterations take some 2 s.
 */
export const MOST_ITERATIONS = 1_000_000;
/** Maximum product of all integers of a derivation by OpenSSL: iterations and key length of PBKDF2; N, r, p and key length of scrypt. */
const MOST_COST = 64 * MOST_ITERATIONS;
const DEEPEST = 16;

/** Deriving the keys would take too long. */
export class CostlyKeyError extends Error {}

type Bytes = forge.util.ByteStringBuffer;
type Digest = { readonly algorithm: string; readonly blockLength: number } | undefined;

let left = Infinity;

function charge(iterations: number): void {
  left -= iterations;
  if (!(iterations >= 1 && left >= 0)) throw new CostlyKeyError(`its keys take more than ${MOST_ITERATIONS} iterations to derive`);
}

/** The key derivation of RFC 7292, appendix B.2. */
export function pkcs12Key(password: string | undefined, salt: Bytes, id: number, iterations: number, length: number, md?: Digest): Bytes {
  const { algorithm, blockLength } = md ?? { algorithm: 'sha1', blockLength: 64 };
  const text = password === undefined || password === null ? Buffer.alloc(0) : Buffer.from(`${password}\0`, 'utf16le').swap16();
  const input = Buffer.concat([filled(Buffer.from(salt.bytes(), 'binary'), blockLength), filled(text, blockLength)]);
  const diversifier = Buffer.alloc(blockLength, id);
  const blocks: Buffer[] = [];
  for (let made = 0; made < length; made += blocks.at(-1)!.length) {
    charge(iterations);
    let block = createHash(algorithm).update(diversifier).update(input).digest();
    for (let round = 1; round < iterations; round += 1) block = hash(algorithm, block, 'buffer');
    blocks.push(block);
    const addend = filled(block, blockLength).subarray(0, blockLength);
    for (let at = 0; at < input.length; at += blockLength) add(input.subarray(at, at + blockLength), addend);
  }
  return forge.util.createBuffer(Buffer.concat(blocks).subarray(0, length).toString('binary'));
}

/** Repeats the bytes until they fill whole blocks. */
function filled(bytes: Buffer, blockLength: number): Buffer {
  return bytes.length === 0 ? bytes : Buffer.alloc(Math.ceil(bytes.length / blockLength) * blockLength, bytes);
}

/** `target + addend + 1`, as big-endian numbers. */
function add(target: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let at = target.length - 1; at >= 0; at -= 1) {
    carry += (target[at] ?? 0) + (addend[at] ?? 0);
    target[at] = carry % 256;
    carry = Math.floor(carry / 256);
  }
}

function pbkdf2(password: string, salt: string, iterations: number, length: number, md?: Digest | string): string {
  charge(iterations);
  const algorithm = typeof md === 'string' ? md : md?.algorithm ?? 'sha1';
  return pbkdf2Sync(Buffer.from(password, 'binary'), Buffer.from(salt, 'binary'), iterations, length, algorithm).toString('binary');
}

Object.assign(forge.pkcs12, { generateKey: pkcs12Key });
// The types lack this member.
Object.assign((forge.pki as unknown as { pbe: object }).pbe, { generatePkcs12Key: pkcs12Key });
Object.assign(forge.pkcs5, { pbkdf2 });

/**
 * Reads PKCS#12 with a limit on the iterations of all its parts together. @throws CostlyKeyError before the first iteration over the limit
 */
export function withBoundedDerivation<T>(read: () => T): T {
  left = MOST_ITERATIONS;
  try {
    return read();
  } finally {
    left = Infinity;
  }
}

/**
 * Refuses an encrypted PKCS#8 key (DER) that OpenSSL would take too long to decrypt: a native function cannot be stopped once it runs.
 *
 * @throws CostlyKeyError, Error when the bytes are not such a key
 */
export function checkDerivation(encrypted: Buffer): void {
  const [algorithm] = forge.asn1.fromDer(encrypted.toString('binary')).value as forge.asn1.Asn1[];
  if (!algorithm) throw new Error('the key has no algorithm');
  if (integersIn(algorithm, DEEPEST).reduce((product, value) => product * value, 1) > MOST_COST) {
    throw new CostlyKeyError(`its key takes more than ${MOST_ITERATIONS} iterations to derive`);
  }
}

function integersIn({ type, value }: forge.asn1.Asn1, depth: number): number[] {
  if (depth === 0) throw new Error('nested too deeply');
  if (Array.isArray(value)) return value.flatMap((inner) => integersIn(inner, depth - 1));
  return type === forge.asn1.Type.INTEGER
    ? [Math.max(Number(BigInt(`0x0${Buffer.from(value, 'binary').subarray(0, 16).toString('hex')}`)), 1)]
    : [];
}
