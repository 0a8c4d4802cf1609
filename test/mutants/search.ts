import type { Group, Tools, Verdict } from './mutant';

/** A mutant that was looked for. */
export interface Result {
  readonly group: string;
  readonly name: string;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/**
 * Looks for the mutants of groups, with one job for each of the tools.
 * @param onResult called when a mutant was looked for
 * @returns the results in the order of the groups
 */
export async function search(
  groups: Readonly<Record<string, Group>>, tools: readonly Tools[], onResult: (result: Result) => void = () => undefined,
): Promise<Result[]> {
  const waiting = Object.entries(groups).flatMap(([group, { mutants }]) => mutants.map((mutant) => ({ group, mutant })));
  const results: Result[] = [];
  const next = waiting.entries();
  await Promise.all(tools.map(async (own) => {
    for (const [index, { group, mutant }] of next) {
      const began = performance.now();
      const verdict = await mutant.find(own).catch((error: unknown): Verdict => ({ found: false, why: String(error) }));
      const result = { group, name: mutant.name, verdict, seconds: Math.round((performance.now() - began) / 100) / 10 };
      results[index] = result;
      onResult(result);
    }
  }));
  return results;
}

/** The numbers of a group. */
export interface Count {
  readonly found: number;
  readonly survived: number;
}

export function countOf(results: readonly Result[]): Count {
  const found = results.filter(({ verdict }) => verdict.found).length;
  return { found, survived: results.length - found };
}
