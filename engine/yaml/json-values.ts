/** A value in a text, from its first character up to and without its last. */
export interface JsonValue {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** The JSON objects at the beginning of a text, which may follow one another without a separator, as `jq` prints them. */
export function* jsonValues(text: string): Generator<JsonValue, undefined> {
  let from = nextText(text, 0);
  while (text[from] === '{') {
    const to = endOfObject(text, from);
    if (to === undefined) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text.slice(from, to));
    } catch {
      return undefined; // YAML in flow style, or a mistake
    }
    yield { value, from, to };
    from = nextText(text, to);
  }
  return undefined;
}

function nextText(text: string, from: number): number {
  const next = /[^ \t\r\n]/g;
  next.lastIndex = from;
  return next.exec(text)?.index ?? text.length;
}

/** Behind the brace that closes the one at a place; undefined if none does. */
function endOfObject(text: string, from: number): number | undefined {
  const marks = /[{}"\\]/g;
  marks.lastIndex = from;
  let [depth, isQuoted] = [0, false];
  for (let mark = marks.exec(text)?.[0]; mark !== undefined; mark = marks.exec(text)?.[0]) {
    if (mark === '"') isQuoted = !isQuoted;
    // The character behind a backslash is no mark.
    if (isQuoted && mark === '\\') marks.lastIndex += 1;
    // Braces count outside of quotes alone.
    if (isQuoted || (mark !== '{' && mark !== '}')) continue;
    depth += mark === '{' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}
