import { isDeepStrictEqual } from 'node:util';
import type { VersionRead } from './version-facts';

/**
 * ASO serves the same Azure API version as `v20230131` and, for older clusters, as `v1api20230131`. The catalog has the facts once.
 * @returns the version with the same facts, for versions that are written as `sameAs`
 */
export function sameAs(read: VersionRead, all: readonly VersionRead[]): string | undefined {
  if (!read.version.startsWith('v1api')) return undefined;
  const other = all.find(({ version }) => version === read.version.replace('v1api', 'v'));
  const own = ({ facts, types, statusTypes }: VersionRead) => ({ facts, types, statusTypes });
  return other && isDeepStrictEqual(own(other), own(read)) ? other.version : undefined;
}
