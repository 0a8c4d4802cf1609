/** A path or URL without the slashes at its end. */
export function withoutTrailingSlashes(text: string): string {
  return withoutTrailing(text, '/');
}

/** A text without these characters at its end. A pattern (`/\/+$/`) would take quadratic time on a text of slashes. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
