import { isText, member } from './records';

/** The text of a value in the `data` of a Secret, where the API server keeps it in base64. */
export function decodeSecretValue(encoded: string): string {
  return Buffer.from(encoded, 'base64').toString('utf8');
}

/** The texts of `data`. */
export function decodeSecretData(data: Readonly<Record<string, unknown>> = {}): Record<string, string> {
  const texts = Object.entries(data).filter((entry): entry is [string, string] => isText(entry[1]));
  return Object.fromEntries(texts.map(([key, value]) => [key, decodeSecretValue(value)]));
}

/** A text as a value of `data`. */
export function encodeSecretValue(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}

/** `stringData`, which only requests have, as `data`. */
export function encodeSecretData(stringData: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, encodeSecretValue(value)]));
}

/** A Secret as somebody writes it. */
interface WrittenSecret {
  readonly data?: unknown;
  readonly stringData?: unknown;
}

/** The text of a key: `stringData` counts before `data`. */
export function secretText({ data, stringData }: WrittenSecret, key: string): string | undefined {
  const written = member(stringData, key);
  if (isText(written)) return written;
  const encoded = member(data, key);
  return isText(encoded) ? decodeSecretValue(encoded) : undefined;
}
