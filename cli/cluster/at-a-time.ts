/** Acts on all items, at most so many at a time, in the order in which they come. Rejects with the first failure. */
export async function atATime<T>(items: readonly T[], most: number, act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}
