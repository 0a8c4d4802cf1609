import { stepsOf } from '../../src/util/json-pointer';
import { isRecord } from '../../src/util/records';

// Compares the wanted with the actual state, as Kubernetes and Azure read it.

export type Json = any;

/** Takes back a fault of the expected objects: removes an object or a value, or sets one. */
export interface Correction {
  readonly object: { readonly apiVersion: string; readonly kind: string; readonly namespace?: string; readonly name: string };
  readonly path?: string;
  readonly value?: Json;
  readonly remove?: boolean;
}

/** The expected objects as they should be. */
export interface Corrected {
  readonly objects: Json[];
  readonly differences: string[];
}

/** The expected objects with the corrections; those that no object fits are said as differences. */
export function corrected(expected: readonly Json[], corrections: readonly Correction[]): Corrected {
  const objects: Json[] = structuredClone([...expected]);
  const differences: string[] = [];
  // All objects are found before one is renamed.
  const found = corrections.map(({ object }) =>
    objects.find((candidate) => identity(candidate) === identity({ ...object, metadata: object })),
  );
  corrections.forEach(({ object, path, value, remove }, i) => {
    const target = found[i];
    if (target === undefined) differences.push(`${identity({ ...object, metadata: object })} is corrected, but not expected`);
    else if (path === undefined) objects.splice(objects.indexOf(target), 1);
    else set(target, path, remove ? undefined : value);
  });
  return { objects, differences };
}

/** One line a difference. */
export function differencesOf(wanted: readonly Json[], got: readonly Json[]): string[] {
  const open = [...got];
  const differences: string[] = [];
  for (const object of wanted) {
    const index = open.findIndex((candidate) => identity(candidate) === identity(object));
    if (index < 0) differences.push(`${identity(object)} is missing`);
    else differ(canonical(object), canonical(open.splice(index, 1)[0]), identity(object), '', differences);
  }
  return [...differences, ...open.map((object) => `${identity(object)} is not expected`)];
}

function identity({ apiVersion, kind, metadata }: Json): string {
  return `${apiVersion} ${kind} ${metadata?.namespace ? `${metadata.namespace}/` : ''}${metadata?.name ?? ''}`;
}

function differ(wanted: Json, got: Json, object: string, path: string, differences: string[]): void {
  if (isMap(wanted) && isMap(got)) {
    for (const key of [...new Set([...Object.keys(wanted), ...Object.keys(got)])].sort()) {
      differ(wanted[key], got[key], object, `${path}/${key}`, differences);
    }
  } else if (Array.isArray(wanted) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(wanted.length, got.length); i++) differ(wanted[i], got[i], object, `${path}/${i}`, differences);
  } else if (!same(wanted, got)) {
    differences.push(`${object} ${path}: is ${formatValue(got)}, expected ${formatValue(wanted)}`);
  }
}

/** ARM ids are compared without regard to case. */
function same(wanted: Json, got: Json): boolean {
  if (typeof wanted === 'string' && typeof got === 'string' && wanted.startsWith('/subscriptions/')) {
    return wanted.toLowerCase() === got.toLowerCase();
  }
  return wanted === got;
}

/** Without nulls and empty labels; quantities as texts; a Secret's data as texts. */
function canonical(object: Json): Json {
  const { data, stringData, ...rest } = clean(object);
  if (object.kind === 'ResourceQuota' || object.kind === 'LimitRange') return { ...rest, spec: withTexts(rest.spec) };
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1') return clean(object);
  const decoded = Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()]);
  return { ...rest, stringData: { ...Object.fromEntries(decoded), ...stringData } };
}

function clean(object: Json): Json {
  const isEmpty = (value: Json) => isMap(value) && Object.keys(value).length === 0;
  const entries = Object.entries(object.metadata ?? {}).filter(
    ([key, value]) => !(['labels', 'annotations'].includes(key) && isEmpty(value)),
  );
  const metadata = Object.fromEntries(entries);
  return withoutNulls({ ...object, metadata });
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isMap(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}

function withTexts(value: Json): Json {
  if (Array.isArray(value)) return value.map(withTexts);
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item)]));
  return typeof value === 'number' ? String(value) : value;
}

/** Sets the value at a JSON pointer (RFC 6901), or removes it; missing parents are made. */
function set(object: Json, pointer: string, value: Json): void {
  const keys = stepsOf(pointer);
  const last = keys.pop()!;
  const parent = keys.reduce((at, key) => (at[key] ??= {}), object);
  if (value !== undefined) parent[Array.isArray(parent) && last === '-' ? parent.length : last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
}

function isMap(value: Json): value is Record<string, Json> {
  return isRecord(value);
}

function formatValue(value: Json): string {
  return value === undefined ? 'not there' : JSON.stringify(value);
}
