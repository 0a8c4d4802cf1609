/**
 * The values of a stream of JSON texts, one a line. Parts may end anywhere, inside a line or inside a UTF-8 character. A last line
 * without line end is what a broken connection leaves behind: it is dropped unless it is complete.
 */
export async function* jsonLines(parts: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  // Pieces of the line that has no end yet: joined once, so that a long line in many parts costs linear time.
  let pieces: string[] = [];
  for await (const part of parts) {
    const lines = decoder.decode(part, { stream: true }).split('\n');
    for (const end of lines.slice(0, -1)) {
      const line = [...pieces, end].join('');
      pieces = [];
      if (line.trim() !== '') yield parse(line);
    }
    const rest = lines[lines.length - 1];
    if (rest !== '') pieces.push(rest);
  }
  const last = pieces.join('') + decoder.decode();
  if (last.trim() === '') return;
  try {
    yield JSON.parse(last);
  } catch {
    return;
  }
}

/** A complete line that is no JSON. */
export class MalformedLineError extends Error {
  public constructor(length: number) {
    // Never the line itself: it may hold a Secret.
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
