/** Unicode's classes as they are among the ASCII characters, for within brackets. */
const IN_ASCII: ReadonlyMap<string, string> = new Map([
  ['L', 'A-Za-z'], ['N', '0-9'], ['M', ''], ['Cc', '\\x00-\\x1f\\x7f'], ['Cf', ''], ['Cs', ''], ['Zl', ''], ['Zp', ''],
]);

const compiled = new Map<string, RegExp>();

/**
 * A regular expression for a text, compiled when first needed. To compile Unicode's classes takes the engine more than a millisecond, which
 * every synth would pay, so a text of ASCII characters gets the pattern without them.
 *
 * @param source pattern; classes (`\p{L}`) stand within brackets
 */
export function patternFor(text: string, source: string, flags = ''): RegExp {
  const isAscii = /^[^\u0080-\uffff]*$/.test(text);
  const adapted = isAscii ? source.replace(/\\p\{(\w+)\}/g, (whole, name: string) => IN_ASCII.get(name) ?? whole) : source;
  const key = `${flags}/${adapted}`;
  let expression = compiled.get(key);
  if (!expression) compiled.set(key, (expression = new RegExp(adapted, flags)));
  return expression;
}
