/** The text before the first match of a separator; the whole text when there is none. */
export function textBefore(text: string, separator: string | RegExp): string {
  const [before = text] = text.split(separator, 1);
  return before;
}
