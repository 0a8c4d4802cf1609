/** The text with a capital first letter. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The text with a lower-case first letter. */
export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The singular or plural noun for a count. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `1 object`, `2 objects`. */
export function counted(count: number, one: string, many?: string): string {
  return `${count} ${plural(count, one, many)}`;
}

/** The text, shortened with `…` to a maximum number of characters. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A list in words: `a, b and c`. */
export function listed(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items[items.length - 1]}`;
}

/** The first few items, and the number of the others: `a, b and 3 more`. */
export function firstOf(items: readonly unknown[], most: number): string {
  const first = items.slice(0, most).join(', ');
  return items.length > most ? `${first} and ${items.length - most} more` : first;
}

/** Any value as a text, for messages and comparisons. `String` throws if an object from JSON has a member `toString`. */
export function asText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
