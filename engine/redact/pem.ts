const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';

/** The text with each PEM block replaced. A block without an end is one up to the next quote: what ends a text in JSON ends its key as well. */
export function replaceBlocks(text: string, replacement: string): string {
  let start = text.indexOf(BEGIN);
  if (start < 0) return text;
  const parts: string[] = [];
  let done = 0;
  // Both are looked for in one direction only, so that nothing is read twice.
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

/** Occurrences of a text, asked for at positions that only grow. */
class Forward {
  private next = -1;

  public constructor(private readonly text: string, private readonly wanted: string) {}

  /** The first at this position or behind it; the end of the text where there is none. */
  public after(position: number): number {
    if (this.next < position) {
      const found = this.text.indexOf(this.wanted, position);
      this.next = found < 0 ? this.text.length : found;
    }
    return this.next;
  }
}
