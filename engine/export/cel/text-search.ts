/**
 * Search in linear time. JavaScript's own `indexOf` takes time by the product of both lengths when near matches are frequent; it is used
 * when that product is small.
 */

type Characters = string | readonly string[];

const SMALL = 10_000;

/** Index of the first occurrence at or after `from`; -1 if there is none. */
export function indexIn(text: Characters, wanted: Characters, from: number): number {
  if (typeof text === 'string' && typeof wanted === 'string' && (wanted.length < 2 || text.length * wanted.length < SMALL)) {
    return text.indexOf(wanted, from);
  }
  return search(text, wanted, from);
}

/** Index of the last occurrence at or before `from`; -1 if there is none. */
export function lastIndexIn(text: readonly string[], wanted: readonly string[], from: number): number {
  const end = Math.min(from + wanted.length, text.length);
  if (wanted.length > end) return -1;
  const backwards = search(text.slice(0, end).reverse(), [...wanted].reverse(), 0);
  return backwards < 0 ? -1 : end - wanted.length - backwards;
}

/** The algorithm of Knuth, Morris and Pratt. */
function search(text: Characters, wanted: Characters, from: number): number {
  if (wanted.length === 0) return Math.min(from, text.length);
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let place = Math.max(from, 0); place < text.length; place += 1) {
    while (matched > 0 && text[place] !== wanted[matched]) matched = borders[matched - 1] ?? 0;
    if (text[place] === wanted[matched]) matched += 1;
    if (matched === wanted.length) return place - matched + 1;
  }
  return -1;
}

/** For every prefix of a text, the length of its longest proper prefix that is also its suffix. */
function bordersOf(text: Characters): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let place = 1; place < text.length; place += 1) {
    while (length > 0 && text[place] !== text[length]) length = borders[length - 1] ?? 0;
    if (text[place] === text[length]) length += 1;
    borders[place] = length;
  }
  return borders;
}
