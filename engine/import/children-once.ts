import type { ImportedResource } from './imported-resource';
import { parsePath, spellPath } from '../../src/catalog/validate-spec';
import { isRecord } from '../../src/util/records';

type Path = readonly (string | number)[];

/**
 * The resources without the parts of their specs that describe children which are imported as objects of their own: the node pools of a
 * cluster, which Azure shows in the cluster as well. Two objects would describe one resource otherwise.
 */
export function withChildrenOnce(resources: readonly ImportedResource[]): ImportedResource[] {
  const ids = new Set(resources.map(({ id }) => id.toLowerCase()));
  return resources.map((resource) => {
    const lists = Object.entries(resource.version.specType.props).filter(([, { childType }]) => childType !== undefined);
    return lists.reduce((kept, [property, { childType }]) => withoutChildren(kept, property, segmentOf(childType!), ids), resource);
  });
}

function segmentOf(armType: string): string {
  return armType.slice(armType.lastIndexOf('/') + 1);
}

function withoutChildren(resource: ImportedResource, property: string, segment: string, ids: ReadonlySet<string>): ImportedResource {
  const list = resource.spec[property];
  if (!Array.isArray(list)) return resource;
  const isOwn = (item: unknown) => isRecord(item) && typeof item.name === 'string' && ids.has(`${resource.id}/${segment}/${item.name}`.toLowerCase());
  const kept = [...list.keys()].filter((index) => !isOwn(list[index]));
  if (kept.length === list.length) return resource;
  const { [property]: _, ...others } = resource.spec;
  const spec = kept.length === 0 ? others : { ...others, [property]: kept.map((index) => list[index] as unknown) };
  const moved = (path: Path): Path | undefined => {
    if (path[0] !== property || path.length < 2) return path;
    const place = kept.indexOf(Number(path[1]));
    return place < 0 ? undefined : [property, place, ...path.slice(2)];
  };
  const movedProperty = (text: string): string | undefined => {
    const path = moved(parsePath(text).slice(1));
    return path && spellPath(['spec', ...path]);
  };
  return {
    ...resource,
    spec,
    secrets: resource.secrets.flatMap((secret) => {
      const path = moved(secret.path);
      return path ? [{ ...secret, path }] : [];
    }),
    missing: resource.missing.flatMap((path) => moved(path.split('.'))?.join('.') ?? []),
    refused: resource.refused.flatMap(({ property: refused, leftOut, ...of }) => {
      const [moves, around] = [movedProperty(refused), leftOut === undefined ? undefined : movedProperty(leftOut)];
      return moves === undefined ? [] : [{ ...of, property: moves, ...(around !== undefined && { leftOut: around }) }];
    }),
  };
}
