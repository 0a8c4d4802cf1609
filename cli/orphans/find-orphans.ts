import { armIdInResourceGroup } from './scopes';
import { ImportableKinds } from '../../engine/import/importable-kinds';
import { Importer } from '../../engine/import/importer';
import { Catalog } from '../../src/catalog';
import { atATime } from '../cluster/at-a-time';
import { describeManifest, type Manifest } from '../manifests/manifests';
import type { Problem } from '../output/problem';
import { placeholdersIn } from '../plan/live/placeholders';
import type { ReadOnlyClient } from '../plan/live/read-only-client';
import { readingOf } from '../plan/live/reading';
import { planRequests, type PlannedRequest } from '../plan/requests';

const AT_A_TIME = 8;

/** A resource that no object stands for. */
export interface ResourceWithoutObject {
  readonly armId: string;
  readonly kind: string;
}

/** An object whose resource is not in Azure. */
export interface ObjectWithoutResource {
  readonly armId: string;
  readonly object: string;
  /** The file, or `cluster`. */
  readonly from: string;
}

export interface Orphans {
  readonly scopes: readonly string[];
  readonly resources: readonly ResourceWithoutObject[];
  readonly objects: readonly ObjectWithoutResource[];
  /** Resources, lists and objects about which nothing can be said. */
  readonly unread: readonly { readonly what: string; readonly why: string }[];
  readonly problems: readonly Problem[];
}

/**
 * Compares Azure with objects.
 * @param scopes ARM ids; empty: the resource groups of the objects
 */
export async function findOrphans(
  manifests: readonly Manifest[], scopes: readonly string[], subscription: string, client: ReadOnlyClient,
): Promise<Orphans> {
  const { requests, problems } = planRequests(manifests, subscription);
  const known = requests.filter(({ path }) => placeholdersIn(path).length === 0);
  const within = scopes.length > 0 ? scopes : [...new Map(known.flatMap(({ path }) => {
    const group = armIdInResourceGroup(path);
    return group === undefined ? [] : [[group.toLowerCase(), group] as const];
  })).values()];
  const found = await new Importer(client, new ImportableKinds(Catalog.default()), { concurrency: AT_A_TIME, children: true }).run(within);
  const ids = new Set(known.map(({ path }) => path.toLowerCase()));
  const inAzure = new Set(found.resources.map(({ id }) => id.toLowerCase()));
  const unread = [
    ...found.others.filter(({ what }) => what === 'failed').map(({ id, why }) => ({ what: id, why })),
    ...requests.filter((request) => !known.includes(request)).map(({ manifest, path }) => (
      { what: describeManifest(manifest), why: `its id is not known before it is made: ${path}` }
    )),
  ];
  // A scope that is not there explains why its objects have no resource. Without such objects it is likely a mistake of the caller.
  const absent = found.others.filter(({ id, what }) => what === 'absent' && !known.some(({ path }) => isWithin(path, [id])));
  unread.push(...absent.map(({ id, why }) => ({ what: id, why })));
  const objects = await gone(known.filter(({ path }) => isWithin(path, within) && !inAzure.has(path.toLowerCase())), client, unread);
  return {
    scopes: within,
    resources: found.resources
      .filter(({ id }) => !ids.has(id.toLowerCase()))
      .map(({ id, version }) => ({ armId: id, kind: version.kind.kind }))
      .sort((a, b) => (a.armId < b.armId ? -1 : 1)),
    objects,
    unread,
    problems,
  };
}

/** Lists may lack what a GET shows: singletons, resources that no list has. */
async function gone(
  requests: readonly PlannedRequest[], client: ReadOnlyClient, unread: { what: string; why: string }[],
): Promise<ObjectWithoutResource[]> {
  const objects: ObjectWithoutResource[] = [];
  await atATime(requests, AT_A_TIME, async ({ manifest, path, armApiVersion }) => {
    const reading = await readingOf(client, path, armApiVersion);
    const object = describeManifest(manifest);
    if (reading.kind === 'absent') objects.push({ armId: path, object, from: manifest.file });
    if (reading.kind === 'unreadable') unread.push({ what: object, why: reading.reason });
  });
  return objects.sort((a, b) => (a.armId < b.armId ? -1 : 1));
}

function isWithin(path: string, scopes: readonly string[]): boolean {
  return scopes.some((scope) => `${path.toLowerCase()}/`.startsWith(`${scope.toLowerCase()}/`));
}
