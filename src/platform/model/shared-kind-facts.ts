import type { SharedResourceKind } from './shared-resource-kind';
import type { SharedService } from './shared-service';
import { armTypeOf } from '../../azure/arm-id';
import { Catalog } from '../../catalog/catalog';
import type { Kind } from '../../catalog/kind';

/** The kind of the catalog that an entry of the table names; undefined if no object is created, or there is no such kind. */
export function catalogKindOf({ group, kind }: SharedResourceKind): Kind | undefined {
  return group === undefined ? undefined : Catalog.default().kind(group, kind);
}

/** ARM type of a kind of the table. */
export function armTypeOfKind(group: string, kind: string): string | undefined {
  return Catalog.default().kind(group, kind)?.latest.facts.arm?.type;
}

/** ARM type of a shared service: that of its factory, else of its resource. */
export function armTypeOfService({ resource }: Pick<SharedService, 'resource'>): string | undefined {
  const { armId, group, kind } = resource.azureResourceRef;
  if (armId !== undefined) return armTypeOf(armId);
  return group === undefined || kind === undefined ? undefined : armTypeOfKind(group, kind);
}

/**
 * The path of a kind's resources below a resource of a type, e.g. `queues`, `blobServices/default/containers`; undefined if Azure keeps
 * them elsewhere, or below a resource in between that has a name of its own.
 */
export function pathBelow(parentType: string, kind: SharedResourceKind): string | undefined {
  if (kind.group === undefined) return kind.path;
  const uri = catalogKindOf(kind)?.latest.facts.arm?.uri;
  const [, ...parts] = uri?.split('/providers/') ?? [];
  const below = parts.at(-1);
  if (below === undefined) return undefined;
  // The provider, and a type and a name for each segment of the parent's type.
  const segments = below.split('/');
  const [provider, ...types] = parentType.split('/');
  const isBelow = segments[0]?.toLowerCase() === provider?.toLowerCase()
    && types.every((type, index) => segments[1 + 2 * index]?.toLowerCase() === type.toLowerCase());
  const rest = segments.slice(1 + 2 * types.length, -1);
  return !isBelow || rest.length === 0 || rest.some((segment) => segment.startsWith('{')) ? undefined : rest.join('/');
}
