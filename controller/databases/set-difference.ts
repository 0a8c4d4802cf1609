export interface Changes {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The elements to add and to remove. Case-sensitive; sorted, so that equal input gives equal statements. */
export function changesBetween(current: Iterable<string>, desired: Iterable<string>): Changes {
  const [is, shall] = [new Set(current), new Set(desired)];
  return {
    add: [...shall].filter((name) => !is.has(name)).sort(),
    remove: [...is].filter((name) => !shall.has(name)).sort(),
  };
}

/** Runs all attempts, and reports their errors together: one failure must not prevent the others. */
export async function allOf(attempts: readonly (() => Promise<unknown>)[], together: (problems: readonly Error[]) => Error): Promise<void> {
  const problems: Error[] = [];
  for (const attempt of attempts) {
    try {
      await attempt();
    } catch (error) {
      problems.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  if (problems.length === 1) throw problems[0];
  if (problems.length > 1) throw together(problems);
}
