import { closeSync, openSync, readSync } from 'node:fs';

/** Larger than any release's CRDs (some 30 MB), and far from what would use up the memory. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;

/** A file, a pipe or the standard input has more bytes than are read. */
export class TooManyBytesError extends Error {
  /** The fix. */
  public readonly fix = 'give Kubernetes objects, in several files';

  public constructor(limitBytes: number) {
    super(`is larger than ${limitBytes / 1024 / 1024} MiB`);
    this.name = 'TooManyBytesError';
  }
}

/**
 * The text of a file; 0 is the standard input. The size of a pipe or a device is not known before it is read, so reading itself has the
 * limit.
 * @throws TooManyBytesError
 */
export function readLimited(file: string | 0, limitBytes = MAX_FILE_BYTES): string {
  return decodeText(readBytes(file, limitBytes));
}

/**
 * The text of bytes as kubectl decodes them: in UTF-8, or, where they begin with its byte order mark, in UTF-16. PowerShell 5 writes UTF-16
 * where output is redirected into a file.
 */
export function decodeText(bytes: Buffer): string {
  const encoding = utf16Of(bytes);
  return encoding === undefined ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes);
}

/** The byte order of a text in UTF-16; undefined where there is no byte order mark. */
export function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** The bytes of a file, as `readLimited` reads them. */
export function readBytes(file: string | 0, limitBytes = MAX_FILE_BYTES): Buffer {
  const descriptor = file === 0 ? 0 : openSync(file, 'r');
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      const part = Buffer.allocUnsafe(PART_BYTES);
      const read = readPart(descriptor, part);
      if (read === 0) return Buffer.concat(parts);
      length += read;
      if (length > limitBytes) throw new TooManyBytesError(limitBytes);
      // A pipe gives some bytes at a time: the rest of the buffer is not kept for them.
      parts.push(read * 2 < PART_BYTES ? Buffer.from(part.subarray(0, read)) : part.subarray(0, read));
    }
  } finally {
    if (file !== 0) closeSync(descriptor);
  }
}

/** The bytes that are there; 0 at the end. A pipe may be of the kind that answers EAGAIN instead of waiting for its writer. */
function readPart(descriptor: number, part: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, part, 0, part.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The error that Windows reports at the end of the standard input.
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
