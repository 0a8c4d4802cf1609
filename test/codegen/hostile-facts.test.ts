import fc from 'fast-check';
import ts from 'typescript';
import { comment } from '../../codegen/comment';
import { enumText, literal, structText } from '../../codegen/emit-types';
import { code, safe } from '../../codegen/facts-text';
import type { PropertyModel, StructModel } from '../../codegen/model';

// Facts come from specifications that others wrote: none may break out of a comment, a string or a table.

const HOSTILE = [
  '*/ process.exit(1) /*',
  '`',
  '``',
  '${x}',
  '@deprecated',
  '{@link x}',
  'a\nb',
  '\u2028',
  '\\',
  "'",
  '"',
  '*/',
  '/**',
  '|',
  '</details>',
  '\\*/',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string()), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(' '));

const parsed = (source: string) =>
  ts.createSourceFile('x.ts', source, ts.ScriptTarget.ES2022, true) as ts.SourceFile & { parseDiagnostics: ts.Diagnostic[] };

function struct(facts: Partial<PropertyModel['facts']>): StructModel {
  const property: PropertyModel = {
    specName: 'x',
    propName: 'x',
    type: { is: 'scalar', text: 'string' },
    facts: { type: 'string', ...facts },
  };
  return { is: 'struct', name: 'S', specName: 'S', oneOf: false, arm: true, properties: [property] };
}

test('a comment ends where it is to end', () => {
  fc.assert(fc.property(fc.array(hostile, { minLength: 1, maxLength: 3 }), (paragraphs) => {
    const text = comment(paragraphs, ['@default - none']);
    const source = parsed(`${text}export const x = 1;\n`);
    return source.parseDiagnostics.length === 0 && source.statements.length === 1 && text.indexOf('*/') === text.trimEnd().length - 2;
  }));
});

test('a comment says all that it is given', () => {
  const bare = (text: string) => text.replace(/\s+/g, '');
  fc.assert(fc.property(hostile, (paragraph) => {
    const lines = comment([paragraph, 'end']).split('\n').slice(1, -2);
    return bare(lines.map((line) => line.replace(/^ \* ?/, '')).join('')) === bare(`${safe(paragraph)}end`);
  }), { examples: [['"`@"'], ['a ` b'], ['``` a `` b']] });
});

test('facts about a property leave the interface as it is, and add no tags', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (pattern, arm, fallback) => {
      const source = parsed(structText(struct({ pattern, arm, default: fallback }), { kind: 'none' }, [pattern]));
      const [declaration] = source.statements;
      if (source.parseDiagnostics.length > 0 || source.statements.length !== 1 || !ts.isInterfaceDeclaration(declaration!)) return false;
      const [member, ...others] = declaration.members;
      return (
        others.length === 0
        && ts.getJSDocTags(member!).every((tag) => tag.tagName.text === 'default')
        && ts.getJSDocTags(declaration).length === 0
      );
    }),
    { examples: [['', '*/ process.exit(1) /*', '`@']] },
  );
});

test('an enum has the values that it is given, whatever is in them', () => {
  fc.assert(fc.property(hostile, (value) => {
    const source = parsed(enumText({ is: 'enum', name: 'E', structName: 'S', propName: 'x', members: [{ name: 'A', value }] }, ['S.x']));
    const [declaration] = source.statements;
    const initializer = ts.isEnumDeclaration(declaration!) && declaration.members[0]!.initializer;
    if (source.parseDiagnostics.length > 0 || source.statements.length !== 1) return false;
    return !!initializer && ts.isStringLiteral(initializer) && initializer.text === value;
  }));
});

test('a literal is read back as what it was', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
    const [statement] = parsed(literal(text)).statements;
    return ts.isExpressionStatement(statement!) && ts.isStringLiteral(statement.expression) && statement.expression.text === text;
  }));
});

test('Markdown code is fenced by more backticks than there are in it', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('`', 'a', ' '), { maxLength: 8 }).map((parts) => parts.join('')), (text) => {
    const match = /^(`+)([^]*?[^`])\1$/.exec(code(text)) ?? /^(`+)([^]*)\1$/.exec(code(text))!;
    return match[2]!.replace(/^ (.*) $/, '$1') === text || match[2] === text;
  }));
});
