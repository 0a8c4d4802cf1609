import { atATime } from './at-a-time';
import { AT_A_TIME } from './azure-objects';
import { listPages, type ClusterReader } from './reader';
import { DEPLOYMENTS, EVENTS, LEASES, NAMESPACES } from './resource-types';
import { StoreReader } from './store-reader';
import {
  CONTROLLER_LEASE,
  controllersOf,
  eventsByObject,
  inspect,
  neededStores,
  type ControllerFacts,
  type EventFacts,
  type Inspection,
  type InspectionNode,
  type Snapshot,
  type Unread,
} from '../../engine/inspect';
import { causeOf, isRefused } from '../../engine/kubernetes/cache-state';
import { KubernetesError, type KubernetesObject, type ListOptions, type ResourceType } from '../../engine/kubernetes/types';
import { catalogKinds, servedTypes } from '../../engine/kubernetes/watched-kind';
import { Catalog } from '../../src/catalog';
import { mayBeInCatalog } from '../../src/util/api-groups';

/** Where a controller is looked for by a user who may not list all namespaces. */
const CONTROLLER_NAMESPACE = 'azureserviceoperator-system';
/** The labels of the Deployments of ASO and of this package. */
const CONTROLLER_SELECTOR = 'app.kubernetes.io/name=azure-service-operator';

/** A cluster without any kind of Azure Service Operator, or without the namespace. */
export class NothingToInspect extends Error {}

export interface InspectOptions {
  /** Only the objects of this one. */
  readonly namespace?: string | undefined;
  readonly catalog?: Catalog;
  /** Number of kinds read, of all. */
  readonly onProgress?: (done: number, of: number, objects: number) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** All parts of a snapshot but Secrets, ConfigMaps and the time. */
export type ClusterParts = Omit<Snapshot, 'now' | 'stores' | 'events'>;

/** Parts that were read, with the types that the cluster serves. */
export interface ReadParts extends ClusterParts {
  readonly types: readonly ResourceType[];
}

/**
 * Reads a cluster and inspects its Azure objects. Nothing but GET is sent. Kinds that may not or cannot be read are in `unread`.
 *
 * @throws NothingToInspect; KubernetesError where the cluster does not answer
 */
export async function inspectCluster(reader: ClusterReader, options: InspectOptions = {}): Promise<Inspection> {
  const parts = await readParts(reader, options);
  return inspectParts(parts, new StoreReader(reader), options);
}

/** Inspects parts that were read, with the Secrets and ConfigMaps that tell more about what is not settled, and about `keys`. */
export async function inspectParts(
  parts: ClusterParts, stores: StoreReader, { now = Date.now }: InspectOptions = {}, keys?: ReadonlySet<string>,
): Promise<Inspection> {
  const snapshot = (): Snapshot => ({ ...parts, now: now(), stores, unread: [...parts.unread, ...stores.unread] });
  const first = inspect(snapshot());
  const needed = neededStores(first, keys);
  if (!await stores.read(needed)) return first;
  return inspect(snapshot());
}

export async function readParts(reader: ClusterReader, options: InspectOptions): Promise<ReadParts> {
  const { namespace, catalog = Catalog.default(), onProgress } = options;
  const { types: served, unknownGroups } = await reader.discovery((group) => group === '' || mayBeInCatalog(group));
  const types = [...servedTypes(catalogKinds(catalog.allKinds), served).values()];
  if (types.length === 0 && unknownGroups.size === 0) {
    throw new NothingToInspect('the cluster has no CRD of Azure Service Operator: install the controller (docs/operator.md), or choose another context');
  }
  if (namespace !== undefined) await checkNamespace(reader, namespace);
  const unread: Unread[] = [...unknownGroups].flatMap((group) => catalog.allKinds
    .filter((kind) => kind.group === group)
    .map(({ kind }) => ({ group, kind, why: 'the API server cannot tell at the moment which kinds of the group it serves' })));
  const objects: KubernetesObject[] = [];
  let done = 0;
  await atATime(types, AT_A_TIME, async (type) => {
    objects.push(...await readable(reader, type, scopeOf(namespace), unread));
    onProgress?.(done += 1, types.length, objects.length);
  });
  const kinds = new Set(types.map(({ group, kind }) => `${group}/${kind}`));
  return {
    types,
    objects,
    namespaces: await readNamespaces(reader, namespace, objects, unread),
    serves: (group, kind) => kinds.has(`${group}/${kind}`) || (unknownGroups.has(group) ? undefined : false),
    controllers: await readControllers(reader, unread, options),
    unread,
  };
}

function scopeOf(namespace: string | undefined): ListOptions {
  return namespace === undefined ? {} : { namespace };
}

/**
 * Looks whether there is anything to watch.
 * @throws NothingToInspect for a cluster without any kind of Azure Service Operator, or without the namespace; KubernetesError where
 * it does not answer
 */
export async function checkWatchable(reader: ClusterReader, namespace: string | undefined): Promise<void> {
  const catalog = Catalog.default();
  const { types, unknownGroups } = await reader.discovery((group) => mayBeInCatalog(group));
  if (unknownGroups.size === 0 && !types.some(({ group, kind }) => catalog.kind(group, kind))) {
    throw new NothingToInspect('the cluster has no CRD of Azure Service Operator: install the controller (docs/operator.md), or choose another context');
  }
  if (namespace !== undefined) await checkNamespace(reader, namespace);
}

async function checkNamespace(reader: ClusterReader, namespace: string): Promise<void> {
  const found = await reader.get(NAMESPACES, namespace).catch((error: unknown) => {
    if (isRefused(error)) return 'unknown';
    throw error;
  });
  if (found === undefined) throw new NothingToInspect(`the cluster has no namespace ${namespace}`);
}

/** The objects of a type; empty, and a record of it, where they cannot be read. */
async function readable(reader: ClusterReader, type: ResourceType, options: ListOptions, unread: Unread[]): Promise<KubernetesObject[]> {
  try {
    return await listPages(reader, type, options);
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status === 0) throw error;
    // The CRD was deleted after the discovery.
    if (error.status === 404) return [];
    const { namespace } = options;
    unread.push({ group: type.group, kind: type.kind, ...(namespace === undefined ? {} : { namespace }), why: causeOf(error) });
    return [];
  }
}

async function readNamespaces(
  reader: ClusterReader, namespace: string | undefined, objects: readonly KubernetesObject[], unread: Unread[],
): Promise<KubernetesObject[]> {
  if (namespace === undefined) return readable(reader, NAMESPACES, { metadataOnly: true }, unread);
  try {
    const found = await reader.get(NAMESPACES, namespace);
    return found ? [found] : [];
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (objects.length > 0) unread.push({ group: '', kind: 'Namespace', why: causeOf(error) });
    return [];
  }
}

/** Undefined where neither Deployments nor Leases can be read. */
export async function readControllers(
  reader: ClusterReader, unread: Unread[], { now = Date.now }: InspectOptions,
): Promise<readonly ControllerFacts[] | undefined> {
  const read = async (type: ResourceType, options: ListOptions) => {
    const refused: Unread[] = [];
    const everywhere = await readable(reader, type, options, refused);
    if (refused.length === 0) return everywhere;
    const again: Unread[] = [];
    const there = await readable(reader, type, { ...options, namespace: CONTROLLER_NAMESPACE }, again);
    if (again.length === 0) return there;
    unread.push(...refused);
    return undefined;
  };
  const [deployments, leases] = await Promise.all([
    read(DEPLOYMENTS, { labelSelector: CONTROLLER_SELECTOR }),
    read(LEASES, { fieldSelector: `metadata.name=${CONTROLLER_LEASE}` }),
  ]);
  return deployments || leases ? controllersOf(deployments ?? [], leases ?? [], now()) : undefined;
}

/** Events of some objects, by uid. Empty where they cannot be read. */
export async function readEvents(
  reader: ClusterReader, nodes: readonly InspectionNode[], unread: Unread[],
): Promise<ReadonlyMap<string, readonly EventFacts[]>> {
  const events: KubernetesObject[] = [];
  for (const { uid, namespace } of nodes) {
    if (uid === undefined) continue;
    const refused: Unread[] = [];
    events.push(...await readable(reader, EVENTS, { namespace, fieldSelector: `involvedObject.uid=${uid}` }, refused));
    if (!unread.some(({ kind }) => kind === EVENTS.kind)) unread.push(...refused);
  }
  return eventsByObject(events);
}
