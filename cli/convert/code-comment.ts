import { visibleText } from '../../src/azure/visible-text';

/** Comment prefixes that compilers and linters read as directives. */
const DIRECTIVE =
  /^\s*(?:[@#]|\/|eslint|tslint|prettier|biome|istanbul|[cv]8\b|jshint|jscs|globals?\b|exported\b|webpack|deno|region|endregion)/i;

/** A `//` comment with the text. A text that looks like a directive stays readable but has no effect. */
export function lineComment(text: string): string {
  const line = visibleText(text.replace(/\t/g, '  ')).trimEnd();
  if (line === '') return '//';
  return `// ${DIRECTIVE.test(line) ? '# ' : ''}${line}`;
}

/** A `//` comment with the text as it is: tabs, and spaces at the end, are what YAML may be wrong by. */
export function exactComment(text: string): string {
  if (text === '') return '//';
  return `// ${DIRECTIVE.test(text) ? '# ' : ''}${text.split('\t').map(visibleText).join('\t')}`;
}

/** A doc comment above a class, on one line. */
export function docComment(text: string): string {
  return `/** ${visibleText(text.replace(/\s+/g, ' ')).replace(/\*\//g, '* /').replace(/@/g, '\\@').trim()} */`;
}
