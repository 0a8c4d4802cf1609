import { ApiObject } from 'cdk8s';
import { IConstruct } from 'constructs';
import type { Catalog } from '../catalog/catalog';
import type { Kind } from '../catalog/kind';
import { referencesOf } from '../catalog/spec-references';
import { isResource } from '../core/resource-internals';
import { versionNameOf } from '../object-id';
import { mayBeInCatalog } from '../util/api-groups';
import { struct, type Struct } from '../util/records';

/** A kind, and the versions of its objects in the app; empty if the kind is only listed or referenced. */
export interface KindInUse {
  readonly kind: Kind;
  readonly versions: readonly string[];
  /** Whether the kind is listed: objects outside of the app may have any version. */
  readonly listed: boolean;
}

/** The kinds in use by CRD name. */
export type KindsInUse = ReadonlyMap<string, KindInUse>;

export interface Found {
  readonly kinds: KindsInUse;
  readonly problems: readonly string[];
}

/** The kinds of all objects of an app, typed or untyped, and the kinds that the objects name as owners and references. */
export function kindsInApp(root: IConstruct, catalog: Catalog): Found {
  const kinds = new Map<string, KindInUse>();
  const problems: string[] = [];
  for (const construct of root.node.findAll()) {
    if (!ApiObject.isApiObject(construct)) continue;
    const object = construct as ApiObject;
    const kind = mayBeInCatalog(object.apiGroup) ? catalog.kind(object.apiGroup, object.kind) : undefined;
    // Other projects' groups have the same suffix (karpenter.azure.com).
    if (!kind) continue;
    const name = versionNameOf(object);
    const version = kind.version(name);
    if (!version) {
      problems.push(`kinds: '${object.node.path}' is written in ${object.apiVersion}, which ${kind.kind} does not have. Write one of ${kind.versionNames.join(', ')}.`);
      continue;
    }
    add(kinds, { kind, versions: [name], listed: false });
    for (const other of neededBy(specOf(object), version.facts.owner, (spec) => referencesOf(spec, version))) {
      const needed = catalog.kind(other.group, other.kind);
      if (needed) add(kinds, { kind: needed, versions: [], listed: false });
    }
  }
  return { kinds, problems };
}

/** The union of two sets of kinds. */
export function merged(a: KindsInUse, b: KindsInUse): KindsInUse {
  const all = new Map(a);
  for (const inUse of b.values()) add(all, inUse);
  return all;
}

export function add(kinds: Map<string, KindInUse>, { kind, versions, listed }: KindInUse): void {
  const known = kinds.get(kind.crdName);
  const both = new Set([...known?.versions ?? [], ...versions]);
  kinds.set(kind.crdName, {
    kind, versions: kind.versionNames.filter((name) => both.has(name)), listed: listed || (known?.listed ?? false),
  });
}

function specOf(object: ApiObject): Struct {
  const spec: unknown = isResource(object) ? object._check().spec : (object.toJson() as { spec?: unknown }).spec;
  return struct(spec) ?? {};
}

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

function neededBy(spec: Struct, ownerRule: unknown, references: (spec: Struct) => ReturnType<typeof referencesOf>): GroupKind[] {
  const owner = (spec.owner ?? {}) as { name?: unknown; group?: unknown; kind?: unknown };
  const byRule = typeof ownerRule === 'object' && ownerRule !== null ? (ownerRule as GroupKind) : undefined;
  const named =
    typeof owner.name !== 'string'
      ? undefined
      : (byRule
        ?? (typeof owner.group === 'string' && typeof owner.kind === 'string' ? { group: owner.group, kind: owner.kind } : undefined));
  return [
    ...(named ? [named] : []),
    ...references(spec).flatMap((reference) =>
      reference.to === 'resource' && reference.name !== undefined && reference.group && reference.kind
        ? [{ group: reference.group, kind: reference.kind }]
        : [],
    ),
  ];
}
