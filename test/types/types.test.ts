import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

// Each case says above a line which error the compiler has to give for it: `// expect 2741: a part of the message`.
const EXPECT = /\/\/ expect (\d+): (.+)$/;

const root = join(__dirname, '..', '..');
const files = readdirSync(join(__dirname, 'cases')).map((file) => join(__dirname, 'cases', file)).sort();

interface Found {
  readonly line: number;
  readonly code: number;
  readonly message: string;
}

// One program for all cases: the library's types are read once.
const program = ts.createProgram(files, {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
});

function diagnosticsOf(file: string): Found[] {
  const source = program.getSourceFile(file)!;
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => ({
    line: source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line + 1,
    code: diagnostic.code,
    message: ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'),
  }));
}

function expectedOf(file: string): Found[] {
  return program.getSourceFile(file)!.text.split('\n').flatMap((text, index) => {
    const match = EXPECT.exec(text);
    return match ? [{ line: index + 2, code: Number(match[1]), message: match[2]! }] : [];
  });
}

test.each(files.map((file) => [basename(file, '.ts'), file]))('%s', (name, file) => {
  const expected = expectedOf(file);
  expect(expected.length === 0).toBe(name === 'good');
  const found = diagnosticsOf(file).map((diagnostic) => {
    // The compiler's words are long; the part that the case asks for is enough, where it is in there.
    const wanted = expected.find(({ line }) => line === diagnostic.line);
    return wanted && diagnostic.message.includes(wanted.message) ? { ...diagnostic, message: wanted.message } : diagnostic;
  });
  expect(found).toEqual(expected);
});
