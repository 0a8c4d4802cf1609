import { visibleText } from '../../src/azure/visible-text';

/** What compilers and linters take for an instruction where a comment begins with it. */
const DIRECTIVE = /^\s*(?:[@#]|\/|eslint|tslint|prettier|biome|istanbul|[cv]8\b|jshint|jscs|globals?\b|exported\b|webpack|deno|region|endregion)/i;

/** The text of a comment that ends with its line. What it says stays to be read, and is obeyed by nobody. */
export function lineComment(text: string): string {
  const line = visibleText(text.replace(/\t/g, '  ')).trimEnd();
  if (line === '') return '//';
  return `// ${DIRECTIVE.test(line) ? '# ' : ''}${line}`;
}

/** A comment above a class, on one line. */
export function docComment(text: string): string {
  return `/** ${visibleText(text.replace(/\s+/g, ' ')).replace(/\*\//g, '* /').replace(/@/g, '\\@').trim()} */`;
}
