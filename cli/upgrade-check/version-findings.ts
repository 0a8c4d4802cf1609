import { placeOf, type Edit, type UpgradeFinding } from './finding';
import { NewNames } from './operator-v1/new-names';
import { isRewritten, rewritten } from './operator-v1/rewritten';
import type { Upgrade } from './releases';
import { isGone, nextVersion, type NextVersion } from './successor';
import type { VersionUse } from './version-uses';
import {
  Catalog, fixOfV1, isDroppedGroup, isNewerThan, newerVersion, newestFirst, OPERATOR_V1, removedIn, successorOf, whyOfV1,
  type Kind, type Successor,
} from '../../src/catalog';
import { spellPath } from '../../src/catalog/validate-spec';
import { isOfNoRelease, isUpTo, servedVersion, servedVersions, sinceOf } from '../../src/core/versions/served-version';
import { groupOf } from '../../src/object-id';
import { firstOf } from '../../src/util/words';

const REFUSED = 'the CRD of the new release does not serve it, so the cluster refuses the object, and tools that read it in this version fail';
const NOT_COMPARED = 'nothing of it can be compared';
const MAX_MISFITS = 3;

/**
 * The findings about the API version that is written at one place.
 * @param names of the objects that the edits of a run's findings write
 */
export function versionFindings(
  use: VersionUse, upgrade: Upgrade, catalog = Catalog.default(), names = new NewNames(),
): UpgradeFinding[] {
  const { group, version, kind: name } = use;
  const kind = catalog.kind(group, name);
  if (!kind) return use.group === OPERATOR_V1 ? ofOperatorV1(use, upgrade, catalog, names) : ofUnknownKind(use, upgrade, catalog);
  const removed = removedIn(group, name, version);
  const next = () => nextVersion(use, kind, upgrade);
  if (removed !== undefined && isUpTo(removed, upgrade.to)) {
    return [finding(use, next(), 'version-removed', 'error', `${removed} does not serve ${version} of ${name} any more`, REFUSED, removed)];
  }
  if (!kind.version(version)) {
    if (removed !== undefined) return [going(use, kind, upgrade, removed)];
    if (isNewerThan(version, kind.facts.latest)) return [newerThanCatalog(use)];
    return [finding(use, next(), 'version-unknown', 'error', `no release has had ${version} of ${name}, as far as is known`, REFUSED)];
  }
  if (!isOfNoRelease(kind, version) && !isUpTo(sinceOf(kind, version), upgrade.to)) {
    const since = sinceOf(kind, version);
    return [finding(use, next(), 'version-newer', 'error', `${upgrade.to} does not serve ${version} of ${name} yet; ${since} is the first that does`, REFUSED)];
  }
  if (removed !== undefined) return [going(use, kind, upgrade, removed)];
  if (kind.facts.versions[version]?.deprecated !== true) return [];
  const better = next();
  if (!better || !isNewer(better, use) || isGone(group, name, better.name, upgrade.to)) return [];
  return [finding(use, better, 'version-deprecated', 'warning', `${version} of ${name} is deprecated`, 'a later release no longer serves it')];
}

function going(use: VersionUse, kind: Kind, upgrade: Upgrade, release: string): UpgradeFinding {
  const next = nextVersion(use, kind, upgrade);
  const staying = next && isNewer(next, use) && removedIn(use.group, use.kind, next.name) === undefined ? next : undefined;
  const message = `${release} will not serve ${use.version} of ${use.kind} any more`;
  const found = finding(use, staying, 'version-going', 'warning', message, 'objects that are stored in it stand against that upgrade', release);
  // The catalog has the versions of the newest release: what lay between is not in it.
  return staying ? found : { ...found, fix: `move to a version that stays before ${release}: --to ${release} names it` };
}

/** Whether the version has the date of the other one, or a later one. */
function isNewer({ name }: NextVersion, { version }: VersionUse): boolean {
  return newestFirst(name, version) < 0;
}

function newerThanCatalog(use: VersionUse): UpgradeFinding {
  const { message, fix } = newerVersion(use.kind, use.version);
  return { ...placeOf(use), severity: 'warning', rule: 'version-unknown', field: 'apiVersion', message, why: NOT_COMPARED, fix };
}

function ofUnknownKind(use: VersionUse, upgrade: Upgrade, catalog: Catalog): UpgradeFinding[] {
  const { group, version, kind } = use;
  const dropped = successorOf(group, kind, version, catalog);
  if (!dropped && !isDroppedGroup(group)) return [];
  return [{
    ...placeOf(use),
    severity: 'error',
    rule: 'kind-dropped',
    field: 'apiVersion',
    message: `${group}/${version} of ${kind} is not one of Azure Service Operator v2${dropped ? `: ${dropped.why}` : ''}`,
    why: 'no CRD serves it, so the cluster refuses the object',
    fix: dropped ? `write ${servedApiVersion(dropped, upgrade, catalog)}, kind ${dropped.kind}; its properties differ` : 'find the kind of v2 that replaces it',
  }];
}

function ofOperatorV1(use: VersionUse, upgrade: Upgrade, catalog: Catalog, names: NewNames): UpgradeFinding[] {
  const { group, version, kind, document } = use;
  const range = document === undefined ? undefined : use.rangeOf([]);
  const versionOf = (of: string, name: string) => servedApiVersion({ apiVersion: `${of}/${catalog.kind(of, name)!.latest.name}`, kind: name }, upgrade, catalog);
  // Of an object that is written in parts, or that a template makes, the rest is not known.
  const text = document && range && use.isPartial !== true
    ? rewritten(document, versionOf, { text: use.textAt(range), file: use.file }, names)
    : undefined;
  return [{
    ...placeOf(use),
    severity: 'error',
    rule: 'kind-dropped',
    field: 'apiVersion',
    message: `${group}/${version} of ${kind} is not one of Azure Service Operator v2: ${whyOfV1(kind)}`,
    why: 'no CRD serves it, so the cluster refuses the object',
    fix: `${fixOfV1(kind, catalog, (one) => servedApiVersion({ apiVersion: one.latest.apiVersion, kind: one.kind }, upgrade, catalog))}${
      document && use.isPartial === true && isRewritten(kind) ? '; --fix leaves patches, what they change, and templates to you' : ''}`,
    edits: text === undefined || !range ? undefined : [{ file: use.file, ...range, text: text.replaceAll('\n', lineEndIn(use)) }],
  }];
}

/** The end of the first line of a file. */
function lineEndIn(use: VersionUse): string {
  return /^[^\n]*\r\n/.test(use.textAt({ from: 0, to: Infinity })) ? '\r\n' : '\n';
}

/** The successor's API version that the target serves. */
function servedApiVersion({ apiVersion, kind }: Pick<Successor, 'apiVersion' | 'kind'>, { to }: Upgrade, catalog: Catalog): string {
  const group = groupOf({ apiVersion });
  const found = catalog.kind(group, kind);
  const version = found && (servedVersion(found, to) ?? servedVersions(found, to)[0]);
  return version === undefined ? apiVersion : `${group}/${version}`;
}

function finding(
  use: VersionUse,
  next: NextVersion | undefined,
  rule: string,
  severity: 'error' | 'warning',
  message: string,
  why: string,
  release?: string,
): UpgradeFinding {
  const misfits = next?.misfits ?? [];
  return {
    ...placeOf(use),
    severity,
    rule,
    field: 'apiVersion',
    message,
    why,
    fix: fixOf(use, next),
    release,
    edits: next && misfits.length === 0 ? editsOf(use, next.name) : undefined,
  };
}

function fixOf({ group }: VersionUse, next: NextVersion | undefined): string {
  if (!next) return 'the new release has no other version of it: delete the object with the policy skip before the upgrade, or stay';
  const { name, misfits, before } = next;
  const when = before ? '' : ' after the upgrade: the release before it does not serve it yet';
  if (misfits.length === 0) return `write ${group}/${name}${when}`;
  const fields = firstOf(misfits.map(({ path, message }) => `${spellPath(path)} ${message}`), MAX_MISFITS);
  return `write ${group}/${name}${when}, in which these do not fit: ${fields}`;
}

function editsOf(use: VersionUse, version: string): Edit[] | undefined {
  const range = use.rangeOf(['apiVersion']);
  // A version that a variable gives is not written here.
  if (!range || !use.textAt(range).includes(`/${use.version}`)) return undefined;
  return [{ file: use.file, ...range, text: use.textAt(range).replace(`/${use.version}`, `/${version}`) }];
}
