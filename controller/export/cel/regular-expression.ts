/**
 * `matches` takes regular expressions of RE2 (https://github.com/google/re2/wiki/Syntax). This engine's are those of JavaScript, which have
 * most of that syntax; what is spelt otherwise is translated, and what RE2 does not have is refused.
 */

const LONGEST_PATTERN = 1000;
const CLASSES: Readonly<Record<string, string>> = {
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
const PERL: Readonly<Record<string, string>> = { d: '[0-9]', D: '[^0-9]', s: '[\\t\\n\\f\\r ]', S: '[^\\t\\n\\f\\r ]' };
const IN_CLASS: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ' };

/** @throws Error for a pattern that RE2 would not take. */
export function regularExpression(pattern: string): RegExp {
  if (pattern.length > LONGEST_PATTERN) throw invalid(pattern.slice(0, 40) + '…', `it is longer than ${LONGEST_PATTERN} characters`);
  const [, flags = '', rest] = /^(?:\(\?([a-zA-Z]+)\))?([^]*)$/.exec(pattern)!;
  if (/[^imsU]/.test(flags) || flags.includes('U')) throw invalid(pattern, `the flags ${flags} are not supported`);
  try {
    return new RegExp(translated(rest, pattern), `u${[...new Set(flags)].join('')}`);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(pattern, error.message.replace(/^Invalid regular expression: \/[^]*\/[a-z]*: /, ''));
    throw error;
  }
}

function translated(rest: string, pattern: string): string {
  let text = '';
  let inClass = false;
  for (let at = 0; at < rest.length; at += 1) {
    const two = rest.slice(at, at + 2);
    if (rest[at] === '\\') {
      const [short] = /^\\[pP][A-Z]/.exec(rest.slice(at)) ?? [];
      text += short ? `${short.slice(0, 2)}{${short[2]}}` : escape(rest[at + 1] ?? '', inClass, pattern);
      at += short ? 2 : 1;
    } else if (inClass && two === '[:') {
      const [all, negated, name] = /^\[:(\^?)(\w+):\]/.exec(rest.slice(at)) ?? [];
      if (!all || !Object.hasOwn(CLASSES, name) || negated) throw invalid(pattern, 'the character class is not known');
      text += CLASSES[name];
      at += all.length - 1;
    } else if (inClass) {
      inClass = rest[at] !== ']';
      text += rest[at] === '[' ? '\\[' : rest[at];
    } else if (rest[at] === '[') {
      inClass = true;
      const [begin] = /^\[\^?\]?/.exec(rest.slice(at))!;
      text += begin.replace(']', '\\]');
      at += begin.length - 1;
    } else if (two === '(?') {
      const [begin, named] = /^\(\?(?:P?(<\w+>)|:)/.exec(rest.slice(at)) ?? [];
      if (!begin) throw invalid(pattern, 'RE2 has no look-around, and flags are supported at the beginning only');
      text += named ? `(?${named}` : '(?:';
      at += begin.length - 1;
    } else {
      text += rest[at];
    }
  }
  return text;
}

function escape(character: string, inClass: boolean, pattern: string): string {
  if (/[1-9]/.test(character) || character === 'k') throw invalid(pattern, 'RE2 has no back-references');
  if (character === 'A') return '^';
  if (character === 'z') return '$';
  if (!inClass && Object.hasOwn(PERL, character)) return PERL[character];
  if (inClass && Object.hasOwn(IN_CLASS, character)) return IN_CLASS[character];
  if (character === 'a') return '\\x07';
  if (/[QECZGcu]/.test(character)) throw invalid(pattern, `\\${character} is not supported`);
  // RE2 takes any punctuation after a backslash.
  return /[A-Za-z0-9^$\\.*+?()[\]{}|/]/.test(character) || (inClass && character === '-') ? `\\${character}` : character;
}

function invalid(pattern: string, why: string): Error {
  return new Error(`Invalid regular expression: ${pattern}: ${why}`);
}
