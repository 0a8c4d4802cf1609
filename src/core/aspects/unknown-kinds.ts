import { IConstruct } from 'constructs';
import { isResource } from '../resource-internals';
import type { KindFilter } from './kind-filter';
import { Catalog } from '../../catalog/catalog';
import type { Kind } from '../../catalog/kind';
import { kindQuestion } from '../../catalog/kind-advice';

/** Names found to be kinds. */
const known = new Set<string>();

/**
 * Problems for misspelt kinds: such a filter matches nothing, so that resources would silently stay unprotected. A kind of which the scope
 * has no resource (yet) is fine.
 */
export function unknownKinds(scope: IConstruct, filters: readonly KindFilter[]): string[] {
  const named = new Set(filters.flatMap(({ kinds, exceptKinds }) => [...(kinds ?? []), ...(exceptKinds ?? [])]));
  const open = () => [...named].filter((name) => !known.has(name));
  if (open().length === 0) return [];
  for (const resource of scope.node.findAll().filter(isResource)) known.add(resource.kind).add(`${resource.apiGroup}/${resource.kind}`);
  if (open().length === 0) return [];
  // Reads every service, so it comes last: apps that use all the kinds they name never get here.
  for (const { group, kind } of Catalog.default().allKinds) known.add(kind).add(`${group}/${kind}`);
  return open().map((name) => `'${name}' is no kind of Azure Service Operator, so what is said of it here holds for nothing.${questionAbout(name)} Write the kind alone (StorageAccount) or with its group (storage.azure.com/StorageAccount).`);
}

/** The kind that is meant by a name with or without its group. */
function questionAbout(name: string): string {
  const slash = name.indexOf('/');
  const spell = ({ group, kind }: Kind) => (slash < 0 ? kind : `${group}/${kind}`);
  return kindQuestion({ group: slash < 0 ? undefined : name.slice(0, slash), kind: name.slice(slash + 1) }, Catalog.default(), spell);
}
