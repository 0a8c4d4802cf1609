import { AsoRelease } from '../../src/core/versions/aso-release';
import { isUpTo } from '../../src/core/versions/served-version';
import { releaseNamed } from '../catalog/release-named';
import { UsageError } from '../output/usage-error';

/** An upgrade of Azure Service Operator. Releases are named as `v2.19.0`. */
export interface Upgrade {
  /** Undefined: unknown, so that every change up to the target counts. */
  readonly from?: string | undefined;
  readonly to: string;
}

/** Whether the upgrade passes the release: it is newer than the first, and not newer than the last. */
export function passes({ from, to }: Upgrade, release: string): boolean {
  return isUpTo(release, to) && !(from !== undefined && isUpTo(release, from));
}

/** The number of minor releases between the two; 0 where the first is unknown. */
export function minorReleases({ from, to }: Upgrade): number {
  const minor = (release: string) => Number(release.split('.')[1]);
  return from === undefined ? 0 : minor(to) - minor(from);
}

/** @throws UsageError when the last is older than the first */
export function upgradeOf(from: string | undefined, to: string | undefined): Upgrade {
  const target = to === undefined ? AsoRelease.LATEST.name : releaseNamed('--to', to);
  if (from === undefined) return { to: target };
  const start = releaseNamed('--from', from);
  if (!isUpTo(start, target)) {
    throw new UsageError(`upgrade-check: --to ${target} is older than --from ${start}. Azure Service Operator does not support downgrades`);
  }
  return { from: start, to: target };
}
