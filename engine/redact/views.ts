/** A text in another form, with the source of each of its characters. */
export interface View {
  readonly text: string;
  /** For each character of `text`, the offset at which its source begins in the original; one more entry for the end. */
  readonly from: ArrayLike<number>;
  /** For each character of `text`, the offset at which its source ends in the original. */
  readonly to: ArrayLike<number>;
}

/** Maximum layers of encoding; real texts have fewer. */
const MOST_LAYERS = 4;

/** Escapes of URLs, JSON, JavaScript, HTML and XML. Each alternative begins differently and has a bounded length. */
const ESCAPE = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[bfnrt\\"'/]|&(?:#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos|nbsp);/gi;
/** The beginning of an escape at which a text was cut. */
const CUT_ESCAPE = /(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&(?:#x?[0-9a-f]{0,7}|[a-z]{0,4}))(?=$|…|\.\.\.)/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text unchanged: each character is its own source. */
export function plainView(text: string): View {
  const from = new Uint32Array(text.length + 1);
  for (let index = 1; index <= text.length; index += 1) from[index] = index;
  return { text, from, to: from.subarray(1) };
}

/** The text, which may have been cut anywhere, even within an escape, with its escapes decoded, including nested ones. */
export function decodedQuotation(text: string): View {
  let view = plainView(text);
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const whole = replaced(view, CUT_ESCAPE, withoutEscape);
    const decoded = replaced(whole ?? view, ESCAPE, decodedAt);
    if (!whole && !decoded) break;
    view = decoded ?? whole!;
  }
  return view;
}

/** The text with its escapes decoded, without sources: secrets do not need them. */
export function decodedText(text: string): string {
  let current = text;
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    ESCAPE.lastIndex = 0;
    const parts: string[] = [];
    let done = 0;
    for (let match = ESCAPE.exec(current); match; match = ESCAPE.exec(current)) {
      const [decoded, end] = decodedAt(current, match[0], match.index);
      parts.push(current.slice(done, match.index), decoded);
      done = end;
      ESCAPE.lastIndex = end;
    }
    if (parts.length === 0) break;
    current = parts.join('') + current.slice(done);
  }
  return current;
}

/** The text of `bareView`. */
export function bareText(text: string): string {
  return text.replaceAll('_', '/').replace(/[\\'"`+\-= \t\r\n\f\v\u00a0]+/g, '');
}

class ViewBuilder {
  private readonly parts: string[] = [];
  private readonly from: number[] = [];
  private readonly to: number[] = [];

  public constructor(private readonly source: View) {}

  /** Copies characters of the source. */
  public copy(start: number, end: number): void {
    this.parts.push(this.source.text.slice(start, end));
    for (let index = start; index < end; index += 1) this.push(index, index + 1);
  }

  /** Replaces a range of the source by other characters. */
  public put(text: string, start: number, end: number): void {
    this.parts.push(text);
    for (let index = 0; index < text.length; index += 1) this.push(start, end);
  }

  public view(): View {
    return { text: this.parts.join(''), from: [...this.from, this.fromOf(this.source.text.length)], to: this.to };
  }

  private push(start: number, end: number): void {
    this.from.push(this.fromOf(start));
    // A view has one `to` for each character, and no range is empty.
    this.to.push(this.source.to[end - 1]!);
  }

  private fromOf(index: number): number {
    // A view has one `from` for each character and one for the end of its text.
    return this.source.from[index]!;
  }
}

type Replace = (text: string, match: string, index: number) => [replacement: string, end: number];

/** The view with all matches of a pattern replaced; undefined if there is no match. */
function replaced(view: View, pattern: RegExp, replace: Replace): View | undefined {
  const { text } = view;
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (!match) return undefined;
  const builder = new ViewBuilder(view);
  let done = 0;
  for (; match; match = pattern.exec(text)) {
    const [replacement, end] = replace(text, match[0], match.index);
    builder.copy(done, match.index);
    builder.put(replacement, match.index, end);
    done = end;
    pattern.lastIndex = end;
  }
  builder.copy(done, text.length);
  return builder.view();
}

function withoutEscape(_: string, match: string, index: number): [replacement: string, end: number] {
  return ['', index + match.length];
}

/** The decoded text of an escape and its end: several percent-encoded bytes may form one character. */
function decodedAt(text: string, escape: string, index: number): [decoded: string, end: number] {
  const end = index + escape.length;
  if (escape[0] === '%') return percentDecodedAt(text, index);
  if (escape[0] === '&') return [entity(escape.slice(1, -1).toLowerCase()), end];
  if (escape.length > 2) return [String.fromCharCode(Number.parseInt(escape.slice(2), 16)), end];
  const escaped = escape.charAt(1);
  return [/[a-z]/i.test(escaped) ? ' ' : escaped, end];
}

function entity(name: string): string {
  if (name[0] !== '#') return NAMED[name] ?? name;
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function percentDecodedAt(text: string, index: number): [decoded: string, end: number] {
  const lead = Number.parseInt(text.slice(index + 1, index + 3), 16);
  const length = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const end = index + 3 * length;
  if (length > 1 && end <= text.length) {
    try {
      return [decodeURIComponent(text.slice(index, end)), end];
    } catch {
      // Invalid UTF-8.
    }
  }
  return [String.fromCharCode(lead), index + 3];
}

/**
 * A form that is independent of quoting: without characters that quoting adds (quotes, backslashes, padding, line breaks) or changes
 * (blanks in forms, the alphabet of base64).
 */
export function bareView(view: View): View {
  const { text } = view;
  const builder = new ViewBuilder(view);
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '_') builder.put('/', index, index + 1);
    else if (!isDecoration(character)) builder.copy(index, index + 1);
  }
  return builder.view();
}

function isDecoration(character: string): boolean {
  return '\\\'"`+-= \t\r\n\f\v\u00a0'.includes(character);
}
