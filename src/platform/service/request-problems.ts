import type { AzureResource } from '../../core';
import type { PlatformProblems } from '../model/problems';

/**
 * Adds the problems of a resource under the fields of the request that the resource was created for.
 * @param resource the resource
 * @param places property of the spec → field of the request; `*` stands for all others, which keep their names below it
 * @param problems receives the problems
 */
export function noteProblems(resource: AzureResource, places: Readonly<Record<string, string>>, problems: PlatformProblems): void {
  const found = resource._check().problems;
  // Settings that scopes get later may change the result.
  resource._invalidate();
  for (const problem of found) {
    const [, path, text] = /^\S+ ([^:\s]+): (.*)$/s.exec(problem) ?? [];
    if (path === undefined || text === undefined) continue;
    const place = placeOf(path, places);
    if (place !== undefined) problems.add(place, text);
  }
}

function placeOf(path: string, places: Readonly<Record<string, string>>): string | undefined {
  const prefix = Object.keys(places)
    .filter((known) => path === known || path.startsWith(`${known}.`) || path.startsWith(`${known}[`))
    .sort((a, b) => b.length - a.length)[0];
  if (prefix !== undefined) return `${places[prefix]}${path.slice(prefix.length)}`;
  const rest = places['*'];
  return rest === undefined || path.startsWith('metadata') ? undefined : `${rest}.${path}`;
}
