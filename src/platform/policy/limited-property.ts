import type { Kind } from '../../catalog/kind';
import { plainPath, specPathsOf, type SpecPath } from '../../catalog/spec-paths';

/** The paths of a property in all versions of a kind: `sku.name`, `locations[].locationName`; empty if no version has it. */
export function propertyPathsOf(kind: Kind, property: string): SpecPath[] {
  const wanted = plainPath(property);
  const found = new Map<string, SpecPath>();
  for (const name of kind.versionNames) {
    for (const path of specPathsOf(kind.version(name)!)) if (plainPath(path.text) === wanted) found.set(path.text, path);
  }
  return [...found.values()];
}

/** The problem of a property path in a limit, or of its allowed values; undefined if there is none. */
export function propertyProblem(kind: Kind, property: string, allowed: readonly string[]): string | undefined {
  const paths = propertyPathsOf(kind, property);
  const [path] = paths;
  if (!path) return `'${property}' is no property of ${kind.kind} with a value of its own. ${hint(kind, property)}`;
  if (paths.some(({ type }) => type === 'json')) {
    return `'${property}' of ${kind.kind} has no fixed type, so its value cannot be compared. Limit another property.`;
  }
  const strange = allowed.find((value) => paths.every(({ type }) => !fits(value, type)));
  return strange === undefined
    ? undefined
    : `'${strange}' is no value of '${property}', which is a ${path.type}. Write a ${path.type} as a text.`;
}

function fits(value: string, type: SpecPath['type']): boolean {
  if (type === 'boolean') return value === 'true' || value === 'false';
  return type === 'string' || (value.trim() !== '' && String(Number(value)) === value);
}

/** Suggests the values below the path, else deeper values or those with the same last name, else those of the spec itself. */
function hint(kind: Kind, property: string): string {
  const wanted = plainPath(property).toLowerCase();
  const all = [...new Set(specPathsOf(kind.latest).map(({ text }) => text))];
  const last = wanted.split('.').pop()!;
  const matching = (test: (path: string) => boolean) => all.filter((text) => test(plainPath(text).toLowerCase()));
  const candidates = [
    matching((path) => path === wanted || path.startsWith(`${wanted}.`)),
    matching((path) => path.endsWith(`.${wanted}`)),
    matching((path) => path.split('.').pop() === last),
    matching((path) => path.split('.').pop()!.includes(last)),
    matching((path) => !path.includes('.')),
  ].find((some) => some.length > 0) ?? [];
  return `Write e.g. ${candidates.slice(0, 5).join(', ')}.`;
}
