import { removedIn } from '../../src/catalog';
import { ofEach, type Rule } from '../../src/core/rules/rule';
import type { AzureObject } from '../../src/core/rules/set-object';
import { isOfNoRelease, isUpTo, servedVersion, servedVersions, sinceOf } from '../../src/core/versions/served-version';

/** The rule for clusters that run a release of Azure Service Operator; constructs know their release by `AsoRelease`. */
export function releaseRule(release: string): Rule {
  return {
    id: 'release',
    severity: 'error',
    title: 'The release of the operator does not serve the API version of the object.',
    why: 'its CRD does not have the version, so the cluster refuses the object',
    asked: 'manifests',
    find: ofEach(({ version, kind, group }) => {
      const removed = removedIn(group, kind, version.name);
      if (removed !== undefined && isUpTo(removed, release)) {
        const message = `Azure Service Operator ${release} does not serve ${version.name} of ${kind} any more; ${removed} removed it`;
        return [{ field: 'apiVersion', message, fix: `write what cdk8s-aso upgrade-check --to ${release} names` }];
      }
      const first = isOfNoRelease(version.kind, version.name) ? undefined : sinceOf(version.kind, version.name);
      if (first === undefined || isUpTo(first, release)) return [];
      return [{
        field: 'apiVersion',
        message: `Azure Service Operator ${release} does not serve ${version.name} of ${kind}; ${first} is the first release that does`,
        fix: fixFor(version, release),
      }];
    }),
  };
}

function fixFor({ kind }: AzureObject['version'], release: string): string {
  const written = servedVersion(kind, release) ?? servedVersions(kind, release)[0];
  return written === undefined
    ? `move the clusters to a newer release, or leave the object out: ${release} does not have the kind`
    : `write ${kind.group}/${written}, or move the clusters to a newer release`;
}

/** Whether a release serves the newest version of a kind: else there is no point in asking for it. */
export function servesLatest({ version }: Pick<AzureObject, 'version'>, release: string): boolean {
  return isUpTo(sinceOf(version.kind, version.kind.facts.latest), release);
}
