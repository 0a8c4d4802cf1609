import type { Mutant, SourceEdit } from './mutant';

/** A careless change of the sources. */
export interface SourceMutant {
  readonly name: string;
  readonly edits: readonly SourceEdit[];
  /** Each of these suites has to fail. They load the sources: what `scripts/bundle.mjs` has bundled is not changed. */
  readonly suites: readonly string[];
  /** Only tests whose names match this pattern have to. Default: all tests of the suites. */
  readonly test?: string;
}

/** Mutants of sources, for the command. */
export function bySuites(mutants: readonly SourceMutant[]): Mutant[] {
  return mutants.map(({ name, edits, suites, test }) => ({
    name,
    suites,
    find: async ({ suites: runner }) => {
      const results = await runner.run(suites, { edits, test });
      let by: string | undefined;
      for (const suite of suites) {
        const result = results.get(suite) ?? { error: 'it did not run' };
        if ('error' in result) return { found: false, why: `${suite}: ${result.error}` };
        const before = runner.failuresWithout(suite);
        const failure = result.failures.find((title) => !before.includes(title));
        if (failure === undefined) return { found: false, why: `${suite} passes` };
        by ??= `${suite}: ${failure}`;
      }
      return by === undefined ? { found: false, why: 'no suite looks for it' } : { found: true, by };
    },
  }));
}

/** `from` becomes `to`. */
export function edit(file: string, from: string, to: string): SourceEdit {
  return { file, from, to };
}
