const HIDDEN = '***';
/** Shorter texts are no secrets that could be told from words. */
const SHORTEST = 4;
const CUT = '…';

/**
 * A text in which none of these values stands, in whatever form an error may quote it: as it is, on one line, in JSON, in a URL, in base64,
 * or cut off where a long text ends with `…`.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(formsOf))].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length);
  return forms.length === 0 ? text : withoutCutForms(forms.reduce((shown, form) => shown.split(form).join(HIDDEN), text), forms);
}

/** A text without bearer tokens, JSON Web Tokens and private keys, whoever they belong to. */
export function withoutTokens(text: string): string {
  return text
    .replace(/\beyJ[\w-]+(?:\.[\w-]*)*/g, HIDDEN)
    .replace(/\b(Bearer +)[\w.~+/=-]{16,}/gi, `$1${HIDDEN}`)
    .replace(/-----BEGIN [^"]*?-----END [^"-]*-----/g, HIDDEN);
}

/** The same error, as what it is, with a text that shows none of the values, and no token. */
export function errorWithoutSecrets<T>(error: T, secrets: readonly string[]): T {
  if (!(error instanceof Error)) return error;
  const shown = (text: string) => withoutTokens(withoutSecrets(text, secrets));
  const own = Object.entries(Object.getOwnPropertyDescriptors(error)).map(([name, property]) => {
    const { value } = property as { value?: unknown };
    return [name, typeof value === 'string' ? { ...property, value: shown(value) } : value instanceof Error ? { ...property, value: errorWithoutSecrets(value, secrets) } : property];
  });
  return Object.create(Object.getPrototypeOf(error) as object, Object.fromEntries(own) as PropertyDescriptorMap) as T;
}

function formsOf(secret: string): string[] {
  // Keys and certificates are quoted a line at a time as well.
  const lines = secret.split(/\r?\n/).filter(({ length }) => length >= 16);
  return [...new Set([secret, secret.trim(), ...lines])].flatMap((value) => [
    value, value.replace(/\s+/g, ' ').trim(), JSON.stringify(value).slice(1, -1), encodeURIComponent(wellFormed(value)), Buffer.from(value).toString('base64'),
  ]);
}

/** Half a pair of surrogates cannot be written in a URL. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function withoutCutForms(text: string, forms: readonly string[]): string {
  return text.split(CUT).map((part, index, parts) => (index === parts.length - 1 ? part : withoutBeginning(part, forms))).join(CUT);
}

/** The text without the beginning of a form at its end. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  const lengths = forms.map((form) => {
    let length = Math.min(form.length - 1, text.length);
    while (length >= SHORTEST && !text.endsWith(form.slice(0, length))) length -= 1;
    return length >= SHORTEST ? length : 0;
  });
  const longest = Math.max(...lengths);
  return longest === 0 ? text : `${text.slice(0, -longest)}${HIDDEN}`;
}
