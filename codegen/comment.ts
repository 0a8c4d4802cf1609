import { safe } from './facts-text';

const WIDTH = 140;

/** Formats paragraphs and tags as a doc comment; on one line for a single short paragraph. */
export function comment(paragraphs: readonly string[], tags: readonly string[] = [], indent = ''): string {
  const width = WIDTH - indent.length - 3;
  const blocks = paragraphs.map((paragraph) => wrap(safe(paragraph), width));
  const tagLines = tags.flatMap((tag) => wrap(tag.charAt(0) + safe(tag.slice(1)), tag.startsWith('@see') ? Infinity : width));
  if (paragraphs.length === 0 && tags.length === 0) return '';
  const [first, ...otherLines] = blocks.flat();
  if (blocks.length === 1 && first !== undefined && otherLines.length + tagLines.length === 0) return `${indent}/** ${first} */\n`;
  const lines = [
    ...blocks.flatMap((block, i) => (i === 0 ? block : ['', ...block])),
    ...(blocks.length > 0 && tagLines.length > 0 ? [''] : []),
    ...tagLines,
  ];
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}`), `${indent} */`, ''].join('\n');
}

/** The words of a text; code between backticks counts as one word. Takes linear time; a pattern would take quadratic time. */
function wordsWithCode(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  // Runs of at least this many backticks have no counterpart any more.
  let unclosed = Infinity;
  for (let at = 0; at < text.length;) {
    const run = text[at] === '`' ? runAt(text, at) : 0;
    const end = run > 0 && run < unclosed ? text.indexOf('`'.repeat(run), at + run) : -1;
    if (run > 0 && end < 0) unclosed = Math.min(unclosed, run);
    if (run === 0 && /\s/.test(text.charAt(at))) {
      if (start >= 0) words.push(text.slice(start, at));
      start = -1;
    } else if (start < 0) {
      start = at;
    }
    at = end >= 0 ? end + run : at + Math.max(run, 1);
  }
  return start >= 0 ? [...words, text.slice(start)] : words;
}

function runAt(text: string, start: number): number {
  let end = start;
  while (text[end] === '`') end += 1;
  return end - start;
}

/** Breaks lines between words, never inside code. An unclosed backtick is an ordinary character. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of wordsWithCode(text)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {line = line === '' ? word : `${line} ${word}`;}
  }
  return line === '' ? lines : [...lines, line];
}
