import type { Entry, Report, Section, Text } from './report';
import { codeSpan, escapedMarkdown } from '../output/markdown';

/** Sections with more entries are folded, so that a comment on a pull request stays readable. */
const FOLDED = 10;
/** Sections that are never folded: the reader must see deleted, refused and moved resources. */
const ALWAYS_OPEN: ReadonlySet<string> = new Set(['Beware', 'Deleted in Azure', 'Cannot be changed in place', 'Moved to another object']);

/** Markdown for comments on pull requests. Text from the files is escaped: it cannot become Markdown, HTML or a mention. */
export function diffMarkdown({ sections, summary }: Report): string {
  if (sections.length === 0) return '**No differences.**';
  return [`**${summary}**`, ...sections.map(sectionText)].join('\n\n');
}

function sectionText({ title, entries }: Section): string {
  const list = entries.map(entryText).join('\n');
  const heading = `${title} (${entries.length})`;
  if (entries.length <= FOLDED || ALWAYS_OPEN.has(title)) return `### ${heading}\n\n${list}`;
  return `<details><summary><b>${heading}</b></summary>\n\n${list}\n\n</details>`;
}

function entryText({ sign, head, lines }: Entry): string {
  const below = lines.map(({ is, text }) => (is === 'fix' ? `  - *${marked(text)}*` : `  - ${marked(text)}`));
  return [`- \`${sign}\` ${marked(head)}`, ...below].join('\n');
}

function marked(text: Text): string {
  return text.map((piece) => (typeof piece === 'string' ? escapedMarkdown(piece) : codeSpan(piece.name))).join('');
}
