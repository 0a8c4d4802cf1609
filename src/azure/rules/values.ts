import { isRecord, type Struct } from '../../util/records';

/** A value in a spec, with its path. */
export interface ValueAt {
  readonly field: string;
  readonly value: unknown;
}

interface Step {
  readonly key: string;
  readonly isList: boolean;
}

const NONE: ValueAt[] = [];

interface Path {
  readonly steps: readonly Step[];
  readonly hasList: boolean;
}

/** Paths are texts of the rules, and asked for each object of an app. */
const PATHS = new Map<string, Path>();

function pathOf(text: string): Path {
  let path = PATHS.get(text);
  if (!path) {
    const steps = text.split('.').map((step) => (step.endsWith('[]') ? { key: step.slice(0, -2), isList: true } : { key: step, isList: false }));
    PATHS.set(text, (path = { steps, hasList: steps.some(({ isList }) => isList) }));
  }
  return path;
}

/** The values at a path: `locations[].failoverPriority` is one for each location. Absent ones are left out. */
export function valuesAt(spec: Struct, text: string): ValueAt[] {
  const path = pathOf(text);
  if (!path.hasList) {
    const value = valueAt(spec, path);
    return value === undefined ? NONE : [{ field: text, value }];
  }
  let found = membersAt(spec, path.steps[0]!, '');
  for (let at = 1; at < path.steps.length && found.length > 0; at++) {
    const step = path.steps[at]!;
    found = found.flatMap(({ field, value }) => membersAt(value, step, `${field}.`));
  }
  return found;
}

function membersAt(parent: unknown, { key, isList }: Step, before: string): ValueAt[] {
  if (!isRecord(parent) || !Object.hasOwn(parent, key)) return NONE;
  const value = parent[key];
  if (value === undefined || value === null) return NONE;
  if (!isList) return [{ field: before + key, value }];
  return Array.isArray(value) ? value.map((item: unknown, index) => ({ field: `${before}${key}[${index}]`, value: item })) : NONE;
}

/** The value at a path without lists. */
export function valueAtPath(spec: Struct, text: string): unknown {
  return valueAt(spec, pathOf(text));
}

function valueAt(spec: Struct, { steps }: Path): unknown {
  let value: unknown = spec;
  for (const { key } of steps) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value ?? undefined;
}

/** A text at a path, in lower case: Azure's enumerations ignore case. */
export function wordAt(spec: Struct, path: string): string | undefined {
  const value = valueAtPath(spec, path);
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}
