/** The POSIX classes of RE2: ASCII only. */
const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/**
 * Tokens that Go writes differently: an escape, a named group, a POSIX class. An escape is one token, so that `\\A` stays a backslash and
 * an A.
 */
const TOKENS = /\\([pP])([A-Z])(?![a-z{])|\\([\s\S])|\(\?P<|\[:(\w+):\]/g;

const known = new Map<string, RegExp | undefined>();

/**
 * A CRD's pattern (Go's RE2 syntax) as a JavaScript expression; undefined if JavaScript has no equivalent, and only the API server checks
 * it. All checks of values against a schema's pattern use this function.
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function toRegExp(pattern: string): RegExp | undefined {
  if (!known.has(pattern)) known.set(pattern, translate(pattern));
  return known.get(pattern);
}

function translate(pattern: string): RegExp | undefined {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const flags = [...new Set(leading?.[1])].join('');
  const rest = pattern.slice(leading?.[0].length ?? 0);
  const source = rest.replace(TOKENS, (all: string, property?: string, category?: string, escaped?: string, posix?: string) => {
    if (property !== undefined) return `\\${property}{${category}}`;
    if (posix !== undefined) return POSIX_CLASSES[posix] ?? all;
    if (escaped === undefined) return '(?<';
    // `\A` and `\z` ignore the flags: ^ and $ would match at lines with (?m).
    return escaped === 'A' ? '(?<![\\s\\S])' : escaped === 'z' ? '(?![\\s\\S])' : all;
  });
  // Unicode mode counts characters like Go and supports \p{…}, but refuses needless escapes such as \_ or \-, which RE2 allows.
  return compiled(source, `u${flags}`) ?? (/\\[pP]\{/.test(source) ? undefined : compiled(source, flags));
}

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
