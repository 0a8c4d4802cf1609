import { encodedBytes, valuesOf, writtenForms } from './forms';
import { Needles } from './needles';
import { redactTokens, REDACTED } from './patterns';
import { bareText, bareView, decodedQuotation, decodedText, plainView, type View } from './views';

/** Shorter texts are no secrets that could be told from words. */
const SHORTEST = 4;
/** In a bare text words have grown together: there it takes more to tell a secret from them. */
const SHORTEST_BARE = 6;
/** Of secrets, in characters and in number, that a text is searched for. A text that is to show none of more is withheld as a whole. */
const MOST_CHARACTERS = 40_000;
const MOST_SECRETS = 2_000;

/** Neither these secrets nor anything that looks like one. */
export function redact(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

/** As `redact`, for several texts: the forms of the secrets are made once. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const withoutSecrets = secretsRedactor(secrets);
  return (text) => redactTokens(withoutSecrets(text));
}

/**
 * A text in which none of these values stands, in whatever form an error may quote it: as it is, percent-encoded, escaped as JSON, HTML, XML or
 * SQL, in base64 or base64url (also behind a user's name), in hexadecimal digits, several of these nested, as a part of a connection string, on
 * other lines, or cut off. Its time grows with the length of the text and of the secrets.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  return secretsRedactor(secrets)(text);
}

function secretsRedactor(secrets: readonly string[]): (text: string) => string {
  const wanted = [...new Set(secrets)].filter(({ length }) => length >= SHORTEST);
  if (wanted.length === 0) return (text) => text;
  const characters = wanted.reduce((sum, { length }) => sum + length, 0);
  if (characters > MOST_CHARACTERS || wanted.length > MOST_SECRETS) {
    const withheld = `${REDACTED} (withheld: the spec uses ${wanted.length} secret values of ${characters} characters, too much to redact this text of)`;
    return (text) => (text === '' ? text : withheld);
  }
  let forms: SecretForms | undefined;
  return (text) => (text === '' ? text : redactForms(text, (forms ??= formsOf(wanted))));
}

/** What is looked for in a text as it is, decoded, and without what quoting adds. */
interface SecretForms {
  readonly written: Needles;
  readonly decoded: Needles;
  readonly bare: Needles;
}

function formsOf(secrets: readonly string[]): SecretForms {
  const values = [...new Set(secrets.flatMap(valuesOf))].filter(({ length }) => length >= SHORTEST);
  return {
    written: new Needles(values.flatMap(writtenForms), SHORTEST),
    decoded: new Needles(values.map(decodedText), SHORTEST),
    bare: new Needles(values.flatMap(bareForms), SHORTEST_BARE),
  };
}

function redactForms(text: string, { written, decoded, bare }: SecretForms): string {
  const view = decodedQuotation(text);
  const hidden = new Uint8Array(text.length + 1);
  mark(plainView(text), written, hidden);
  mark(view, decoded, hidden);
  mark(bareView(view), bare, hidden);
  return withoutHidden(text, hidden);
}

function bareForms(value: string): string[] {
  return [decodedText(value), ...encodedBytes(value)].map(bareText);
}

/** Marks the characters of the original that are a part of a form. */
function mark({ text, from, to }: View, needles: Needles, hidden: Uint8Array): void {
  if (needles.isEmpty) return;
  // In a text of repetitions each character begins a range that ends where the one before it does.
  let done = { start: 0, end: 0 };
  needles.find(text, (start, end) => {
    if (start >= done.start && end <= done.end) return;
    hidden.fill(1, from[start], to[end - 1]);
    done = { start, end };
  });
}

function withoutHidden(text: string, hidden: Uint8Array): string {
  const parts: string[] = [];
  let done = 0;
  for (let start = hidden.indexOf(1); start >= 0; start = hidden.indexOf(1, done)) {
    parts.push(text.slice(done, start), REDACTED);
    const end = hidden.indexOf(0, start);
    done = end;
  }
  return parts.length === 0 ? text : [...parts, text.slice(done)].join('');
}
