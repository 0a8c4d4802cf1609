import { importCycles, shortestCycle, type Imports } from './components';

/** Public classes whose signatures name each other, so that no order of files is without a cycle. */
export interface PublicCycle {
  readonly why: string;
  readonly files: readonly string[];
}

/** The problems: cycles that are not listed, and listed files that are not part of their cycle. */
export function cycleProblems(imports: Imports, listed: readonly PublicCycle[]): string[] {
  const listedFiles = new Set(listed.flatMap(({ files }) => files));
  const groups = importCycles(imports);
  const found = new Set(groups.flat());
  const unlisted = groups.filter((group) => !listed.some(({ files }) => group.every((file) => files.includes(file))));
  return [
    ...unlisted.map((group) => {
      const more = group.filter((file) => !listedFiles.has(file));
      const begin = more[0] ?? group[0] ?? '';
      return `cycle of ${group.length} files: ${shortestCycle([begin, ...group.filter((file) => file !== begin)], imports).join(' → ')}`;
    }),
    ...[...listedFiles]
      .filter((file) => !found.has(file))
      .map((file) => `${file} is listed as a part of a cycle, but is in none: remove it from scripts/cycles/public-cycles.ts`),
  ];
}
