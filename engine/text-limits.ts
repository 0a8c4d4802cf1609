/**
 * The sizes to which external texts (from Azure, proxies, databases, the API server, tenants) are cut before any other processing: regular
 * expressions, redaction, JSON. Characters are UTF-16 code units.
 */
export const TEXT_LIMITS = {
  /** Characters of an error message, which conditions, events and log lines contain. */
  message: 8_192,
  /** Characters of a code or reason. */
  reason: 128,
  /** Characters of a condition's message: the limit of `metav1.Condition`. */
  condition: 32_768,
  /** Bytes of an event's message: the limit of the API server in events.k8s.io/v1. */
  eventBytes: 1_024,
  /** Characters of one value of a log line. */
  logValue: 8_192,
  /** Characters of all values of a log line together. */
  logLine: 32_768,
  /** Maximum errors of a chain of causes. */
  causes: 5,
} as const;

/** Marks the place where a text was cut; redaction searches for the beginning of a secret before it. */
export const CUT = '…';

/** The text, or its beginning and a note with its length: together at most `limit` characters of valid Unicode. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `${CUT} [truncated: ${text.length} characters]`;
  return note.length < limit ? `${head(text, limit - note.length)}${note}` : `${head(text, Math.max(limit - 1, 0))}${CUT}`;
}

/** Like `truncate`, with a limit in bytes of UTF-8. */
export function truncateBytes(text: string, limit: number): string {
  // No character takes more than three bytes per code unit.
  if (text.length * 3 <= limit || (text.length <= limit && Buffer.byteLength(text) <= limit)) return text;
  const note = `${CUT} [truncated: ${text.length} characters]`;
  const room = limit - Buffer.byteLength(note);
  const bytes = Buffer.from(head(text, room));
  let end = Math.min(room, bytes.length);
  // Does not cut within a character.
  while (end > 0 && continuesCharacter(bytes[end])) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${note}`;
}

/** Whether a byte of UTF-8 is 10xxxxxx; undefined is the end of the text. */
function continuesCharacter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

/** The text on one line, with at most `limit` characters. */
export function oneLine(text: string, limit: number): string {
  // White space is merged after the cut, so more characters than the limit are read.
  const line = head(text, limit * 4).replace(/\s+/g, ' ').trim();
  return line.length <= limit && text.length <= limit * 4 ? line : `${head(line, limit - 1)}${CUT}`;
}

/** Control characters except line ends and tabs, zero-width characters, and those that change the direction of a text. */
const UNSEEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The text with each invisible character as its code (`\u202e`), so that a terminal or a browser displays the code and does not interpret
 * the character. Within JSON the codes stand for the same characters.
 */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The first characters, without half of a surrogate pair at the end. */
function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The error and a limited number of its causes. A chain may be endless or cyclic. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && causes.length < TEXT_LIMITS.causes && !causes.includes(next); next = next.cause) {
    causes.push(next);
  }
  return causes;
}
