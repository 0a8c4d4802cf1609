import { oneLine } from './problem';
import { visibleText } from '../../src/azure/visible-text';

/** A code span that ends at the right place for any content. */
export function codeSpan(text: string): string {
  const line = oneLine(text);
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** A block of code that ends at the right place for any content. */
export function codeBlock(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Text that cannot become Markdown, HTML or a mention. */
export function escapedMarkdown(text: string): string {
  // Not `oneLine`, which would trim the spaces between pieces.
  return visibleText(text.replace(/\s/g, ' ')).replace(/[\\`*_{}[\]<>|~]/g, '\\$&').replace(/[@#](?=\w)/g, '$&<!-- -->');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
