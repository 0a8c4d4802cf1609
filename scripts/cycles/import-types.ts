import { join, normalize } from 'node:path';

/** A type of another file without an import statement, which dpdm does not see: `import('./x').Y`. */
const IMPORT_TYPE = /\bimport\('(\.[^']*)'\)/g;

/** The files that such types of a file are from. */
export function importTypes(file: string, text: string, files: ReadonlySet<string>): string[] {
  return [...text.matchAll(IMPORT_TYPE)].flatMap(([, path = '']) => {
    const target = normalize(join(file, '..', path));
    return [`${target}.ts`, join(target, 'index.ts')].find((candidate) => files.has(candidate)) ?? [];
  });
}
