/**
 * The sizes that texts of others (Azure, proxies, databases, the API server, tenants) are cut to before anything else looks at them: regular
 * expressions, redaction, JSON. Characters are UTF-16 code units.
 */
export const TEXT_LIMITS = {
  /** Characters of a failure's message, of which conditions, events and log lines are made. */
  message: 8_192,
  /** Characters of a code or reason. */
  reason: 128,
  /** Characters of a condition's message: what `metav1.Condition` allows. */
  condition: 32_768,
  /** Bytes of an event's message: what the API server allows in events.k8s.io/v1. */
  eventBytes: 1_024,
  /** Characters of one value of a log line. */
  logValue: 8_192,
  /** Characters of all values of a log line together. */
  logLine: 32_768,
  /** Errors of a chain of causes that are looked at. */
  causes: 5,
} as const;

/** Stands where a text was cut; redaction looks for the beginning of a secret before it. */
export const CUT = '…';

/** The text, or its beginning and a note of how long it was, together at most `limit` characters of valid Unicode. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const note = `${CUT} [truncated: ${text.length} characters]`;
  return note.length < limit ? `${head(text, limit - note.length)}${note}` : `${head(text, Math.max(limit - 1, 0))}${CUT}`;
}

/** The same for a limit in bytes of UTF-8. */
export function truncateBytes(text: string, limit: number): string {
  // No character takes more than three bytes a code unit.
  if (text.length * 3 <= limit || (text.length <= limit && Buffer.byteLength(text) <= limit)) return text;
  const note = `${CUT} [truncated: ${text.length} characters]`;
  const room = limit - Buffer.byteLength(note);
  const bytes = Buffer.from(head(text, room));
  let end = Math.min(room, bytes.length);
  // Not in the middle of a character: bytes 10xxxxxx continue one.
  while (end > 0 && end < bytes.length && bytes[end] >= 0x80 && bytes[end] < 0xc0) end -= 1;
  return `${bytes.toString('utf8', 0, end)}${note}`;
}

/** Any text on one line and no longer than so many characters. */
export function oneLine(text: string, limit: number): string {
  // White space is merged after the cut, so some more than the limit is looked at.
  const line = head(text, limit * 4).replace(/\s+/g, ' ').trim();
  return line.length <= limit && text.length <= limit * 4 ? line : `${head(line, limit - 1)}${CUT}`;
}

/** Controls but for ends of lines and tabs, characters without width, and those that turn the direction of a text. */
const UNSEEN = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * The text with each character that is not seen as its code (`\u202e`): a terminal or a browser shows what is there, and obeys nothing. Within
 * JSON, the codes stand for the same characters.
 */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));
}

/** The first characters, without half a pair of surrogates at the end. */
function head(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** The error and what it was caused by, as far as it is worth a reader's time. A chain may be endless, or a cycle. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && causes.length < TEXT_LIMITS.causes && !causes.includes(next); next = next.cause) causes.push(next);
  return causes;
}
