const LONGEST_SENTENCE = 240;

/** @throws when the value is no sentence of at most 240 characters */
export function sentence(value: unknown, at: string): string {
  const text = plainText(value);
  if (!/[.!?)]$/.test(text)) throw new Error(`${at} is no sentence: it ends without a period`);
  if (text.length > LONGEST_SENTENCE) throw new Error(`${at} has ${text.length} characters; ${LONGEST_SENTENCE} are the most`);
  return text;
}

/** A text of YAML in one line. */
export function plainText(value: unknown): string {
  return String(value).replace(/\s+/g, ' ').trim();
}
