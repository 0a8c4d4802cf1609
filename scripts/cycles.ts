import { readdirSync, readFileSync } from 'node:fs';
import tsconfig from '../tsconfig.packages.json';
import { importedFiles } from './cycles/imports';
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
  'examples',
  'bench',
  'site',
  'test',
];

/** Fails where files import each other in a cycle. An import of types alone counts; `require` and `import()` count as well. */
function main(): void {
  const { paths } = tsconfig.compilerOptions;
  const files = new Set(PACKAGES.flatMap((name) =>
    readdirSync(name, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('node_modules/')).map((path) => `${name}/${path}`)));
  const imports = new Map([...files].map((file) => [file, importedFiles(file, readFileSync(file, 'utf8'), files, paths)]));
  const problems = cycleProblems(imports, PUBLIC_CYCLES);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else console.log(`${imports.size} files, no cycle but those that the public API has`);
}

main();
