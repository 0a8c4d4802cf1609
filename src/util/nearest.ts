import { elementAt } from './elements';

/**
 * The candidate most similar to the word, case-insensitive; undefined if none is similar enough. A number with another digit is another
 * number, and similar to none.
 * @param most the maximum number of different letters
 */
export function nearest(word: string, candidates: Iterable<string>, most = Math.max(2, Math.floor(word.length / 3))): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = (/\p{L}/u.test(word) ? most : 0) + 1;
  for (const candidate of candidates) {
    const distance = candidate.toLowerCase() === lower ? 0 : editDistance(lower, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` Did you mean 'x'?` for the nearest candidate, or an empty text. */
export function suggestion(word: string, candidates: Iterable<string>): string {
  const best = nearest(word, candidates);
  return best === undefined ? '' : ` Did you mean '${best}'?`;
}

/** The number of different letters (Damerau-Levenshtein: swapped neighbours count once), up to the limit. */
export function editDistance(a: string, b: string, limit = Infinity): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(elementAt(previous, j) + 1, elementAt(current, j - 1) + 1, elementAt(previous, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, elementAt(beforePrevious, j - 2) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return elementAt(previous, b.length);
}
