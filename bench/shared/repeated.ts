/** A list of a length that repeats the given elements in their order. */
export function repeated<T>(elements: readonly T[], length: number): T[] {
  const rounds = Math.ceil(length / Math.max(1, elements.length));
  return Array.from({ length: rounds }, () => elements).flat().slice(0, length);
}
