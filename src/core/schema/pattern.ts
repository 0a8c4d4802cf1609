const POSIX_CLASSES: Record<string, string> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  digit: '0-9',
  lower: 'a-z',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};

/**
 * A CRD's pattern (Go's RE2 syntax) as a JavaScript expression; undefined where JavaScript has no such expression: the
 * API server checks it all the same.
 */
export function toRegExp(pattern: string): RegExp | undefined {
  let source = pattern;
  let flags = '';
  const leading = /^\(\?([ims]+)\)/.exec(source);
  if (leading) {
    flags = leading[1];
    source = source.slice(leading[0].length);
  }
  source = source
    .replace(/\[:(\^?)([a-z]+):\]/g, (all, negated: string, name: string) => (negated ? all : (POSIX_CLASSES[name] ?? all)))
    .replace(/\\A/g, '^')
    .replace(/\\[zZ]/g, '$')
    .replace(/\(\?P</g, '(?<')
    .replace(/\\(p|P)([A-Z])(?![a-z{])/g, '\\$1{$2}');
  if (/\\[pP]\{/.test(source)) flags += 'u';
  try {
    return new RegExp(source, [...new Set(flags)].join(''));
  } catch {
    return undefined;
  }
}
