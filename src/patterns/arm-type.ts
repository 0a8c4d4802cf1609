import { Catalog } from '../catalog/catalog';
import type { AzureResource } from '../core';

/** The ARM type of a resource in lower case; empty for kinds without one. */
export function armTypeOfResource({ apiGroup, kind }: AzureResource): string {
  return Catalog.default().kind(apiGroup, kind)?.latest.facts.arm?.type.toLowerCase() ?? '';
}
