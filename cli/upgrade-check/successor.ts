import type { Upgrade } from './releases';
import type { VersionUse } from './version-uses';
import { nearestVersion, removedIn, type Kind } from '../../src/catalog';
import { validateSpec, type Violation } from '../../src/catalog/validate-spec';
import { isUpTo, servedVersions, sinceOf } from '../../src/core/versions/served-version';

/** The version to write in place of one that goes. */
export interface NextVersion {
  readonly name: string;
  /** Fields of the spec that do not fit it. Fields that are missing do not count: nothing is lost by them, and the cluster names them. */
  readonly misfits: readonly Violation[];
  /** Whether the release before the upgrade serves it as well, so that it can be applied beforehand. */
  readonly before: boolean;
}

/**
 * The nearest version that the target serves and that is not to go as well: one that the spec fits, before one that it does not; one that
 * the release before the upgrade serves, before one that it does not.
 */
export function nextVersion({ group, version, spec }: VersionUse, kind: Kind, { from, to }: Upgrade): NextVersion | undefined {
  const stays = (name: string) => removedIn(group, kind.kind, name) === undefined && kind.facts.versions[name]?.deprecated !== true;
  const served = servedVersions(kind, to);
  const staying = served.filter(stays);
  const left = staying.length > 0 ? staying : served.filter((name) => !isGone(group, kind.kind, name, to));
  const candidates = left.filter((name) => name !== version);
  if (candidates.length === 0) return undefined;
  const nearest = nearestVersion(kind, version, candidates);
  const isBefore = (name: string) => from === undefined || isUpTo(sinceOf(kind, name), from);
  const misfitsOf = (name: string) =>
    (spec === undefined ? [] : validateSpec(spec, kind.version(name)!).filter(({ message }) => message !== 'is missing'));
  const ordered = [nearest, ...candidates.filter((name) => name !== nearest)];
  const fitting = ordered.filter((name) => misfitsOf(name).length === 0);
  const name = fitting.find(isBefore) ?? fitting[0] ?? nearest;
  return { name, misfits: misfitsOf(name), before: isBefore(name) };
}

/** Whether a release has removed the version. */
export function isGone(group: string, kind: string, version: string, release: string): boolean {
  const removed = removedIn(group, kind, version);
  return removed !== undefined && isUpTo(removed, release);
}
