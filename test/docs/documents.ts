import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '..', '..');

/** A fenced block of a document. */
export interface Block {
  /** E.g. `docs/graph.md:9`. */
  readonly name: string;
  readonly document: string;
  /** Text after the fence: `ts`, `yaml refused`. */
  readonly language: string;
  readonly code: string;
}

const markdownIn = (directory: string) =>
  readdirSync(join(root, directory))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${directory}/${file}`);

/** Documents beside README.md that people look for by these names. */
const AT_THE_TOP = ['CHANGELOG.md', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** README.md and every hand-written document, but not the pages that the build creates. */
export const documents: ReadonlyMap<string, string> = new Map(
  ['README.md', ...AT_THE_TOP, ...['docs', 'docs/adr', 'docs/spec'].flatMap(markdownIn)].map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
);

/** Every fenced block, with the indentation of its fence taken away. */
export const blocks: readonly Block[] = [...documents].flatMap(([document, text]) =>
  [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map(({ 1: indent, 2: language, 3: code, index }) => ({
    name: `${document}:${text.slice(0, index).split('\n').length}`,
    document,
    language: language!.trim(),
    code: code!.replace(new RegExp(`^${indent}`, 'gm'), ''),
  })));

/** The blocks of a document in a language. */
export function blocksOf(document: string, language: string): Block[] {
  return blocks.filter((block) => block.document === document && block.language === language);
}
