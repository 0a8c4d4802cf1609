import { droppedVersion, isDroppedGroup, isMeantForAzure, kindFix, kindQuestion, type Catalog, type Kind } from '../../src/catalog';
import { groupOf, versionNameOf } from '../../src/object-id';
import { mayBeInCatalog, serviceOfGroup } from '../../src/util/api-groups';
import { suggestion } from '../../src/util/nearest';
import { describeManifest, fieldOf, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';
import { UsageError } from '../output/usage-error';

/** A selected kind, and the versions that its CRD serves. */
export interface WantedCrd {
  readonly kind: Kind;
  /** Version names, newest first. */
  readonly versions: readonly string[];
}

export interface Selection {
  /** Sorted by CRD name. */
  readonly crds: readonly WantedCrd[];
  readonly problems: readonly Problem[];
}

/** The kinds that the command line names besides the files. */
export interface NamedKinds {
  readonly all: boolean;
  /** API groups, with or without `.azure.com`. */
  readonly groups: readonly string[];
  /** `StorageAccount` or `storage.azure.com/StorageAccount`. */
  readonly kinds: readonly string[];
}

/** The kinds that flags name. Throws UsageError for a name that the catalog does not have. */
export function namedKinds({ all, groups, kinds }: NamedKinds, catalog: Catalog): Kind[] {
  if (all) return catalog.allKinds;
  return [...groups.flatMap((group) => kindsOfGroup(group, catalog)), ...kinds.map((kind) => kindNamed(kind, catalog))];
}

function kindsOfGroup(text: string, catalog: Catalog): Kind[] {
  const group = text.toLowerCase();
  const service = serviceOfGroup(group) ?? group;
  const kinds = catalog.kindsOf(service);
  if (kinds.length > 0) return kinds;
  throw new UsageError(`--group ${text}: there is no such group.${suggestion(service, catalog.services)} Give one like storage.azure.com.`);
}

function kindNamed(text: string, catalog: Catalog): Kind {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1).toLowerCase();
  const candidates = slash < 0 ? catalog.allKinds : kindsOfGroup(text.slice(0, slash), catalog);
  const found = candidates.filter(({ kind }) => kind.toLowerCase() === name);
  const [only, another] = found;
  if (only && !another) return only;
  if (another) {
    throw new UsageError(
      `--kind ${text}: several groups have it; give one of ${found.map(({ group, kind }) => `${group}/${kind}`).join(', ')}`,
    );
  }
  const hint = kindQuestion({ group: slash < 0 ? undefined : text.slice(0, slash), kind: text.slice(slash + 1) }, catalog);
  throw new UsageError(`--kind ${text}: there is no such kind.${hint} Give one like storage.azure.com/StorageAccount.`);
}

/**
 * The CRDs that manifests and named kinds need. A kind of the files serves the versions of their objects; a kind that is only named serves
 * `versionsOf` it.
 */
export function selectCrds(
  manifests: readonly Manifest[], named: readonly Kind[], versionsOf: (kind: Kind) => readonly string[], catalog: Catalog,
): Selection {
  const wanted = new Map<string, { readonly kind: Kind; readonly versions: Set<string> }>();
  const problems: Problem[] = [];
  for (const manifest of manifests) {
    const { object } = manifest;
    if (!mayBeInCatalog(groupOf(object)) && !isDroppedGroup(groupOf(object)) && !isMeantForAzure(groupOf(object), object.kind)) continue;
    const kind = catalog.kind(groupOf(object), object.kind);
    const version = versionNameOf(object);
    if (!kind?.version(version)) {
      problems.push(unknown(manifest, kind, version, catalog));
      continue;
    }
    const entry = wanted.get(kind.crdName) ?? { kind, versions: new Set<string>() };
    wanted.set(kind.crdName, { kind, versions: entry.versions.add(version) });
  }
  for (const kind of named) {
    if (!wanted.has(kind.crdName)) wanted.set(kind.crdName, { kind, versions: new Set(versionsOf(kind)) });
  }
  const crds = [...wanted.values()]
    .map(({ kind, versions }) => ({ kind, versions: kind.versionNames.filter((name) => versions.has(name)) }))
    .sort((a, b) => (a.kind.crdName < b.kind.crdName ? -1 : 1));
  return { crds, problems };
}

function unknown(manifest: Manifest, kind: Kind | undefined, version: string, catalog: Catalog): Problem {
  const { file, line, object } = manifest;
  const where = { file, line, object: describeManifest(manifest) };
  const dropped = droppedVersion(groupOf(object), object.kind, version, catalog);
  if (dropped) return { ...where, field: fieldOf(manifest, 'apiVersion'), ...dropped };
  if (kind) {
    return {
      ...where,
      field: fieldOf(manifest, 'apiVersion'),
      message: `there is no version ${version} of ${kind.kind}`,
      fix: `write one of ${kind.versionNames.join(', ')}`,
    };
  }
  const group = groupOf(object);
  const isGroup = catalog.hasService(serviceOfGroup(group) ?? '');
  return {
    ...where,
    field: fieldOf(manifest, isGroup ? 'kind' : 'apiVersion'),
    message: isGroup ? `${group} has no kind ${object.kind}` : `there is no group ${group}`,
    fix: kindFix({ group, kind: object.kind }, catalog),
  };
}
