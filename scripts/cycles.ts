import { readFileSync } from 'node:fs';
import { parseDependencyTree } from 'dpdm';
import { importTypes } from './cycles/import-types';
import { cycleProblems } from './cycles/problems';
import { PUBLIC_CYCLES } from './cycles/public-cycles';

const PACKAGES = [
  'src',
  'engine',
  'runtime',
  'page',
  'controller',
  'composer',
  'cli',
  'sandbox',
  'codegen',
  'catalog-tool',
  'scripts',
  'projenrc',
  'bench',
  'site',
  'test',
];

/** Fails where files import each other in a cycle. An import of types alone counts; `require` and `import()` count as well. */
async function main(): Promise<void> {
  const options = { include: /\.ts$/, exclude: /node_modules/, extensions: ['', '.ts'], transform: false };
  const tree = await parseDependencyTree(PACKAGES.map((name) => `${name}/**/*.ts`), options);
  const files = new Set(Object.keys(tree));
  const imports = new Map(Object.entries(tree).flatMap(([file, dependencies]) => {
    // Modules of Node are in the tree as well.
    if (!dependencies) return [];
    return [[file, [...dependencies.flatMap(({ id }) => id ?? []), ...importTypes(file, readFileSync(file, 'utf8'), files)]] as const];
  }));
  const problems = cycleProblems(imports, PUBLIC_CYCLES);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${imports.size} files, no cycle but those that the public API has`);
}

void main();
