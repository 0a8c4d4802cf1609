/** Unicode's classes as they are among the ASCII characters, for within brackets. */
const IN_ASCII: ReadonlyMap<string, string> = new Map([
  ['L', 'A-Za-z'], ['N', '0-9'], ['M', ''], ['Cc', '\\x00-\\x1f\\x7f'], ['Cf', ''], ['Cs', ''], ['Zl', ''], ['Zp', ''],
]);

/** Flags and source → expression: for texts of ASCII characters, and for any text. */
const compiled = { ascii: new Map<string, RegExp>(), any: new Map<string, RegExp>() };

/**
 * A regular expression for a text, compiled when first needed. To compile Unicode's classes takes the engine more than a millisecond, which
 * every synth would pay, so a text of ASCII characters gets the pattern without them.
 *
 * @param source pattern; classes (`\p{L}`) stand within brackets
 */
export function patternFor(text: string, source: string, flags = ''): RegExp {
  const isAscii = /^[^\u0080-\uffff]*$/.test(text);
  const known = isAscii ? compiled.ascii : compiled.any;
  const key = `${flags}/${source}`;
  let expression = known.get(key);
  if (!expression) known.set(key, (expression = new RegExp(isAscii ? inAscii(source) : source, flags)));
  return expression;
}

function inAscii(source: string): string {
  return source.replace(/\\p\{(\w+)\}/g, (whole, name: string) => IN_ASCII.get(name) ?? whole);
}
