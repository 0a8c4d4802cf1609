import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import * as ts from 'typescript';

const ROOT = join(__dirname, '..', '..');
const FOLDERS = ['engine', 'controller', 'composer', 'runtime', 'page', 'cli', 'src', 'sandbox', 'codegen'];
/** Generated. */
const LEFT_OUT = join(ROOT, 'src', 'services');

/** A regular expression of the source. */
export interface Pattern {
  /** With its slashes and flags. */
  readonly text: string;
  readonly places: string[];
}

/** A pattern that the source has as a text: in brackets a class of Unicode, or a member `pattern` of a table. */
function patternInText(node: ts.Node): string | undefined {
  if (!ts.isStringLiteral(node)) return undefined;
  if (/\[[^\]]*\\p\{/.test(node.text)) return `/${node.text.replaceAll('/', '\\/')}/u`;
  const { parent } = node;
  if (!ts.isPropertyAssignment(parent) || parent.name.getText() !== 'pattern' || !node.text.startsWith('^')) return undefined;
  const flags = parent.parent.properties.map((member) => /^flags: '(\w+)'$/.exec(member.getText())?.[1]).find(Boolean) ?? '';
  return `/${node.text.replaceAll('/', '\\/')}/${flags}`;
}

/** All regular expressions, as the TypeScript parser finds them. */
export function patternsInSource(): Pattern[] {
  const found = new Map<string, Pattern>();
  const files = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.startsWith(LEFT_OUT))
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      const text = ts.isRegularExpressionLiteral(node) ? node.text : patternInText(node);
      if (text !== undefined) {
        const pattern = found.get(text) ?? { text, places: [] };
        pattern.places.push(`${relative(ROOT, file)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
        found.set(text, pattern);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found.values()];
}
