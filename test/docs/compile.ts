import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..', '..');

/** TypeScript out of a document. */
export interface Snippet {
  /** Where it stands, for messages. */
  readonly name: string;
  readonly code: string;
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
};

/** Compiler errors of the snippets, all in one program, as in a user's project. */
export function compileErrors(snippets: readonly Snippet[]): string[] {
  const files = new Map(snippets.map((snippet, i) => [join(root, 'test', 'docs', `${i}.snippet.ts`), snippet]));
  const host = ts.createCompilerHost(OPTIONS);
  const program = ts.createProgram([...files.keys()], OPTIONS, {
    ...host,
    readFile: (path) => files.get(path)?.code ?? host.readFile(path),
    fileExists: (path) => files.has(path) || host.fileExists(path),
    getSourceFile: (path, languageVersion, ...rest) => {
      const snippet = files.get(path);
      return snippet ? ts.createSourceFile(path, snippet.code, languageVersion) : host.getSourceFile(path, languageVersion, ...rest);
    },
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const snippet = file && files.get(file.fileName);
    const line = file && start !== undefined ? `:${file.getLineAndCharacterOfPosition(start).line + 1}` : '';
    return `${snippet?.name ?? file?.fileName}${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
