/** Where a mistake is found: by the compiler, when the construct is made, or by the checks at synth. */
export type Found = 'compile' | 'construct' | 'synth';

/** An author's mistake, and how its message reaches the author. */
export interface Mistake {
  readonly found: Found;
  /** In a few words. */
  readonly what: string;
  /** The section of the specification that says what would become of it. */
  readonly reference: string;
  /** Part of the expected message. docs/mistakes.md has the whole. */
  readonly says: string;
  /** TypeScript that is refused. */
  readonly wrong: string;
  /** The same without the mistake. */
  readonly right: string;
}

export type Row = readonly [what: string, reference: string, says: string, wrong: string, right: string];

export function mistakes(found: Found, rows: readonly Row[]): Mistake[] {
  return rows.map(([what, reference, says, wrong, right]) => ({ found, what, reference, says, wrong: tidy(wrong), right: tidy(right) }));
}

/** Rows are put together of parts, some of which are empty. */
function tidy(code: string): string {
  return code.replace(/,\s+\}/g, ' }').replace(/\{ +\}/g, '{}');
}
