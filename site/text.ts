import type { MarkdownRenderer } from 'vitepress';

/** Double braces of Helm, Flux and GitHub are text: as entities, Vue does not take them for its own. */
export function keepBraces(md: MarkdownRenderer): void {
  for (const rule of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[rule]!;
    md.renderer.rules[rule] = (...parameters) => render(...parameters).replace(/\{\{/g, '&#123;&#123;');
  }
}

/** A block that is indented is code like one in a fence. */
export function fenceIndentedCode(md: MarkdownRenderer): void {
  md.renderer.rules.code_block = (tokens, index, options, env, self) => {
    tokens[index]!.info = 'txt';
    return md.renderer.rules.fence!(tokens, index, options, env, self);
  };
}

/** Names shorter than this fit a cell of a table. */
const LONG_NAME = 20;

/** A long name in code may break where its words meet, not in the midst of a word: `Microsoft.Storage/storageAccounts`. */
export function breakLongNames(md: MarkdownRenderer): void {
  const render = md.renderer.rules.code_inline!;
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    const html = render(tokens, index, ...rest);
    if (tokens[index]!.content.length < LONG_NAME) return html;
    return html.replace(/>(.+)</s, (_, name: string) => `>${name.replace(/(?<=[/._=])(?=\w)|(?<=[a-z\d])(?=[A-Z])/g, '<wbr>')}<`);
  };
}
