/** The text of a list that takes the fewest changes, whatever the case; the list is not empty. */
export function nearestText(text: string, all: readonly string[]): string {
  return all.map((other) => ({ other, changes: changesBetween(text.toUpperCase(), other.toUpperCase()) }))
    .reduce((best, next) => (next.changes < best.changes ? next : best)).other;
}

/** Levenshtein's distance. */
export function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}
