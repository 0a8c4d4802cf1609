import type { Docs, TypeReference } from '@jsii/spec';

/** The page and heading of a type of this package; undefined where no page has it. */
export type LinkTo = (fqn: string) => string | undefined;

/** Text in a cell of a table: a bar would end the cell, even inside code. */
export function cell(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/[\r\n]+/g, ' ').trim();
}

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [`| ${titles.join(' | ')} |`, `|${'---|'.repeat(titles.length)}`, ...rows.map((row) => `| ${row.join(' | ')} |`), ''].join('\n');
}

/** A sentence of a comment. An angle bracket outside of code is meant as text, not as HTML. */
export function prose(text: string): string {
  return text.split(/(```[\s\S]*?```|`[^`]*`)/).map((part, index) => (index % 2 === 1 ? part : part.replace(/</g, '&lt;'))).join('');
}

/** A type as TypeScript writes it. */
export function plainType(type: TypeReference): string {
  if ('primitive' in type) return type.primitive === 'json' ? 'object' : type.primitive;
  if ('fqn' in type) return type.fqn.split('.').at(-1)!;
  if ('union' in type) return type.union.types.map(plainType).join(' | ');
  if ('intersection' in type) return type.intersection.types.map(plainType).join(' & ');
  const { kind, elementtype } = type.collection;
  const element = plainType(elementtype);
  if (kind === 'map') return `{ [key: string]: ${element} }`;
  return /[ ]/.test(element) ? `(${element})[]` : `${element}[]`;
}

/** A type as code, with a link to the first type in it that has a page. */
export function typeText(type: TypeReference, linkTo: LinkTo): string {
  const text = `\`${cell(plainType(type))}\``;
  const link = namesIn(type).map(linkTo).find((found) => found !== undefined);
  return link === undefined ? text : `[${text}](${link})`;
}

export function namesIn(type: TypeReference): string[] {
  if ('fqn' in type) return [type.fqn];
  if ('union' in type) return type.union.types.flatMap(namesIn);
  if ('intersection' in type) return type.intersection.types.flatMap(namesIn);
  return 'collection' in type ? namesIn(type.collection.elementtype) : [];
}

/** The comment of a member, on one line. */
export function about(docs: Docs = {}): string {
  const { summary = '', remarks = '', deprecated, default: fallback, see, custom } = docs;
  const sentences = [
    ...(deprecated === undefined ? [] : [`**Deprecated:** ${prose(deprecated)}`]),
    prose(summary),
    prose(remarks.replace(/```[\s\S]*?```/g, '')),
    ...(custom?.throws === undefined ? [] : [`Throws ${prose(custom.throws).replace(/\.?$/, '.')}`]),
    ...(fallback === undefined ? [] : [`Default: ${prose(fallback.replace(/^- /, '')).replace(/\.?$/, '.')}`]),
    ...links(see),
  ];
  return cell(sentences.filter((sentence) => sentence !== '').join(' '));
}

/** The comment of a type, with its paragraphs and examples. */
export function description({ summary = '', remarks = '', example, see }: Docs = {}): string {
  const code = example === undefined ? [] : [`\`\`\`ts\n${example.replace(/^```\w*\n|\n```$/g, '')}\n\`\`\``];
  const paragraphs = [[summary, remarks].filter((part) => part !== '').map(prose).join('\n\n'), ...code, ...links(see)];
  return paragraphs.filter((paragraph) => paragraph !== '').map((paragraph) => `${paragraph}\n`).join('\n');
}

function links(see: string | undefined): string[] {
  return see === undefined ? [] : [`See <${see}>.`];
}
