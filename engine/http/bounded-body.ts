import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** A body is larger than any that may come on its road. */
export class BodyTooLargeError extends Error {
  /** `from`: the party that has no such answers, e.g. `Azure`. */
  public constructor(maxBytes: number, from: string) {
    super(`the answer has more than ${maxBytes} bytes, which no answer of ${from} has: check the proxy on the way to it`);
    this.name = 'BodyTooLargeError';
  }
}

/** A body that ended before its end, or cannot be unpacked. */
export class BrokenBodyError extends Error {
  public constructor(cause: Error) {
    super(`the answer broke off, or cannot be unpacked (${cause.message})`, { cause });
    this.name = 'BrokenBodyError';
  }
}

export interface BodyLimits {
  /** Of the body as it comes, and as it is unpacked. */
  readonly maxBytes: number;
  /** The party that answers, for errors. */
  readonly from: string;
  readonly signal?: AbortSignal | undefined;
  /** `content-encoding` of the answer. Default: none. Everything but gzip is taken as it is. */
  readonly encoding?: string | undefined;
  /** Waits for a place before more than `SMALL_BODY_BYTES` are kept. The answer gives it back. Default: none is needed. */
  readonly enter?: (() => Promise<() => void>) | undefined;
  /** Gets the size of each part as it comes. Bytes. */
  readonly onPart?: ((bytes: number) => void) | undefined;
}

/** As many bytes are read of all answers at once. The answer about a resource seldom has more. */
export const SMALL_BODY_BYTES = 256 * 1024;

type Part = Uint8Array | string;

/**
 * A whole body as text. An abort, a limit and an end before its time end the whole chain at once, up to the connection: `pipe` would leave
 * the decompressor waiting for ever.
 *
 * @throws BodyTooLargeError, BrokenBodyError; the signal's reason
 * @see https://github.com/node-fetch/node-fetch/issues/378 and https://github.com/forwardemail/superagent/issues/1272
 */
export async function boundedText(
  body: AsyncIterable<Part>, { maxBytes, from, signal, encoding, enter, onPart }: BodyLimits,
): Promise<string> {
  const chunks: Buffer[] = [];
  let received = 0;
  let unpacked = 0;
  let leave: (() => void) | undefined;
  const stream = body instanceof Readable ? body : Readable.from(body);
  const come = (part: Part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    received += bytes.length;
    onPart?.(bytes.length);
    if (received > maxBytes) throw new BodyTooLargeError(maxBytes, from);
    return bytes;
  };
  const keep = async (part: Uint8Array) => {
    unpacked += part.length;
    if (unpacked > maxBytes) throw new BodyTooLargeError(maxBytes, from);
    if (unpacked > SMALL_BODY_BYTES) leave ??= await enter?.();
    chunks.push(part as Buffer);
  };
  try {
    if (/^(?:x-)?gzip$/i.test(encoding?.trim() ?? '')) await unpack(stream, come, keep, signal);
    else await read(stream, (part) => keep(come(part)), signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof BodyTooLargeError) throw error;
    // An answer without a body may say that it is packed: https://github.com/request/request/issues/2177
    const isEmpty = received === 0 && (error as { readonly code?: unknown }).code === 'Z_BUF_ERROR';
    if (!isEmpty) throw new BrokenBodyError(error as Error);
  } finally {
    leave?.();
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without a pipeline, which took a twelfth of the controller's processor time: it makes a controller and an exception for each answer. */
async function read(stream: Readable, onPart: (part: Part) => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const end = () => stream.destroy();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  try {
    for await (const part of stream as AsyncIterable<Part>) await onPart(part);
    signal?.throwIfAborted();
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function unpack(
  stream: Readable, come: (part: Part) => Uint8Array, keep: (part: Uint8Array) => Promise<void>, signal: AbortSignal | undefined,
): Promise<void> {
  const asComes = async function* (parts: AsyncIterable<Part>) {
    for await (const part of parts) yield come(part);
  };
  const collect = async (parts: AsyncIterable<Uint8Array>) => {
    for await (const part of parts) await keep(part);
  };
  await pipeline(stream, asComes, createGunzip(), collect, signal ? { signal } : {});
}
