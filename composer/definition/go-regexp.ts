/** White space of JavaScript; that of Go is ASCII only. */
const SPACE = '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/** An escape, a class, a group's beginning, the point, or any other character. */
const TOKEN = /\\u\{([0-9A-Fa-f]+)\}|\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})|\\c([A-Za-z])|\\([pP]\{[^}]*\})|\\k<|\\([\s\S])|\(\?(<?[=!])|\(\?<|\{(\d+)(?:,(\d*))?\}|\[\^?\]|[\s\S]/g;

/** A part of a pattern that Go's expressions do not have. */
export class NoGoPatternError extends Error {
  public constructor(part: string) {
    super(part);
    this.name = 'NoGoPatternError';
  }
}

/**
 * The source of a JavaScript expression in the syntax of Go, which the API server uses.
 * @throws NoGoPatternError
 * @see https://github.com/google/re2/wiki/Syntax
 */
export function goPattern(source: string): string {
  let inClass = false;
  // The two idioms for any character.
  const idioms = source.replaceAll('[\\s\\S]', '(?s:.)').replaceAll('[^]', '(?s:.)');
  return idioms.replace(TOKEN, (token: string, ...groups: (string | undefined)[]) => {
    const [point, unit, byte, control, property, escaped, around, least, most] = groups;
    const code = point ?? unit ?? byte;
    if (code !== undefined) return `\\x{${code}}`;
    if (control !== undefined) return `\\x{${(control.charCodeAt(0) % 32).toString(16)}}`;
    if (property !== undefined) return propertyClass(token);
    if (token === '\\k<') throw new NoGoPatternError('a back reference');
    if (escaped !== undefined) return escapeOf(escaped, inClass);
    if (inClass) {
      if (token === ']') inClass = false;
      return token === '[' ? '\\[' : token;
    }
    if (around !== undefined) throw new NoGoPatternError(around.startsWith('<') ? 'a look-behind' : 'a look-ahead');
    if (token === '(?<') return '(?P<';
    if (least !== undefined && Math.max(Number(least), Number(most ?? 0)) > 1000) throw new NoGoPatternError('a repetition of more than 1000');
    if (token === '[]') throw new NoGoPatternError('an empty class');
    if (token === '[') inClass = true;
    // The s of an idiom's flags is not this point.
    return token === '.' && !isDotAll(groups) ? NOT_LINE_END : token;
  });
}

/** Whether the point is the one of `(?s:.)`. */
function isDotAll(groups: readonly (string | number | undefined)[]): boolean {
  const [offset, whole] = groups.slice(-2) as unknown as [number, string];
  return whole.slice(offset - 4, offset) === '(?s:';
}

/** Scripts and general categories, which both know; Go has no binary properties such as Emoji. */
function propertyClass(token: string): string {
  const name = token.slice(3, -1).replace(/^(Script|sc|General_Category|gc)=/, '');
  if (/^([A-Z][a-z]?|[A-Z][a-z]+(_[A-Z][a-z]+)*)$/.test(name) && !/^(Emoji|Extended|Alphabetic|Any|Letter|Number|Uppercase|Lowercase)/.test(name)) {
    return `${token.slice(0, 2)}{${name}}`;
  }
  const short = { Letter: 'L', Number: 'N', Uppercase_Letter: 'Lu', Lowercase_Letter: 'Ll' }[name];
  if (short !== undefined) return `${token.slice(0, 2)}{${short}}`;
  throw new NoGoPatternError(`the property ${name}`);
}

function escapeOf(character: string, inClass: boolean): string {
  if (/[1-9]/.test(character)) throw new NoGoPatternError('a back reference');
  if (character === '0') return '\\x00';
  if (character === 's') return inClass ? SPACE : `[${SPACE}]`;
  if (character === 'S') {
    if (inClass) throw new NoGoPatternError('\\S in a class');
    return `[^${SPACE}]`;
  }
  if (character === 'b' && inClass) return '\\x08';
  // Escapes of letters that Go does not know, such as \\_, are the characters themselves in JavaScript.
  if (/[A-Za-z]/.test(character) && !/[dDwWbBnrtvf]/.test(character)) return character;
  return /[\w\s]|[^\x00-\x7f]/.test(character) && !/[dDwWbBnrtvf]/.test(character) ? character : `\\${character}`;
}
