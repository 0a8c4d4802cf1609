import { Catalog, isDroppedGroup } from '../../src/catalog';
import { ofSet, type Rule } from '../../src/core/rules/rule';
import type { Finding } from '../../src/core/rules/run-rules';
import type { SetObject } from '../../src/core/rules/set-object';
import { servedVersions } from '../../src/core/versions/served-version';
import { versionNameOf } from '../../src/object-id';
import { ASO_GROUPS } from '../../src/util/api-groups';
import type { UpgradeFinding } from '../upgrade-check/finding';
import { versionFindings } from '../upgrade-check/version-findings';

/** The rules about versions, which do not know the release. */
const ABOUT_VERSIONS: ReadonlySet<string> = new Set(['deprecated-version', 'unknown-version']);

/**
 * The rule for clusters that run a release of Azure Service Operator; constructs know their release by `AsoRelease`. It says what
 * `upgrade-check --to` says about the version.
 */
export function releaseRule(release: string): Rule {
  return {
    id: 'release',
    severity: 'error',
    title: 'The release of the operator does not serve the API version of the object.',
    why: 'its CRD does not have the version, so the cluster refuses the object',
    asked: 'manifests',
    find: ofSet(({ objects }) => objects.flatMap((object) => {
      const found = aboutVersion(object, release);
      if (!found || (found.severity !== 'error' && isForOtherRules(object))) return [];
      const { severity, message } = found;
      return [{ object, field: 'apiVersion', severity, message, fix: severity === 'error' ? fixOf(found, object, release) : found.fix }];
    })),
  };
}

/** A finding about a version as it is for a release; undefined where the release takes the version, or `releaseRule` reports it. */
export function forRelease(finding: Finding, release: string): Finding | undefined {
  if (!ABOUT_VERSIONS.has(finding.rule) || !isOfOperator(finding.object.group)) return finding;
  const found = aboutVersion(finding.object, release);
  if (found?.severity !== 'warning') return undefined;
  const { message, why, fix } = found;
  return { ...finding, rule: found.rule === 'version-unknown' ? finding.rule : 'deprecated-version', severity: 'warning', message, why, fix };
}

/** Kinds that only our controller serves are in no release of the operator. */
function isOfOperator(group: string): boolean {
  return group.endsWith(ASO_GROUPS) || isDroppedGroup(group);
}

/** Whether a rule about versions has a finding, of which `forRelease` makes what the release says. */
function isForOtherRules({ group, kind, manifest }: SetObject): boolean {
  const version = Catalog.default().kind(group, kind)?.version(versionNameOf(manifest));
  return version === undefined || version.facts.deprecated === true;
}

function aboutVersion(object: SetObject, release: string): UpgradeFinding | undefined {
  const { group, kind, name, namespace, annotations, spec, manifest } = object;
  if (!isOfOperator(group)) return undefined;
  const version = versionNameOf(manifest);
  const nowhere = () => undefined;
  const use = {
    file: '',
    line: 0,
    group,
    version,
    kind,
    name,
    namespace,
    annotations,
    spec,
    lineOf: () => 0,
    rangeOf: nowhere,
    linesOf: nowhere,
    keyRangeOf: nowhere,
    textAt: () => '',
  };
  return versionFindings(use, { to: release })[0];
}

function fixOf({ fix }: UpgradeFinding, object: SetObject, release: string): string {
  const kind = Catalog.default().kind(object.group, object.kind);
  if (kind && servedVersions(kind, release).length === 0) {
    return `move the clusters to a newer release, or leave the object out: ${release} does not have the kind`;
  }
  return kind ? `${fix}, or move the clusters to another release` : fix;
}
