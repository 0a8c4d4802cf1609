const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

/** Replaces each PEM block. A block without an end extends to the next quote, which ends the string in JSON and so the key. */
export function replaceBlocks(text: string, replacement: string): string {
  let start = text.indexOf(BEGIN);
  if (start < 0) return text;
  const parts: string[] = [];
  let done = 0;
  // Both are searched for in one direction only, so that no character is read twice.
  const ends = new Forward(text, END);
  const quotes = new Forward(text, '"');
  while (start >= 0) {
    const end = endOfBlock(text, start, ends, quotes);
    parts.push(text.slice(done, start), replacement);
    done = end;
    start = text.indexOf(BEGIN, end);
  }
  return [...parts, text.slice(done)].join('');
}

function endOfBlock(text: string, start: number, ends: Forward, quotes: Forward): number {
  const quote = quotes.after(start);
  const end = ends.after(start);
  if (end > quote) return quote;
  const dashes = text.indexOf(DASHES, end + END.length);
  return dashes < 0 || dashes > quote ? quote : dashes + DASHES.length;
}

/** Finds occurrences of a text at increasing positions. */
class Forward {
  private next = -1;

  public constructor(private readonly text: string, private readonly wanted: string) {}

  /** The first occurrence at or after the position; the end of the text if there is none. */
  public after(position: number): number {
    if (this.next < position) {
      const found = this.text.indexOf(this.wanted, position);
      this.next = found < 0 ? this.text.length : found;
    }
    return this.next;
  }
}
