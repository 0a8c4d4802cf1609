import { isMap, isPair, isSeq, type Document, type Node } from 'yaml';
import type { FieldPath } from '../../src/catalog/validate-spec';
import { asText } from '../../src/util/words';

/** The comments at one place of an object. */
export interface Remarks {
  /** Comment lines above the place. */
  readonly before: string[];
  /** Comment on the line of the place. */
  readonly beside: string[];
  /** Comment lines at the end of the place's content. */
  readonly end: string[];
}

export const NONE: Remarks = { before: [], beside: [], end: [] };

/** The comments of one object. The printer of a place takes the comments there; `rest` returns the comments that no printer took. */
export class Comments {
  /** The comments of a node, and those above and below it. */
  public static of(
    node: unknown,
    above: readonly (string | null | undefined)[] = [],
    below: readonly (string | null | undefined)[] = [],
  ): Comments {
    const comments = new Comments();
    for (const text of above) comments.add([], 'before', text);
    comments.collect(node, []);
    for (const text of below) comments.add([], 'before', text);
    return comments;
  }

  private readonly byPlace = new Map<string, { before: string[]; beside: string[]; end: string[] }>();

  /** Removes and returns the comments of a place; a second call returns none. */
  public take(path: FieldPath): Remarks {
    const key = keyOf(path);
    const found = this.byPlace.get(key);
    this.byPlace.delete(key);
    return found ?? NONE;
  }

  /** Whether a place below has a comment: the value is then printed line by line. */
  public below(path: FieldPath): boolean {
    const key = keyOf(path);
    return [...this.byPlace.keys()].some((place) => place.startsWith(key) && (place !== key || this.byPlace.get(key)!.end.length > 0));
  }

  /** Takes all comments inside a value that is printed as a whole. */
  public takeBelow(path: FieldPath): string[] {
    const key = keyOf(path);
    const places = [...this.byPlace.keys()].filter((place) => place.startsWith(key) && place !== key);
    return places.flatMap((place) => {
      const { before, beside, end } = this.byPlace.get(place)!;
      this.byPlace.delete(place);
      return [...before, ...beside, ...end];
    });
  }

  /** All comments that were not taken, in the order of the file. */
  public rest(): string[] {
    const lines = [...this.byPlace.values()].flatMap(({ before, beside, end }) => [...before, ...beside, ...end]);
    this.byPlace.clear();
    return lines;
  }

  /** The comments inside a value, as those of an object of its own. */
  public inside(path: FieldPath): Comments {
    const comments = new Comments();
    const key = keyOf(path);
    for (const [place, remarks] of this.byPlace) if (place.startsWith(key)) comments.byPlace.set(place.slice(key.length), remarks);
    return comments;
  }

  /** A copy of the comments, with none of them taken. */
  public copy(): Comments {
    const copy = new Comments();
    for (const [key, remarks] of this.byPlace) copy.byPlace.set(key, remarks);
    return copy;
  }

  private add(path: FieldPath, where: keyof Remarks, text: string | null | undefined): void {
    if (!text) return;
    const key = keyOf(path);
    const remarks = this.byPlace.get(key) ?? { before: [], beside: [], end: [] };
    // A line separator would end the comment in TypeScript.
    const lines = text.split(/[\n\r\u2028\u2029]/).map((line) => line.replace(/^ /, '').trimEnd());
    remarks[where].push(...lines.filter((line, i) => line !== '' || (i > 0 && i < lines.length - 1)));
    this.byPlace.set(key, remarks);
  }

  private collect(node: unknown, path: FieldPath): void {
    if (isMap(node) || isSeq(node)) {
      const children: [step: string | number, key: unknown, value: unknown][] = node.items.map((item, index) =>
        isPair(item) ? [asText((item.key as { value?: unknown } | null)?.value), item.key, item.value] : [index, undefined, item]);
      // A comment between `key:` and its first line is about that line; a comment above an element is about the element.
      const isValue = typeof path.at(-1) === 'string';
      const [first] = children;
      this.add(first && isValue ? [...path, first[0]] : path, 'before', node.commentBefore);
      for (const [index, [step, key, value]] of children.entries()) {
        const at = [...path, step];
        // A comment above the first line of an object is about the object.
        this.add(path.length === 0 && index === 0 ? path : at, 'before', (key as Node | undefined)?.commentBefore);
        this.add(at, 'beside', (key as Node | undefined)?.comment);
        this.collect(value, at);
      }
      this.add(path, 'end', node.comment);
    } else {
      const scalar = node as Node | null | undefined;
      this.add(path, 'before', scalar?.commentBefore);
      this.add(path, 'beside', scalar?.comment);
    }
  }
}

/** The comments above and below a whole document. */
export function aroundDocument(document: Document.Parsed): { above: string | null; below: string | null } {
  return { above: document.commentBefore, below: document.comment };
}

function keyOf(path: FieldPath): string {
  return path.map((step) => `${step}\u0000`).join('');
}
