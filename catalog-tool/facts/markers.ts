import { parse } from 'yaml';
import type { Validations } from '../../src/catalog';
import { elementAt } from '../../src/util/elements';

const PREFIX = '+kubebuilder:';

const VALIDATIONS: Readonly<Record<string, keyof Validations>> = {
  'validation:Enum': 'enum',
  'validation:Pattern': 'pattern',
  'validation:MinLength': 'minLength',
  'validation:MaxLength': 'maxLength',
  'validation:Minimum': 'minimum',
  'validation:Maximum': 'maximum',
  'validation:MultipleOf': 'multipleOf',
  'validation:MinItems': 'minItems',
  'validation:MaxItems': 'maxItems',
  'default': 'default',
};

/** Validations of the CRD, from comments above the Go field: https://book.kubebuilder.io/reference/markers/crd-validation */
export function validationsIn(comment: readonly string[]): Validations {
  const found: Partial<Record<keyof Validations, unknown>> = {};
  for (const line of comment) {
    if (!line.startsWith(PREFIX)) continue;
    const equals = line.indexOf('=');
    const key = VALIDATIONS[line.slice(PREFIX.length, equals < 0 ? undefined : equals)];
    if (key !== undefined && equals >= 0) found[key] = markerValue(line.slice(equals + 1));
  }
  return Object.fromEntries(Object.values(VALIDATIONS).filter((key) => found[key] !== undefined).map((key) => [key, found[key]]));
}

export function isRequired(comment: readonly string[]): boolean {
  return comment.includes(`${PREFIX}validation:Required`);
}

export function hasMarker(comment: readonly string[], marker: string): boolean {
  return comment.includes(PREFIX + marker);
}

/** An argument of a marker with several arguments: `categories={azure,storage}`. */
export function markerArgument(comment: readonly string[], marker: string, argument: string): string[] {
  const line = comment.find((each) => each.startsWith(`${PREFIX}${marker}:`));
  const value = line === undefined ? null : new RegExp(`[:,]${argument}=(\\{[^}]*\\}|[^,]*)`).exec(line);
  return value ? elementAt(value, 1).replace(/^\{|\}$/g, '').split(/[,;]/).filter((each) => each !== '') : [];
}

/** `{"a","b"}` and `a;b` are lists, `{login: true}` is an object, everything else a scalar. */
function markerValue(text: string): unknown {
  if (/^\{\s*("|-?\d|\})/.test(text) && !/^\{\s*"[^"]*"\s*:/.test(text)) return JSON.parse(`[${text.slice(1, -1)}]`);
  if (text.startsWith('"') || text.startsWith('{')) return parse(text);
  if (text.startsWith('`')) return text.slice(1, -1);
  if (text.includes(';')) return text.split(';').map((each) => markerValue(each.trim()));
  return parse(text);
}
