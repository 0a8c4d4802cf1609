/** Characters of a line. An object has at most 1.5 MiB in etcd, and a request to an API server 3 MiB. */
export const MAX_LINE = 16 * 1024 * 1024;

/**
 * The values of a stream of JSON texts, one per line. Parts may end anywhere, inside a line or inside a UTF-8 character. A broken
 * connection may leave a last line without line end: it is dropped unless it is complete.
 *
 * @throws MalformedLineError
 */
export async function* jsonLines(parts: AsyncIterable<Uint8Array>, maxLine = MAX_LINE): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  // Parts of the unfinished line. They are joined once, so that a long line in many parts takes linear time.
  let pieces: string[] = [];
  let length = 0;
  for await (const part of parts) {
    const lines = decoder.decode(part, { stream: true }).split('\n');
    for (const end of lines.slice(0, -1)) {
      const line = [...pieces, end].join('');
      pieces = [];
      length = 0;
      if (line.trim() !== '') yield parse(line);
    }
    const rest = lines.at(-1);
    if (rest) pieces.push(rest);
    length += rest?.length ?? 0;
    if (length > maxLine) throw new MalformedLineError(length);
  }
  const last = pieces.join('') + decoder.decode();
  if (last.trim() === '') return;
  try {
    yield JSON.parse(last);
  } catch {
    return;
  }
}

/** A complete line that is not JSON, or one that does not end. */
export class MalformedLineError extends Error {
  public constructor(length: number) {
    // The message never contains the line itself, which may hold a Secret.
    super(`a line of ${length} characters is no JSON`);
    this.name = 'MalformedLineError';
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new MalformedLineError(line.length);
  }
}
