import { withoutPodVariables } from './pod-variables';
import { ENCRYPTED_NAME, placeholderOf, replaceVariables, variablesIn } from './variables';
import type { FieldPath } from '../../../src/catalog/validate-spec';
import { isRecord } from '../../../src/util/records';
import { counted, firstOf, plural } from '../../../src/util/words';
import type { Manifest } from '../manifests';

const MAX_NAMED = 5;

/** The values of objects that come later. */
export interface LaterValues {
  /** Number of values with a variable. */
  readonly count: number;
  /** The variables as they are written, each once. */
  readonly variables: readonly string[];
}

/** An object, which may be in another one: `written` is its value there. */
interface WithObject {
  readonly object: unknown;
  readonly inside?: { readonly written: unknown };
}

/** The values of Azure objects, and of what goes with them, that something fills in later. */
export function laterValuesOf(manifests: readonly WithObject[]): LaterValues {
  let count = 0;
  const variables = new Set<string>();
  // The values of an object in another one are values of both.
  const inner = new Set(manifests.flatMap(({ inside }) => inside?.written ?? []));
  const whole = manifests.map(({ object }) => (inner.size === 0 ? object : withoutValues(object, inner)));
  for (const object of whole) {
    eachText(withoutPodVariables(object), (text) => {
      const found = variablesIn(text);
      if (found.length > 0) count += 1;
      for (const { text: written, name } of found) variables.add(name === ENCRYPTED_NAME ? name : written);
    });
  }
  return { count, variables: [...variables] };
}

/** One line about values that come later: how many there are, their variables, and the ways to fill them in. */
export function laterText({ count, variables }: LaterValues): string {
  const named = firstOf([...variables], MAX_NAMED);
  const what = `${counted(count, 'value')} ${plural(count, 'comes', 'come')} later`;
  return `${what}: ${named}; the rest is known. --set NAME=VALUE and --env-file FILE fill them in`;
}

/** Whether what is at a path of an object is not known yet: it, a text around it, or a key on the way. */
export function isLaterAt(object: unknown, path: FieldPath): boolean {
  let value = object;
  for (const step of path) {
    if (typeof value === 'string') break;
    if (typeof step === 'string' && variablesIn(step).length > 0) return true;
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  }
  // The name in Azure is that of the object, if it has none of its own.
  if (value === undefined && path.join('.') === 'spec.azureName') return isLaterAt(object, ['metadata', 'name']);
  return typeof value === 'string' && variablesIn(value).length > 0;
}

/** Whether a part of a map or list at a path is not known yet. */
export function isPartLaterAt(object: unknown, path: FieldPath): boolean {
  if (path.length === 0) return false;
  const value = path.reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[step] : undefined), object);
  let isLater = false;
  eachText(value, (text) => {
    isLater ||= variablesIn(text).length > 0;
  });
  return isLater;
}

/** The objects with each variable as a placeholder, as plans have them: `<${TEAM}>`, `<SUBSCRIPTION_ID>`. */
export function laterAsPlaceholders(manifests: readonly Manifest[]): Manifest[] {
  return manifests.map((manifest) => ({ ...manifest, object: withPlaceholders(manifest.object) }));
}

function withPlaceholders<T>(value: T): T {
  if (typeof value === 'string') {
    return replaceVariables(value, placeholderOf) as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => withPlaceholders(item)) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlaceholders(item)])) as T;
}

function withoutValues(value: unknown, left: ReadonlySet<unknown>): unknown {
  if (left.has(value)) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutValues(item, left));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutValues(item, left)]));
}

/** Visits all texts and keys of a value, in their order. No generator: those of the values in it would each pass every text on. */
function eachText(value: unknown, see: (text: string) => void): void {
  if (typeof value === 'string') see(value);
  if (Array.isArray(value)) for (const item of value) eachText(item, see);
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    see(key);
    eachText(item, see);
  }
}
