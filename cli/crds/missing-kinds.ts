import type { Catalog, Kind, KindVersion } from '../../src/catalog';
import { referencesOf } from '../../src/catalog/spec-references';
import { groupOf, versionNameOf } from '../../src/object-id';
import { describeManifest, type Manifest } from '../manifests/manifests';

/** A kind that an object refers to by name and that was not selected. */
export interface MissingKind {
  readonly kind: Kind;
  /** The first object that refers to it. */
  readonly neededBy: string;
}

/** Kinds that objects refer to and that were not selected: without their CRDs the referring objects wait for ever. */
export function missingKinds(manifests: readonly Manifest[], chosen: readonly Kind[], catalog: Catalog): MissingKind[] {
  const known = new Set(chosen.map((kind) => kind.crdName));
  const missing: MissingKind[] = [];
  for (const manifest of manifests) {
    const { object } = manifest;
    const version = catalog.kind(groupOf(object), object.kind)?.version(versionNameOf(object));
    if (!version) continue;
    for (const { group, kind: name } of kindsNeededBy(object.spec, version)) {
      const kind = catalog.kind(group, name);
      if (!kind || known.has(kind.crdName)) continue;
      known.add(kind.crdName);
      missing.push({ kind, neededBy: describeManifest(manifest) });
    }
  }
  return missing;
}

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

function kindsNeededBy(spec: Record<string, unknown> | undefined, version: KindVersion): GroupKind[] {
  const needed: GroupKind[] = [];
  const owner = (spec?.owner ?? {}) as { name?: unknown; group?: unknown; kind?: unknown };
  if (typeof owner.name === 'string') {
    const { owner: byKind } = version.facts;
    if (byKind && byKind !== 'any') needed.push(byKind);
    else if (typeof owner.group === 'string' && typeof owner.kind === 'string') needed.push({ group: owner.group, kind: owner.kind });
  }
  for (const reference of referencesOf(spec, version)) {
    if (reference.to === 'resource' && reference.name !== undefined && reference.group && reference.kind) {
      needed.push({ group: reference.group, kind: reference.kind });
    }
  }
  return needed;
}
