import type { ImportedResource } from './imported-resource';
import { isRecord } from '../../src/util/records';

type ById = ReadonlyMap<string, ImportedResource>;

/**
 * Each resource, followed by what belongs to it, after those that it refers to as far as they do not refer to it; beside each other by
 * service, kind and name.
 * @param byId by ARM id in lower case
 */
export function readingOrder(resources: readonly ImportedResource[], byId: ById): ImportedResource[] {
  const ownerOf = ({ owner }: ImportedResource) => (owner === undefined ? undefined : byId.get(owner.toLowerCase()));
  const keys = new Map(resources.map((resource) => [resource, keyOf(resource)]));
  const sorted = [...resources].sort((a, b) => (keys.get(a)! < keys.get(b)! ? -1 : 1));
  const below = new Map<ImportedResource | undefined, ImportedResource[]>();
  for (const resource of sorted) {
    const owner = ownerOf(resource);
    const siblings = below.get(owner);
    if (siblings) siblings.push(resource);
    else below.set(owner, [resource]);
  }
  const before = neighboursBefore(sorted, ownerOf, byId);
  const order = new Set<ImportedResource>();
  const begun = new Set<ImportedResource>();
  const add = (resource: ImportedResource) => {
    if (begun.has(resource)) return;
    begun.add(resource);
    for (const other of before.get(resource) ?? []) add(other);
    order.add(resource);
    for (const child of below.get(resource) ?? []) add(child);
  };
  for (const resource of below.get(undefined) ?? []) add(resource);
  // Owners of each other do not exist in Azure; an answer may say so.
  for (const resource of sorted) add(resource);
  return [...order];
}

/** Resource → those beside it that it, or something in it, refers to, or to something in which it refers. */
function neighboursBefore(
  resources: readonly ImportedResource[], ownerOf: (resource: ImportedResource) => ImportedResource | undefined, byId: ById,
): Map<ImportedResource, Set<ImportedResource>> {
  const lineOf = (resource: ImportedResource) => {
    const line = [resource];
    for (let at = ownerOf(resource); at && !line.includes(at); at = ownerOf(at)) line.push(at);
    return line.reverse();
  };
  const before = new Map<ImportedResource, Set<ImportedResource>>();
  for (const resource of resources) {
    const own = lineOf(resource);
    for (const id of armIdsIn(resource.spec)) {
      const target = byId.get(id.toLowerCase());
      if (!target) continue;
      const other = lineOf(target);
      const fork = own.findIndex((one, depth) => one !== other[depth]);
      const [from, to] = [own[fork], other[fork]];
      if (from && to) before.set(from, (before.get(from) ?? new Set()).add(to));
    }
  }
  return before;
}

function armIdsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(armIdsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === 'armId' && typeof item === 'string' ? [item] : armIdsIn(item)));
}

function keyOf({ id, version: { kind } }: ImportedResource): string {
  return `${kind.kind === 'ResourceGroup' ? '' : kind.service} ${kind.kind} ${id.toLowerCase()}`;
}
