import type { Scalar } from '../../catalog/facts';
import type { SpecPath, SpecStep } from '../../catalog/spec-paths';
import { isRecord, member as ownMember } from '../../util/records';

/**
 * Conditions on a Kubernetes object, written once and evaluated twice: here, over the objects of an app, and as CEL by the API server. CEL
 * has `object`, and for updates `oldObject`.
 * @see https://kubernetes.io/docs/reference/using-api/cel/
 */

/** The values of root variables, by their names in CEL. */
export type Environment = Readonly<Record<string, unknown>>;

/** A condition on an object. */
export interface Condition {
  readonly cel: string;
  holds(environment: Environment): boolean;
}

/** A value in an object. A missing value is undefined here, and an empty optional in CEL. */
export interface Value {
  readonly cel: string;
  /** Whether the CEL expression returns an optional. */
  readonly optional: boolean;
  read(environment: Environment): unknown;
}

/** A text; empty if missing. */
export interface Text {
  readonly cel: string;
  read(environment: Environment): string;
}

export const OBJECT: Value = root('object');
const OLD_OBJECT: Value = root('oldObject');

export const TRUE: Condition = { cel: 'true', holds: () => true };
export const FALSE: Condition = { cel: 'false', holds: () => false };

function root(cel: string): Value {
  return { cel, optional: false, read: (environment) => environment[cel] };
}

/** A member at any depth: `member(OBJECT, 'spec', 'owner')`. */
export function member(value: Value, ...names: string[]): Value {
  return names.reduce<Value>((parent, name) => ({
    cel: `${parent.cel}${/^[A-Za-z_]\w*$/.test(name) ? `.?${name}` : `[?${quoted(name)}]`}`,
    optional: true,
    read: (environment) => ownMember(parent.read(environment), name),
  }), value);
}

export function text(value: Value, ...names: string[]): Text {
  const at = member(value, ...names);
  return {
    cel: at.optional ? `${at.cel}.orValue("")` : at.cel,
    read: (environment) => {
      const found = at.read(environment);
      return typeof found === 'string' ? found : '';
    },
  };
}

export function spec(...names: string[]): Text {
  return text(OBJECT, 'spec', ...names);
}

/** A text that no object has. */
export function constant(value: string): Text {
  return { cel: quoted(value), read: () => value };
}

/** ASCII letters in lower case: names that Azure compares without regard to case contain no others. */
export function lower(of: Text): Text {
  return { cel: `${of.cel}.lowerAscii()`, read: (environment) => lowerAscii(of.read(environment)) };
}

export function without(of: Text, removed: string): Text {
  return { cel: `${of.cel}.replace(${quoted(removed)}, "")`, read: (environment) => of.read(environment).replaceAll(removed, '') };
}

/** The first non-empty text. */
export function firstOf(one: Text, other: Text): Text {
  return { cel: `(${one.cel} != "" ? ${one.cel} : ${other.cel})`, read: (environment) => one.read(environment) || other.read(environment) };
}

/** A named text that many conditions use: the API server evaluates it once. */
export interface Variable extends Text {
  readonly name: string;
  readonly expression: string;
}

export function variable(name: string, { cel, read }: Text): Variable {
  return { name, expression: cel, cel: `variables.${name}`, read };
}

export function is(of: Text, value: string): Condition {
  return { cel: `${of.cel} == ${quoted(value)}`, holds: (environment) => of.read(environment) === value };
}

export function oneOf(of: Text, values: readonly string[]): Condition {
  if (values.length === 0) return FALSE;
  return { cel: `${of.cel} in ${list(values)}`, holds: (environment) => values.includes(of.read(environment)) };
}

export function startsWith(of: Text, values: readonly string[]): Condition {
  return withAny('startsWith', of, values);
}

export function endsWith(of: Text, values: readonly string[]): Condition {
  return withAny('endsWith', of, values);
}

export function contains(of: Text, values: readonly string[]): Condition {
  return withAny('contains', of, values);
}

/** Whether a text matches a pattern; the pattern means the same in RE2 and in JavaScript: no look-around, no flags. */
export function matches(of: Text, pattern: string): Condition {
  const compiled = new RegExp(pattern);
  return { cel: `${of.cel}.matches(${quoted(pattern)})`, holds: (environment) => compiled.test(of.read(environment)) };
}

export function present(value: Value): Condition {
  return { cel: `${value.cel}.hasValue()`, holds: (environment) => value.read(environment) !== undefined };
}

export function all(...conditions: readonly Condition[]): Condition {
  const wanted = conditions.filter((condition) => condition !== TRUE);
  if (wanted.length === 0) return TRUE;
  if (wanted.includes(FALSE)) return FALSE;
  return { cel: joined(wanted, '&&'), holds: (environment) => wanted.every((condition) => condition.holds(environment)) };
}

export function any(...conditions: readonly Condition[]): Condition {
  const wanted = conditions.filter((condition) => condition !== FALSE);
  if (wanted.length === 0) return FALSE;
  if (wanted.includes(TRUE)) return TRUE;
  return { cel: joined(wanted, '||'), holds: (environment) => wanted.some((condition) => condition.holds(environment)) };
}

export function not(condition: Condition): Condition {
  if (condition === TRUE || condition === FALSE) return condition === TRUE ? FALSE : TRUE;
  return { cel: `!(${condition.cel})`, holds: (environment) => !condition.holds(environment) };
}

/** A condition that applies only to the objects that it concerns. */
export function implies(concerned: Condition, condition: Condition): Condition {
  return any(not(concerned), condition);
}

/**
 * Whether the condition holds for every element of a list; a value that is not a list has none. `name`: the element's CEL name in nested
 * lists.
 */
export function everyElement(value: Value, condition: (element: Value) => Condition, name = 'element'): Condition {
  const inner = condition(root(name));
  return {
    cel: `${value.cel}${value.optional ? '.orValue([])' : ''}.all(${name}, ${inner.cel})`,
    holds: (environment) => {
      const found = value.read(environment);
      return !Array.isArray(found) || found.every((item: unknown) => inner.holds({ ...environment, [name]: item }));
    },
  };
}

/**
 * Whether the condition holds for every value (as a text) at a path below the spec, through lists and maps; empty if missing outside of
 * lists.
 */
export function everyAt(path: SpecPath, condition: (value: Text) => Condition): Condition {
  return everyBelow(member(OBJECT, 'spec'), path.steps, path.type, condition);
}

/** Whether the condition holds for every value at a path below the object, through lists: `spec.tls[].secretName`. */
export function everyFrom(path: string, condition: (value: Value) => Condition): Condition {
  const steps = path.split('.').flatMap((part): SpecStep[] => {
    const [property = ''] = part.split('[]');
    return [{ property }, ...Array.from({ length: (part.length - property.length) / 2 }, () => 'elements' as const)];
  });
  return everyValue(OBJECT, steps, condition);
}

function everyBelow(value: Value, steps: readonly SpecStep[], type: Scalar, condition: (value: Text) => Condition): Condition {
  return everyValue(value, steps, (found) => condition(scalar(found, type)));
}

function everyValue(value: Value, steps: readonly SpecStep[], condition: (value: Value) => Condition): Condition {
  const [step, ...rest] = steps;
  if (step === undefined) return condition(value);
  const below = (inner: Value) => everyValue(inner, rest, condition);
  if (step === 'elements') return everyElement(value, below, `e${rest.length}`);
  if (step === 'values') return everyEntry(value, (_, entry) => below(entry), `k${rest.length}`);
  return below(member(value, step.property));
}

/** A scalar value as a text: `true`, `3`. */
function scalar(value: Value, type: Scalar): Text {
  if (type === 'string') return text(value);
  return {
    cel: value.optional ? `(${value.cel}.hasValue() ? string(${value.cel}.value()) : "")` : `string(${value.cel})`,
    read: (environment) => {
      const found = value.read(environment);
      return typeof found === 'boolean' || typeof found === 'number' ? String(found) : '';
    },
  };
}

/**
 * Whether no text in a value is one of these, however deep in lists and maps. What is deeper than `levels` lists and maps counts as such a
 * text.
 */
export function nowhere(value: Value, texts: readonly string[], levels: number): Condition {
  const start = value.optional ? `${value.cel}.orValue("")` : value.cel;
  const isFree = (found: unknown, left: number): boolean => {
    if (typeof found === 'string') return !texts.includes(found);
    const inside = Array.isArray(found) ? found : isRecord(found) ? Object.values(found) : undefined;
    return inside === undefined || (left > 0 && inside.every((one: unknown) => isFree(one, left - 1)));
  };
  const free = (cel: string, left: number): string => {
    if (left === 0) return `type(${cel}) != map && type(${cel}) != list && !(${cel} in texts)`;
    // One expression for lists and maps: with two its length would double with each level.
    const inside = `(type(${cel}) == map ? ${cel}.map(key, ${cel}[key]) : (type(${cel}) == list ? ${cel} : dyn([])))`;
    return `!(${cel} in texts) && ${inside}.all(v${left}, ${free(`v${left}`, left - 1)})`;
  };
  return {
    // A list of one element gives its value a name.
    cel: `[${list(texts)}].all(texts, [${start}].all(value, ${free('value', levels)}))`,
    holds: (environment) => isFree(value.read(environment), levels),
  };
}

/** The non-empty values at a path below the spec, for messages. */
export function valuesAt(path: SpecPath, environment: Environment): string[] {
  const at = (values: readonly unknown[], step: SpecStep): unknown[] => values.flatMap((value): unknown[] => {
    if (step === 'elements') return Array.isArray(value) ? value : [];
    if (step === 'values') return isRecord(value) ? Object.values(value) : [];
    return [ownMember(value, step.property)];
  });
  const found = path.steps.reduce(at, [member(OBJECT, 'spec').read(environment)]);
  return found.filter((value) => value !== undefined && value !== null && value !== '').map(String);
}

/** Whether the condition holds for every entry of a map; a value that is not a map has none. */
export function everyEntry(value: Value, condition: (key: Text, entry: Value) => Condition, name = 'key'): Condition {
  const key = root(name);
  const map = value.optional ? `${value.cel}.orValue({})` : value.cel;
  const entry: Value = {
    cel: `${map}[${name}]`,
    optional: false,
    read: (environment) => ownMember(value.read(environment), String(environment[name])),
  };
  const inner = condition(text(key), entry);
  return {
    cel: `${map}.all(${name}, ${inner.cel})`,
    holds: (environment) => {
      const found = value.read(environment);
      if (!isRecord(found)) return true;
      return Object.keys(found).every((one) => inner.holds({ ...environment, [name]: one }));
    },
  };
}

/** Whether the object is being created. */
export const IS_NEW: Condition = { cel: 'oldObject == null', holds: ({ oldObject }) => oldObject === undefined || oldObject === null };

/** Whether a text is unchanged; false if the object is new. */
export function unchanged(...names: string[]): Condition {
  return stayed(text(OBJECT, ...names), text(OLD_OBJECT, ...names));
}

/** The same for an entry of a map of texts, whose key is known only during iteration. */
export function unchangedEntry(names: readonly string[], key: Text): Condition {
  return stayed(entryOf(member(OBJECT, ...names), key), entryOf(member(OLD_OBJECT, ...names), key));
}

function stayed(now: Text, before: Text): Condition {
  return {
    cel: `(oldObject != null && ${before.cel} == ${now.cel})`,
    holds: (environment) => !IS_NEW.holds(environment) && before.read(environment) === now.read(environment),
  };
}

function entryOf(map: Value, key: Text): Text {
  return {
    cel: `${map.cel}[?${key.cel}].orValue("")`,
    read: (environment) => {
      const found = ownMember(map.read(environment), key.read(environment));
      return typeof found === 'string' ? found : '';
    },
  };
}

function withAny(how: 'startsWith' | 'endsWith' | 'contains', of: Text, values: readonly string[]): Condition {
  const [first, ...others] = values;
  if (first === undefined) return FALSE;
  const method = how === 'contains' ? 'includes' : how;
  return {
    cel: others.length === 0 ? `${of.cel}.${how}(${quoted(first)})` : `${list(values)}.exists(part, ${of.cel}.${how}(part))`,
    holds: (environment) => values.some((value) => of.read(environment)[method](value)),
  };
}

function joined(conditions: readonly Condition[], operator: '&&' | '||'): string {
  const cels = conditions.map(({ cel }) => cel).join(` ${operator} `);
  return conditions.length === 1 ? cels : `(${cels})`;
}

function list(values: readonly string[]): string {
  return `[${values.map(quoted).join(', ')}]`;
}

/** A string literal of CEL. JSON has the same escapes, except for characters outside of the basic plane, which both accept unescaped. */
function quoted(value: string): string {
  return JSON.stringify(value);
}

export function lowerAscii(value: string): string {
  return value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
