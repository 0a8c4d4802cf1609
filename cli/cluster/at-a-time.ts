/**
 * Acts on all items, at most so many at a time, in the order in which they come. After a failure no further item is begun. Rejects with the
 * first failure, when nothing is under way any more: what follows must not be overtaken by a late write.
 */
export async function atATime<T>(items: readonly T[], most: number, act: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const failures: unknown[] = [];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && failures.length === 0; item = left.shift()) {
      try {
        await act(item);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  if (failures.length > 0) throw failures[0];
}
