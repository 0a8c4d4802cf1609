/**
 * Patterns of CRDs are Go's (RE2); JavaScript's are almost the same. What differs is rewritten: leading flags, named
 * groups, anchors of the text, POSIX classes.
 */
const POSIX: Record<string, string> = {
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

const known = new Map<string, RegExp | undefined>();

/** The JavaScript form of an RE2 pattern, or undefined for one that has none (a server would have refused the CRD). */
export function regexpOf(pattern: string): RegExp | undefined {
  if (!known.has(pattern)) known.set(pattern, translate(pattern));
  return known.get(pattern);
}

function translate(pattern: string): RegExp | undefined {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(flags?.[0].length ?? 0)
    .replace(/\(\?P</g, '(?<')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => POSIX[name] ?? whole);
  for (const unicode of ['u', '']) {
    try {
      return new RegExp(source, unicode + (flags?.[1] ?? ''));
    } catch {
      // Unicode mode knows \p{…} but refuses needless escapes such as \_ or \-, which RE2 allows: try without.
    }
  }
  return undefined;
}
