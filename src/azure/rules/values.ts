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
/** Paths are texts of the rules, and asked for each object of an app. */
const STEPS = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  let steps = STEPS.get(path);
  if (!steps) {
    steps = path.split('.').map((step) => (step.endsWith('[]') ? { key: step.slice(0, -2), isList: true } : { key: step, isList: false }));
    STEPS.set(path, steps);
  }
  return steps;
}

/** The values at a path: `locations[].failoverPriority` is one for each location. Absent ones are left out. */
export function valuesAt(spec: Struct, path: string): ValueAt[] {
  const [first, ...rest] = stepsOf(path);
  let found = membersAt(spec, first!, '');
  for (const step of rest) {
    if (found.length === 0) return found;
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
export function valueAtPath(spec: Struct, path: string): unknown {
  let value: unknown = spec;
  for (const { key } of stepsOf(path)) {
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
