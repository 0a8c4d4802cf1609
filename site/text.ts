import type { MarkdownRenderer } from 'vitepress';

/** Double braces of Helm, Flux and GitHub are text: as entities, Vue does not take them for its own. */
export function keepBraces(md: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule]!;
    md.renderer.rules[rule] = (...parameters) => render(...parameters).replace(/\{\{/g, '&#123;&#123;');
  }
}

/** A block that is indented is code like one in a fence; without a language, both are text. */
export function nameLanguages(md: MarkdownRenderer): void {
  md.core.ruler.push('languages', ({ tokens }) => {
    for (const token of tokens) {
      if (token.type === 'code_block') token.type = 'fence';
      if (token.type === 'fence' && token.info === '') token.info = 'txt';
    }
  });
}

/** Names shorter than this fit a cell of a table. */
const LONG_NAME = 20;
/** Where the words of a name meet: after a separator, and before a capital. */
const WORD_ENDS = /(?<=[/._=])(?=\w)|(?<=[a-z\d])(?=[A-Z])/g;

/** A long name may break where its words meet, not in the midst of a word: `Microsoft.Storage/storageAccounts`. */
export function breakLongNames(md: MarkdownRenderer): void {
  const code = md.renderer.rules.code_inline!;
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = code(tokens, index, ...rest);
    if (tokens[index]!.content.length < LONG_NAME) return html;
    return html.replace(/>(.+)</s, (_, name: string) => `>${name.replace(WORD_ENDS, '<wbr>')}<`);
  };
  const text = md.renderer.rules.text!;
  md.renderer.rules.text = (...parameters) => text(...parameters)
    .replace(/\b\w+\b/g, (word) => (word.length < LONG_NAME ? word : word.replace(WORD_ENDS, '<wbr>')));
}

/** Columns of a table that are under each other on the screen of a phone. */
const WIDE_TABLE = 3;

/** A date, a version or a number has no letters. */
const NUMBER = /^[\d.,:%–-]+$/;

/**
 * A cell of a wide table has the heading of its column, which a phone shows beside it. A date and a number are not broken. A heading
 * without a text is no heading.
 */
export function labelCells(md: MarkdownRenderer): void {
  md.core.ruler.push('cells', ({ tokens }) => {
    let labels: string[] = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      const content = tokens[index + 1]?.content ?? '';
      if (token.type === 'thead_open') labels = [];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') {
        labels.push(content.replace(/`/g, ''));
        // The token after the text closes the cell.
        if (content === '') token.tag = tokens[index + 2]!.tag = 'td';
      }
      if (token.type === 'thead_close' && labels.every((label) => label === '')) hideHead(tokens, index);
      if (token.type !== 'td_open') continue;
      const label = labels[column++] ?? '';
      if (NUMBER.test(content)) token.attrSet('class', 'number');
      if (labels.length >= WIDE_TABLE && label !== '' && content !== '') token.attrSet('data-label', label);
    }
  });
}

/** Markdown has no table without a head: one without a text is left out. */
function hideHead(tokens: { readonly type: string; hidden: boolean }[], end: number): void {
  for (let index = end; index >= 0; index--) {
    tokens[index]!.hidden = true;
    if (tokens[index]!.type === 'thead_open') return;
  }
}
