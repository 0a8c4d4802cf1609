/** A word, a string literal or an operator of a CEL expression. */
export interface Token {
  readonly is: 'name' | 'text' | 'number' | 'sign';
  readonly text: string;
}

const SPACE = /(?:\s+|\/\/[^\n]*)+/y;
const TEXT = /(?:[rRbB]{0,2})(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/y;
const NUMBER = /(?:0x[0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)u?/y;
const NAME = /[A-Za-z_]\w*|`[^`\n]*`/y;
const SIGN = /&&|\|\||[=!<>]=|\.\?|\[\?|[-+*/%<>!?:.,()[\]{}]/y;

/** The tokens of an expression, or the text at which no token begins. */
export function tokensOf(expression: string): readonly Token[] | { readonly problem: string } {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(expression)?.[0];
    if (text) at += text.length;
    return text || undefined;
  };
  while (at < expression.length) {
    if (take(SPACE)) continue;
    const found = ([['text', TEXT], ['name', NAME], ['number', NUMBER], ['sign', SIGN]] as const).map(([is, pattern]) => ({ is, pattern }));
    let token: Token | undefined;
    for (const { is, pattern } of found) {
      const text = take(pattern);
      if (text !== undefined) {
        token = { is, text };
        break;
      }
    }
    if (!token) {
      const rest = expression.slice(at, at + 20);
      return {
        problem: /^["']/.test(rest) ? `the text that begins with ${rest} has no end` : `nothing in CEL is written ${rest.charAt(0)}`,
      };
    }
    tokens.push(token);
  }
  return tokens;
}
