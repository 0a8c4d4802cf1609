import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './documents';

const DIRECTORIES = [
  'src', 'engine', 'runtime', 'controller', 'composer', 'sandbox', 'cli', 'codegen', 'catalog-tool', 'scripts', 'bench', 'test', 'projenrc', 'examples',
];
/** Written by the build, or input and output of a test. */
const NOT_OURS = /^src\/(services\/|index\.ts$)|\/(node_modules|fixtures|__snapshots__)\/|\.d\.ts$/;

/** The hand-written code of the repository by path: TypeScript and ECMAScript modules, tests included. */
export const sources: ReadonlyMap<string, string> = new Map(DIRECTORIES
  .flatMap((directory) => readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((file) => `${directory}/${file}`))
  .filter((file) => /\.(ts|mjs|cjs)$/.test(file) && !NOT_OURS.test(file))
  .sort()
  .map((file) => [file, readFileSync(join(root, file), 'utf8')]));
