import { encodedBytes, valuesOf, writtenForms } from './forms';
import { Needles } from './needles';
import { redactTokens, REDACTED } from './patterns';
import { bareText, bareView, decodedQuotation, decodedText, plainView, type View } from './views';

/** Shorter secrets cannot be distinguished from words and are not redacted. */
const SHORTEST = 4;
/** Minimum in a bare text, which joins words, so that short secrets would match by accident. */
const SHORTEST_BARE = 6;
/** Maximum of secrets to search a text for, in characters and in number. With more secrets the whole text is withheld. */
const MOST_CHARACTERS = 40_000;
const MOST_SECRETS = 2_000;

/** The text without these secrets and without anything that looks like a secret. */
export function redact(text: string, secrets: readonly string[]): string {
  return redactor(secrets)(text);
}

/** Like `redact`, for several texts: the forms of the secrets are computed once. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const withoutSecrets = secretsRedactor(secrets);
  return (text) => redactTokens(withoutSecrets(text));
}

/**
 * A text without these values in every form in which an error may quote them: unchanged, percent-encoded, escaped as JSON, HTML, XML or
 * SQL, in base64 or base64url (also behind a user name), in hexadecimal digits, several of these nested, as a part of a connection string,
 * with other line breaks, or cut off. The time grows with the length of the text and of the secrets.
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

/** The forms to search for in a text as written, decoded, and without the characters that quoting adds. */
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
  return replaceMarked(text, hidden);
}

function bareForms(value: string): string[] {
  return [decodedText(value), ...encodedBytes(value)].map(bareText);
}

/** Marks the characters of the original text that are part of a form. */
function mark({ text, from, to }: View, needles: Needles, hidden: Uint8Array): void {
  if (needles.isEmpty) return;
  // In a repetitive text, each character starts a range that ends with the previous one.
  let done = { start: 0, end: 0 };
  needles.find(text, (start, end) => {
    if (start >= done.start && end <= done.end) return;
    hidden.fill(1, from[start], to[end - 1]);
    done = { start, end };
  });
}

function replaceMarked(text: string, hidden: Uint8Array): string {
  const parts: string[] = [];
  let done = 0;
  for (let start = hidden.indexOf(1); start >= 0; start = hidden.indexOf(1, done)) {
    parts.push(text.slice(done, start), REDACTED);
    const end = hidden.indexOf(0, start);
    done = end;
  }
  return parts.length === 0 ? text : [...parts, text.slice(done)].join('');
}
