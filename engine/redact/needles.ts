/** Longer forms are searched for in pieces, so that a part of a long value is found wherever it was cut. */
const PIECE = 24;
/** Lengths of the beginning or end of a form that is searched for where a text was cut. */
const SHORTEST_REST = 4;
const LONGEST_REST = PIECE - 1;

interface Place {
  readonly form: string;
  readonly offset: number;
}

/** Marks that programs write where they cut a quotation. The end of a text counts as a cut too. */
const CUTS = /…|\.\.\.|\[truncated|\(truncated|<truncated/g;

/**
 * Finds forms of secrets in a text. The time grows with the length of the text and the number of different lengths (at most 24), not with
 * the number of forms.
 */
export class Needles {
  /** Pieces by length. */
  private readonly pieces = new Map<number, Map<string, Place>>();
  private readonly starts = new Set<string>();
  private readonly beginnings = new Set<string>();
  private readonly ends = new Set<string>();
  /** The last characters of the beginnings and the first characters of the ends: at most places checking them is enough. */
  private readonly lastOfBeginnings = new Set<string>();
  private readonly firstOfEnds = new Set<string>();
  private readonly shortest: number;

  public constructor(forms: Iterable<string>, shortest: number) {
    this.shortest = shortest;
    for (const form of new Set(forms)) if (form.length >= shortest) this.add(form);
  }

  public get isEmpty(): boolean {
    return this.pieces.size === 0;
  }

  /** Calls back for each range of the text that is a form or a part of one. */
  public find(text: string, onRange: (start: number, end: number) => void): void {
    const lengths = [...this.pieces].sort(([a], [b]) => b - a);
    let known = { from: 0, to: 0 };
    for (let index = 0; index + this.shortest <= text.length; index += 1) {
      if (index === known.from) index = Math.max(index, known.to);
      if (!this.starts.has(text.slice(index, index + this.shortest))) continue;
      for (const [length, places] of lengths) {
        const place = index + length <= text.length ? places.get(text.slice(index, index + length)) : undefined;
        if (!place) continue;
        const [start, end] = extended(text, index, length, place);
        onRange(start, end);
        // A piece between these two, and its extension on either side, is within the range as well.
        if (end - 2 * PIECE > known.to) known = { from: known.from > index ? known.from : index + PIECE, to: end - 2 * PIECE };
        break;
      }
    }
    this.findRests(text, onRange);
  }

  private add(form: string): void {
    for (let next = 0; next < form.length; next += PIECE) {
      // The last piece ends where the form ends.
      const offset = Math.max(Math.min(next, form.length - PIECE), 0);
      const piece = form.slice(offset, offset + PIECE);
      let places = this.pieces.get(piece.length);
      if (!places) this.pieces.set(piece.length, (places = new Map<string, Place>()));
      if (!places.has(piece)) places.set(piece, { form, offset });
      this.starts.add(piece.slice(0, this.shortest));
    }
    for (let length = SHORTEST_REST; length <= Math.min(LONGEST_REST, form.length - 1); length += 1) {
      this.beginnings.add(form.slice(0, length));
      this.lastOfBeginnings.add(form.slice(length - SHORTEST_REST, length));
      this.ends.add(form.slice(-length));
      this.firstOfEnds.add(form.slice(-length).slice(0, SHORTEST_REST));
    }
  }

  /** Finds beginnings of forms before a cut, and ends after one. */
  private findRests(text: string, onRange: (start: number, end: number) => void): void {
    this.beginningBefore(text, text.length, onRange);
    this.endAfter(text, 0, onRange);
    CUTS.lastIndex = 0;
    for (let cut = CUTS.exec(text); cut; cut = CUTS.exec(text)) {
      this.beginningBefore(text, cut.index, onRange);
      this.endAfter(text, cut.index + cut[0].length, onRange);
    }
  }

  private beginningBefore(text: string, cut: number, onRange: (start: number, end: number) => void): void {
    if (!this.lastOfBeginnings.has(text.slice(Math.max(cut - SHORTEST_REST, 0), cut))) return;
    for (let length = Math.min(LONGEST_REST, cut); length >= SHORTEST_REST; length -= 1) {
      if (this.beginnings.has(text.slice(cut - length, cut))) return onRange(cut - length, cut);
    }
  }

  private endAfter(text: string, cut: number, onRange: (start: number, end: number) => void): void {
    if (!this.firstOfEnds.has(text.slice(cut, cut + SHORTEST_REST))) return;
    for (let length = Math.min(LONGEST_REST, text.length - cut); length >= SHORTEST_REST; length -= 1) {
      if (this.ends.has(text.slice(cut, cut + length))) return onRange(cut, cut + length);
    }
  }
}

/** The range, extended to both sides as far as the text matches the form: at most one piece backwards, without limit forwards. */
function extended(text: string, index: number, length: number, { form, offset }: Place): [start: number, end: number] {
  let start = index;
  for (let at = offset; at > 0 && index - start < PIECE && start > 0 && text[start - 1] === form[at - 1]; at -= 1) start -= 1;
  let end = index + length;
  for (let at = offset + length; at < form.length && text[end] === form[at]; at += 1) end += 1;
  return [start, end];
}
