import type { Entry, Report, Text } from './report';
import { oneLine } from '../output/problem';
import type { Style } from '../output/terminal';

/** For people at a terminal, and for logs. */
export function diffText({ sections, summary }: Report, style: Style): string {
  if (sections.length === 0) return 'No differences.';
  const blocks = sections.map(({ title, entries }) =>
    [style.bold(`${title} (${entries.length})`), ...entries.map((entry) => entryText(entry, style))].join('\n'),
  );
  return [...blocks, `${style.bold('Summary:')} ${summary}.`].join('\n\n');
}

function entryText({ sign, tone, head, lines }: Entry, style: Style): string {
  const below = lines.map(({ is, text }) => {
    const line = oneLine(plain(text));
    if (is === 'fact') return `      ${style.dim(line)}`;
    return is === 'fix' ? `      ${style.dim('→')} ${line}` : `      ${line}`;
  });
  return [`  ${style[tone](sign)} ${oneLine(plain(head))}`, ...below].join('\n');
}

export function plain(text: Text): string {
  return text.map((piece) => (typeof piece === 'string' ? piece : piece.name)).join('');
}
