import { struct, type Struct } from '../../src/util/records';
import { listed } from '../../src/util/words';

const NUMBERS = ['integer', 'number'];

/**
 * The structure that holds the values of all given ones. Kubernetes wants it outside of anyOf, oneOf and allOf.
 * @param problem called where they have no common structure
 * @param isUnion whether a value has one of the structures; else it has all of them
 */
export function mergedStructures(structures: readonly Struct[], problem: (message: string) => void, isUnion = false): Struct {
  const filled = structures.filter((one) => Object.keys(one).length > 0);
  const first = filled[0];
  if (!first || filled.length === 1) return first ?? {};
  const merged: Record<string, unknown> = { ...Object.assign({}, ...[...filled].reverse()) as Struct, ...typeOf(filled, problem) };
  delete merged.default;
  if (merged.type === undefined) delete merged.type;
  // A default that only some branches have would be set in objects of the others as well; the schema library sets it in compose.
  const defaults = filled.map((one) => JSON.stringify(one.default));
  if (first.default !== undefined && (!isUnion || defaults.every((one) => one === defaults[0]))) merged.default = first.default;
  if (filled.some(({ nullable }) => nullable === true)) merged.nullable = true;
  const names = [...new Set(filled.flatMap(({ properties }) => Object.keys(struct(properties) ?? {})))];
  if (names.length > 0) {
    merged.properties = Object.fromEntries(names.map((name) => {
      const members = filled.map(({ properties }) => struct(struct(properties)?.[name]) ?? {});
      const inAll = members.every((member) => Object.keys(member).length > 0);
      const { default: common, ...member } = mergedStructures(members, (message) => problem(`${name}: ${message}`), isUnion);
      return [name, common !== undefined && (inAll || !isUnion) ? { ...member, default: common } : member];
    }));
  }
  for (const key of ['items', 'additionalProperties']) {
    const parts = filled.map((one) => struct(one[key])).filter((one) => one !== undefined);
    if (parts.length > 1) merged[key] = mergedStructures(parts, problem, isUnion);
  }
  if (merged.properties !== undefined && merged.additionalProperties !== undefined) problem('an object with fixed members and a map have no common form');
  return merged;
}

function typeOf(structures: readonly Struct[], problem: (message: string) => void): Struct {
  const types = [...new Set(structures.flatMap(({ type }) => (typeof type === 'string' ? [type] : [])))];
  const isOpen = structures.some((one) => one['x-kubernetes-int-or-string'] === true);
  if (types.length === 0 || (types.length === 1 && !isOpen)) return types.length === 0 ? {} : { type: types[0] };
  if (!isOpen && types.every((type) => NUMBERS.includes(type))) return { type: 'number' };
  if (types.every((type) => type === 'string' || type === 'integer')) return { 'type': undefined, 'x-kubernetes-int-or-string': true };
  problem(`a value of the types ${listed(types, 'or')} cannot be expressed: use one type, `
    + 'a text or an integer (z.int()), or z.any() with .refine(…)');
  return { type: types[0] };
}
