import type { LocatedFinding } from './located-finding';
import { versionOf } from '../../engine/resolve';
import { destinationsOf } from '../../src/catalog';
import type { Manifest } from '../manifests/manifests';
import { formatProblem, type Problem } from '../output/problem';

/** The rule about what is named and is not in the files. */
export const NOT_IN_FILES = 'not-in-files';

/** Findings at one place: bases are in the sets of all their overlays. */
export function withoutRepetitions<T extends LocatedFinding>(findings: readonly T[]): T[] {
  const places = new Set<string>();
  return findings.filter(({ file, line, rule, field, kind, message }) => {
    const place = JSON.stringify([file, line, rule, field, kind, message]);
    return !places.has(place) && places.add(place);
  });
}

/** Notes, each once: many overlays have the same bases. */
export function withoutRepeatedNotes(notes: readonly Problem[]): Problem[] {
  return [...new Map(notes.map((note) => [formatProblem(note), note])).values()];
}

/** The names of all objects of some sets, and of the Secrets and ConfigMaps that they export. */
export function namesOf(sets: readonly { readonly manifests: readonly Manifest[] }[]): ReadonlySet<string> {
  return new Set(sets.flatMap(({ manifests }) => manifests.flatMap(({ object }) => [object.metadata.name, ...exportedNames(object)])));
}

function exportedNames(object: Manifest['object']): string[] {
  const version = versionOf(object);
  return version ? destinationsOf(object.spec, version).map(({ name }) => name) : [];
}

/** Whether what a finding misses in its set has the name of an object of another one, which another tool may bring to the same cluster. */
export function isNamedElsewhere({ message }: LocatedFinding, names: ReadonlySet<string>): boolean {
  return message.split(/[\s'"/,;:]+/).some((word) => names.has(word));
}
