import { safe } from './facts-text';

const WIDTH = 140;

/** Paragraphs and tags as a doc comment; one line where there is but one short paragraph. */
export function comment(paragraphs: readonly string[], tags: readonly string[] = [], indent = ''): string {
  const width = WIDTH - indent.length - 3;
  const blocks = paragraphs.map((paragraph) => wrap(safe(paragraph), width));
  const tagLines = tags.flatMap((tag) => wrap(tag.charAt(0) + safe(tag.slice(1)), tag.startsWith('@see') ? Infinity : width));
  if (blocks.length === 1 && blocks[0].length === 1 && tagLines.length === 0) return `${indent}/** ${blocks[0][0]} */\n`;
  const lines = [...blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block])), ...(blocks.length > 0 && tagLines.length > 0 ? [''] : []), ...tagLines];
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`), `${indent} */`, ''].join('\n');
}

/** Breaks lines between words, never inside code. A backtick that nothing closes is a character like any other. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:(`+)[^]*?\1|\S)+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {line = line === '' ? word : `${line} ${word}`;}
  }
  return line === '' ? lines : [...lines, line];
}
