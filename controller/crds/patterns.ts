import type { Catalog, Kind } from '../../src/catalog';
import { groupOfService } from '../../src/util/api-groups';
import { nearest } from '../../src/util/nearest';
import { SettingsError } from '../settings';

const MOST_CANDIDATES = 10;

/**
 * The kinds that `--crd-pattern` (or another flag) selects: parts separated by semicolons, compared with `<group>/<Kind>`
 * case-insensitively; `*` matches any text, `?` one character. An empty part (where ASO stops) is ignored.
 *
 * @throws SettingsError where a part matches no kind: a typing mistake would otherwise silently leave a kind out
 */
export function matchingKinds(pattern: string, kinds: readonly Kind[], flag = '--crd-pattern'): Kind[] {
  const parts = partsOf(pattern);
  const found = new Set<Kind>();
  const missing: string[] = [];
  for (const part of parts) {
    const matches = kinds.filter((kind) => expressionOf(part).test(nameOf(kind)));
    matches.forEach((kind) => found.add(kind));
    if (matches.length === 0) missing.push(`no match for "${part}" ${hint(part, kinds)}`);
  }
  if (missing.length > 0) throw new SettingsError(`${flag}: ${missing.length} of ${parts.length} did not match: ${missing.join('; ')}`);
  return kinds.filter((kind) => found.has(kind));
}

/**
 * Like `matchingKinds` for the kinds of a catalog, of which only the services with kinds that may match are read: all of them take 6 MiB.
 *
 * @param pattern empty or absent: all kinds
 * @throws SettingsError where a part matches no kind
 */
export function kindsOfCatalog(pattern: string | undefined, catalog: Catalog, flag?: string): Kind[] {
  if (!pattern) return catalog.allKinds;
  const parts = partsOf(pattern);
  const mayMatch = (service: string) => parts.some((part) => groupExpressionOf(part).test(groupOfService(service)));
  const candidates = catalog.services.filter(mayMatch).flatMap((service) => catalog.kindsOf(service));
  const isComplete = parts.every((part) => candidates.some((kind) => expressionOf(part).test(nameOf(kind))));
  // The message of a part that matches nothing names the nearest of all kinds.
  return matchingKinds(pattern, isComplete ? candidates : catalog.allKinds, flag);
}

function partsOf(pattern: string): string[] {
  return pattern.split(';').map((part) => part.trim()).filter(Boolean);
}

/** Matches at least the groups with kinds that the part matches. */
function groupExpressionOf(part: string): RegExp {
  const [group = ''] = part.split('/');
  // A kind's name has one slash: without one in the part, the group may end anywhere in it.
  return part.split('/').length === 2 ? expressionOf(group) : /^/;
}

function nameOf({ group, kind }: Kind): string {
  return `${group}/${kind}`;
}

function expressionOf(part: string): RegExp {
  const text = part.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.');
  return new RegExp(`^${text}$`, 'i');
}

function hint(part: string, kinds: readonly Kind[]): string {
  if (!/[*?]/.test(part)) return `(did you mean "${nearest(part, kinds.map(nameOf), Infinity)}"?)`;
  const groups = [...new Set(kinds.map(({ group }) => group))].sort();
  const near = groups.filter((group) => group.startsWith(part.slice(0, 2).toLowerCase()));
  const candidates = (near.length > 0 ? near : groups).slice(0, MOST_CANDIDATES).map((group) => `${group}/*`);
  return `(available candidates were ${candidates.join(', ')}${groups.length > candidates.length ? ', …' : ''})`;
}
