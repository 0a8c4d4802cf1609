import { open, stat } from 'node:fs/promises';

/** A file that is no regular file, is empty, or has more than it may have. */
export class FileSizeError extends Error {
  public constructor(file: string, maxBytes: number) {
    super(`${file} is no file of 1 to ${maxBytes} bytes`);
    this.name = 'FileSizeError';
  }
}

/**
 * The text of a small file, with its modification time in milliseconds since the epoch; undefined where that is still the known one.
 * Devices, pipes and files of the kernel, which have no size, are not opened.
 *
 * @throws FileSizeError; errors of Node where there is no such file or it cannot be read
 */
export async function readBoundedFile(
  file: string, maxBytes: number, known?: number,
): Promise<{ readonly text: string; readonly changedMs: number } | undefined> {
  const found = await stat(file);
  if (!found.isFile() || found.size === 0 || found.size > maxBytes) throw new FileSizeError(file, maxBytes);
  if (found.mtimeMs === known) return undefined;
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(maxBytes + 1);
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read) {
      read = (await handle.read(buffer, length, buffer.length - length)).bytesRead;
    }
    // It may have grown since.
    if (length > maxBytes) throw new FileSizeError(file, maxBytes);
    return { text: buffer.toString('utf8', 0, length), changedMs: found.mtimeMs };
  } finally {
    await handle.close();
  }
}
