/** V8 shares shorter texts itself when it parses JSON. */
const SHORTEST = 11;
/** Longer texts (records, messages) are seldom equal. */
const LONGEST = 200;
/** Levels of an object; a tenant may nest thousands. */
const DEEPEST = 32;
const MOST_TEXTS = 4_096;

/** Equal texts of many objects as one text. Remembers the texts that were met lately, so that it needs no more memory than it saves. */
export class SharedTexts {
  private young = new Map<string, string>();
  private old = new Map<string, string>();

  /** @param most number of texts of each of the two generations */
  public constructor(private readonly most = MOST_TEXTS) {}

  /** The text itself, or an equal one that is in memory already. */
  public of(text: string): string {
    if (text.length < SHORTEST || text.length > LONGEST) return text;
    const known = this.young.get(text);
    if (known !== undefined) return known;
    const shared = this.old.get(text) ?? text;
    if (this.young.size >= this.most) [this.old, this.young] = [this.young, new Map()];
    this.young.set(shared, shared);
    return shared;
  }

  /** Replaces the texts of a value that was parsed from JSON, in place, by equal ones. */
  public share(value: object, depth = 0): void {
    if (depth >= DEEPEST) return;
    if (Array.isArray(value)) return this.shareElements(value as unknown[], depth);
    const members = value as Record<string, unknown>;
    // `for … in` makes no list of the names; a value of JSON inherits none.
    for (const name in members) {
      const member = members[name];
      if (typeof member === 'string') members[name] = this.of(member);
      else if (typeof member === 'object' && member !== null) this.share(member, depth + 1);
    }
  }

  private shareElements(elements: unknown[], depth: number): void {
    for (let index = 0; index < elements.length; index += 1) {
      const element = elements[index];
      if (typeof element === 'string') elements[index] = this.of(element);
      else if (typeof element === 'object' && element !== null) this.share(element, depth + 1);
    }
  }
}
