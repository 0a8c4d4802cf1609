import { valueAt, withValueAt } from './arm-json';
import { KindError, type Body, type KindContext } from './types';
import { IGNORE_CHANGES } from '../../src/azure/annotations';
import {
  isArray,
  isConstrained,
  isMap,
  isRef,
  type KindVersion,
  type PropertyFacts,
  type TypeExpression,
  type TypeFacts,
} from '../../src/catalog';
import { stepsOf, type Step } from '../../src/catalog/change-path';
import { isRecord, setMember } from '../../src/util/records';


/** Limit, because each path takes one pass over the body. */
const MOST_PATHS = 100;
const LONGEST_PATH = 500;

/**
 * The body in which values that others may change are those in Azure. A body for a resource that does not exist yet is unchanged.
 *
 * @throws KindError for an annotation that cannot be read, or a path that the kind does not have
 */
export async function keepIgnored(body: Body, context: KindContext, existing: () => Promise<unknown>): Promise<Body> {
  const paths = ignoredPaths(context);
  if (paths.length === 0) return body;
  if (!context.version.supports('GET')) {
    throw problem(`${context.version.kind.kind} cannot be read from Azure, so it is not known what others have changed`);
  }
  const current = await existing();
  if (!isRecord(current)) return body;
  return paths.reduce<Body>(
    (kept, steps) => keep(kept, current, { ref: context.version.facts.spec! }, steps, context.version) as Body,
    body,
  );
}

function problem(why: string): KindError {
  return new KindError(`annotation ${IGNORE_CHANGES}: ${why}. Write a JSON list of property paths, e.g. ["sku.capacity", "tags.team"], or remove the annotation`);
}

function ignoredPaths({ object, version }: KindContext): Step[][] {
  const text = object.metadata.annotations?.[IGNORE_CHANGES];
  if (!text) return [];
  let paths: unknown;
  try {
    paths = JSON.parse(text);
  } catch {
    throw problem('is no JSON');
  }
  if (!Array.isArray(paths)) throw problem('is no list');
  if (paths.length > MOST_PATHS) throw problem(`has ${paths.length} paths; ${MOST_PATHS} are read at most`);
  return paths.map((path: unknown) => {
    const steps = typeof path === 'string' && path.length <= LONGEST_PATH ? stepsOf(path) : undefined;
    if (!steps) throw problem(`${JSON.stringify(path).slice(0, LONGEST_PATH)} is no path of a property`);
    return steps;
  }).filter((steps) => isSent(steps, version));
}

/** Whether a property is sent: owner and operatorSpec are not, so Azure cannot change them either. */
function isSent([first]: readonly Step[], version: KindVersion): boolean {
  const facts = first && version.type(version.facts.spec!).props[first.text];
  return !(facts && facts.arm === null);
}

function keep(wanted: unknown, current: unknown, type: TypeExpression, steps: readonly Step[], version: KindVersion): unknown {
  if (isConstrained(type)) return keep(wanted, current, type.type, steps, version);
  // Azure may have a value that it does not return, so the wanted one is sent.
  const [step, ...rest] = steps;
  if (!step) return current === undefined || current === null ? wanted : sendable(current, wanted, type, version);
  if (isRef(type)) return keepProperty(wanted, current, version.type(type.ref), step, rest, version);
  if (isArray(type)) {
    if (step.is !== 'all') throw problem(`${step.source}: elements of a list change places; write [*]`);
    if (!Array.isArray(wanted) || !Array.isArray(current)) return wanted;
    return wanted.map((element, index) => keep(element, twin(element, index, wanted, current), type.array, rest, version));
  }
  if (isMap(type)) return keepKeys(wanted, current, type.map, step, rest, version);
  if (type === 'json') return keepKeys(wanted, current, type, step, rest, version);
  throw problem(`${step.source}: stands after a single value`);
}

function keepProperty(
  wanted: unknown,
  current: unknown,
  type: TypeFacts,
  step: Step,
  rest: readonly Step[],
  version: KindVersion,
): unknown {
  const facts = step.is === 'name' ? type.props[step.text] : undefined;
  if (!facts) throw problem(`${version.kind.kind} ${version.name} has no property ${step.text}`);
  if (!isRecord(current) || facts.arm === null) return wanted;
  const path = pathOf(step.text, facts, type);
  const own = path === '' ? wanted : valueAt(wanted, path);
  const theirs = path === '' ? current : valueAt(current, path);
  if (facts.mapKeyFromReference) return isRecord(theirs) && rest.length === 0 ? put(wanted, path, withoutValues(theirs)) : wanted;
  const kept = keep(own, theirs, facts.type, rest, version);
  if (path === '') return kept;
  return kept === own ? wanted : put(wanted, path, kept);
}

function keepKeys(
  wanted: unknown,
  current: unknown,
  type: TypeExpression,
  step: Step,
  rest: readonly Step[],
  version: KindVersion,
): unknown {
  // Azure omits empty maps: an absent entry has been removed.
  const theirs = isRecord(current) ? current : {};
  const own = isRecord(wanted) ? wanted : {};
  if (rest.length === 0) {
    if (step.is === 'all') return sendable(theirs, own, { map: type }, version);
    const { [step.text]: _, ...others } = own;
    return Object.hasOwn(theirs, step.text) ? { ...own, [step.text]: theirs[step.text] } : others;
  }
  const keys = step.is === 'all' ? Object.keys(own) : Object.keys(own).filter((key) => key === step.text);
  if (keys.length === 0) return own;
  const kept: Record<string, unknown> = { ...own };
  for (const key of keys) setMember(kept, key, keep(own[key], theirs[key], type, rest, version));
  return kept;
}

/** The element in Azure that corresponds to a wanted one: by name if elements have names, else by index if none was added or removed. */
function twin(element: unknown, index: number, wanted: readonly unknown[], current: readonly unknown[]): unknown {
  if (isRecord(element) && typeof element.name === 'string') return namedIn(current).get(element.name);
  return wanted.length === current.length ? current[index] : undefined;
}

/** The first element of each name, as a map: lists have thousands of elements, each of which is looked up. */
function namedIn(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  let found = named.get(list);
  if (!found) {
    const elements = list.filter((element): element is Record<string, unknown> => isRecord(element) && typeof element.name === 'string');
    named.set(list, (found = new Map(elements.reverse().map((element) => [element.name as string, element]))));
  }
  return found;
}

const named = new WeakMap<readonly unknown[], ReadonlyMap<string, unknown>>();

/** A value of an answer in the form of a request: only members of the spec's type; secrets, which Azure does not return, as wanted. */
function sendable(current: unknown, wanted: unknown, type: TypeExpression, version: KindVersion): unknown {
  if (isConstrained(type)) return sendable(current, wanted, type.type, version);
  if (isArray(type)) {
    if (!Array.isArray(current)) return current;
    return current.map((element, index) => sendable(element, twinOf(element, index, wanted), type.array, version));
  }
  if (isMap(type)) {
    if (!isRecord(current)) return current;
    const own = isRecord(wanted) ? wanted : {};
    return Object.fromEntries(Object.entries(current).map(([key, value]) => [key, sendable(value, own[key], type.map, version)]));
  }
  if (!isRef(type) || !isRecord(current)) return current;
  const facts = version.type(type.ref);
  return Object.entries(facts.props).reduce<unknown>((result, [name, property]) => {
    if (property.arm === null) return result;
    const path = pathOf(name, property, facts);
    if (path === '') return { ...(result as object), ...(sendable(current, wanted, property.type, version) as object) };
    const own = valueAt(wanted, path);
    const value = property.role === 'secret' || property.role === 'secretMap' ? own : valueAt(current, path);
    return value === undefined || value === null ? result : put(result, path, sendable(value, own, property.type, version));
  }, {});
}

function twinOf(element: unknown, index: number, wanted: unknown): unknown {
  return Array.isArray(wanted) ? twin(element, index, wanted, wanted) : undefined;
}

/** Path inside the ARM object; empty for an alternative of a union, which is the object itself. */
function pathOf(name: string, facts: PropertyFacts, type: TypeFacts): string {
  return facts.inline && type.oneOf ? '' : (facts.arm ?? name);
}

/** Identities by id, without the values that Azure adds (client id, principal id), which a request must not contain. */
function withoutValues(map: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(map).map((key) => [key, {}]));
}

function put(body: unknown, path: string, value: unknown): Record<string, unknown> {
  return withValueAt(isRecord(body) ? body : {}, path, value);
}
