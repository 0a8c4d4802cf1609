import type { Catalog } from './catalog';
import type { Kind } from './kind';
import { kindFix } from './kind-advice';
import { OPERATOR_V1, replacedKind } from './operator-v1';
import { removedIn } from './removed-versions';
import { isPreviewVersion } from './version-order';
import { listed } from '../util/words';

/** The group and version of an object in the CRDs that serve its kind today, for one that Azure Service Operator has dropped. */
export interface Successor {
  /** `storage.azure.com/v20250601` */
  readonly apiVersion: string;
  readonly kind: string;
  /** The reason why the old one is gone, as a clause: `v2.4.0 removed it`. */
  readonly why: string;
}

const WHY_V1 = 'it is a kind of Azure Service Operator v1, which is no longer maintained';
const WHY_ALPHA = 'groups that begin with microsoft. were renamed before v2.0.0';
/** `microsoft.storage.azure.com`, and `microsoft.storage.infra.azure.com` of the operator's predecessor. */
const ALPHA_GROUP = /^microsoft\.(?:(.+)\.infra|(.+))\.azure\.com$/;
/** `v1beta20210401`, `v1alpha1api20210401preview`, `v1api20210501` */
const DATED = /^v(1alpha1api|1beta|1api)?(\d{8})(preview\w*)?$/;

/** The successor of an API version of a group that the operator no longer has; undefined where none is known. */
export function successorOf(group: string, kind: string, version: string, catalog: Catalog): Successor | undefined {
  if (group === OPERATOR_V1) return ofOperatorV1(kind, catalog);
  const current = currentGroup(group);
  if (current !== undefined) {
    const found = catalog.kind(current, kind);
    return found && { ...named(found, nearestVersion(found, version)), why: WHY_ALPHA };
  }
  const found = catalog.kind(group, kind);
  if (!found || !DATED.test(version) || found.version(version)) return undefined;
  const release = removedIn(group, kind, version);
  return release === undefined ? undefined : { ...named(found, nearestVersion(found, version)), why: `${release} removed it` };
}

/**
 * The version of the same date; else the first later one; else the newest. Stable versions come before previews.
 * @param names of these versions, newest first; default: all of the kind
 */
export function nearestVersion(kind: Kind, version: string, names: readonly string[] = kind.versionNames): string {
  const date = DATED.exec(version)?.[2];
  if (date === undefined) return newestOf(kind, names);
  const dated = names.flatMap((name) => {
    const own = DATED.exec(name)?.[2];
    return own === undefined ? [] : [{ name, date: own, preview: isPreviewVersion(name) }];
  });
  // Newest first, and `v…` before `v1api…` of the same date: the last that fits is the nearest.
  const same = dated.find((each) => each.date === date);
  const later = dated.filter((each) => each.date > date && !each.preview).at(-1);
  return same?.name ?? later?.name ?? newestOf(kind, names);
}

/** The group of today in the place of one of the first alpha versions. */
function currentGroup(group: string): string | undefined {
  const [, ofPredecessor, ofAlpha] = ALPHA_GROUP.exec(group) ?? [];
  const service = ofPredecessor ?? ofAlpha;
  return service === undefined ? undefined : `${service}.azure.com`;
}

function newestOf({ latest }: Kind, names: readonly string[]): string {
  return names.includes(latest.name) ? latest.name : names[0] ?? latest.name;
}

function ofOperatorV1(kind: string, catalog: Catalog): Successor | undefined {
  const [main] = kindsInstead(kind, catalog);
  return main && { ...named(main, main.latest.name), why: WHY_V1 };
}

/** The kinds of v2 in the place of one of v1. */
function kindsInstead(kind: string, catalog: Catalog): Kind[] {
  return (replacedKind(kind)?.by ?? []).flatMap((name) => {
    const [service = '', own = ''] = name.split('/');
    return catalog.kind(`${service}.azure.com`, own) ?? [];
  });
}

function named({ group, kind }: Kind, version: string): Pick<Successor, 'apiVersion' | 'kind'> {
  return { apiVersion: `${group}/${version}`, kind };
}

/** Whether the group is that of Azure Service Operator v1, or of the first alpha versions of v2. */
export function isDroppedGroup(group: string): boolean {
  return group === OPERATOR_V1 || ALPHA_GROUP.test(group);
}

/** The problem of an API version that the operator dropped, and its fix; undefined for other versions. */
export function droppedVersion(
  group: string, kind: string, version: string, catalog: Catalog,
): { readonly message: string; readonly fix: string } | undefined {
  const successor = successorOf(group, kind, version, catalog);
  const message = (why: string) => `Azure Service Operator does not serve ${group}/${version} of ${kind} any more: ${why}`;
  if (group === OPERATOR_V1) return { message: replacedKind(kind) ? message(WHY_V1) : noKindOfV1(kind), fix: fixOfV1(kind, catalog) };
  if (successor) {
    const { apiVersion, kind: current, why } = successor;
    return { message: message(why), fix: `write ${apiVersion}${current === kind ? '' : `, kind ${current}`}; its properties may differ` };
  }
  if (!isDroppedGroup(group)) return undefined;
  return { message: message(WHY_ALPHA), fix: kindFix({ group: currentGroup(group), kind }, catalog, group) };
}

/** The reason why a kind of the group of v1 is none of v2. */
export function whyOfV1(kind: string): string {
  return replacedKind(kind) ? WHY_V1 : noKindOfV1(kind);
}

/** A misspelt kind, or one of a program that took the group for its own. */
function noKindOfV1(kind: string): string {
  return `${OPERATOR_V1} is the group of Azure Service Operator v1, which is no longer maintained and had no kind ${kind}`;
}

/**
 * The kinds of v2 in the place of one of v1, and how to get there.
 * @param apiVersionOf default: the newest
 */
export function fixOfV1(kind: string, catalog: Catalog, apiVersionOf = ({ latest }: Kind) => latest.apiVersion): string {
  const replaced = replacedKind(kind);
  if (!replaced) return kindFix({ kind }, catalog);
  const { note } = replaced;
  const [main, ...parts] = kindsInstead(kind, catalog);
  if (!main) return note ?? 'there is none in v2: remove it';
  const what = `write ${apiVersionOf(main)}, kind ${main.kind}`;
  const beside = parts.length === 0 ? '' : `, and ${listed(parts.map((part) => part.kind))} for what was a part of it`;
  const how = replaced.byHand === true ? 'its properties differ' : 'cdk8s-aso upgrade-check --fix writes it';
  return `${what}${beside}: ${how}${note === undefined ? '' : `; ${note}`}`;
}
