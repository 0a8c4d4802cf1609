import type { Kind } from '../../catalog/kind';
import { isPreviewVersion } from '../../catalog/version-order';
import { elementAt, valueAt } from '../../util/elements';

/** Whether a version (`v1api20220131preview`) is a preview. */
export const isPreview = isPreviewVersion;

/** Whether a release (`v2.9.0`) is equal to or older than another (`v2.11.0`). */
export function isUpTo(release: string, other: string): boolean {
  const [a, b] = [numbersOf(release), numbersOf(other)];
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 || elementAt(a, at) < elementAt(b, at);
}

/**
 * The version in which a release writes objects of a kind: the newest stable one that it serves; a preview only for kinds that never had a
 * stable version.
 */
export function servedVersion(kind: Kind, release: string): string | undefined {
  const served = servedVersions(kind, release);
  return served.find((version) => !isPreview(version)) ?? (releasedVersions(kind).every(isPreview) ? served[0] : undefined);
}

/** All versions of a kind that a release serves, newest first. */
export function servedVersions(kind: Kind, release: string): string[] {
  return releasedVersions(kind).filter((version) => isUpTo(sinceOf(kind, version), release));
}

/** The versions that releases write, each with its first release; oldest first. */
export function writtenVersions(kind: Kind): { readonly release: string; readonly version: string }[] {
  const releases = [...new Set(releasedVersions(kind).map((version) => sinceOf(kind, version)))].sort((a, b) => (isUpTo(a, b) ? -1 : 1));
  const written: { release: string; version: string }[] = [];
  for (const release of releases) {
    const version = servedVersion(kind, release);
    if (version !== undefined && version !== written[written.length - 1]?.version) written.push({ release, version });
  }
  return written;
}

/** Whether it is unknown which release serves a version, because it was imported from a CRD. */
export function isOfNoRelease(kind: Kind, version: string): boolean {
  const facts = Object.hasOwn(kind.facts.versions, version) ? kind.facts.versions[version] : undefined;
  return facts?.imported === true && facts.since === undefined;
}

function releasedVersions(kind: Kind): string[] {
  return kind.versionNames.filter((version) => !isOfNoRelease(kind, version));
}

/** The first release that served a version. */
export function sinceOf(kind: Kind, version: string): string {
  return valueAt(kind.facts.versions, version).since ?? 'v2.0.0';
}

function numbersOf(release: string): number[] {
  return release.replace(/^v/, '').split('.').map(Number);
}
