/** File → the files that it imports. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/**
 * Groups of files that import each other, directly or by way of others: the strongly connected components, by Tarjan's algorithm. A file
 * that imports itself is a group of one.
 * @see https://en.wikipedia.org/wiki/Tarjan%27s_strongly_connected_components_algorithm
 */
export function importCycles(imports: Imports): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    low.set(file, own);
    stack.push(file);
    for (const target of imports.get(file) ?? []) {
      const known = index.get(target);
      if (known === undefined) low.set(file, Math.min(low.get(file)!, visit(target)));
      else if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, known));
    }
    if (low.get(file) === own) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || imports.get(file)?.includes(file)) groups.push(group.sort());
    }
    return low.get(file)!;
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return groups;
}

/** The shortest way from the first file of a group back to it. */
export function shortestCycle([start, ...others]: readonly [string, ...string[]], imports: Imports): string[] {
  const group = new Set([start, ...others]);
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const target of imports.get(way.at(-1)!) ?? []) {
      if (target === start) return [...way, start];
      if (!group.has(target) || seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return [start];
}
