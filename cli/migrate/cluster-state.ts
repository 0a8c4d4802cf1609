import { controllersIn } from './asos-installation';
import { isMoved, typeOf, type MigratedKind, type SortedCrds } from './migrated-kinds';
import type { Connection, RestClient } from '../../engine/kubernetes';
import { KubernetesError, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import { isRecord } from '../../src/util/records';
import { atATime } from '../cluster/at-a-time';
import { listPages } from '../cluster/reader';
import { serverTime } from '../cluster/server-time';

/** CRDs are large. */
const CRDS_PER_PAGE = 20;
const AT_A_TIME = 8;

/** A request that failed, with its sentence: what is not known stops a migration. */
export interface Unread {
  readonly what: string;
  readonly why: string;
  /** Whether this user lacks a right. */
  readonly isForbidden: boolean;
}

/** The objects of a kind, in the version that is stored before the migration. */
export interface KindObjects {
  readonly kind: MigratedKind;
  readonly objects: readonly KubernetesObject[];
  /** Why the webhook does not convert them; absent: it does. */
  readonly conversionError?: string;
}

/** State of a cluster, as the preflight reads it. */
export interface ClusterState {
  /** `v1.34.4`. */
  readonly kubernetes: { readonly major: number; readonly minor: number; readonly text: string };
  /** This machine's clock minus the API server's, in milliseconds. */
  readonly clockDifferenceMs: number;
  readonly controllers: readonly KubernetesObject[];
  readonly crds: SortedCrds;
  readonly installed: ReadonlyMap<string, KubernetesObject>;
  readonly kinds: readonly KindObjects[];
  /** Objects of kinds that the catalog does not have: names of CRDs and how many. */
  readonly unknownKinds: readonly { readonly crd: string; readonly objects: number }[];
  readonly unread: readonly Unread[];
}

export interface ReadOptions {
  readonly connection: Connection;
  readonly client: RestClient;
  readonly now: () => number;
  /** Which CRDs are migrated. Their objects are read in the version `from`. */
  readonly sort: (crds: readonly KubernetesObject[]) => SortedCrds;
  /** A version that needs the conversion webhook; undefined: the kind has none. */
  readonly converted: (kind: MigratedKind, crd: KubernetesObject) => string | undefined;
}

/** Reads the cluster. @throws KubernetesError where nothing can be read at all */
export async function readClusterState({ connection, client, now, sort, converted }: ReadOptions): Promise<ClusterState> {
  const unread: Unread[] = [];
  const kubernetes = await versionOf(connection);
  const clockDifferenceMs = now() - await serverTime(connection);
  const read = async <T>(what: string, otherwise: T, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof KubernetesError) || error.status === 0) throw error;
      unread.push({ what, why: error.message, isForbidden: error.status === 403 });
      return otherwise;
    }
  };
  const controllers = await read('Deployments', [], () => controllersIn(client));
  const all = await read('CRDs', [], () => listPages(client, CRD_KIND, { limit: CRDS_PER_PAGE }));
  const crds = sort(all);
  const installed = new Map(all.map((crd) => [crd.metadata.name, crd]));
  const kinds: KindObjects[] = [];
  await atATime(crds.migrated, AT_A_TIME, async (kind) => {
    const objects = await read(`${kind.plural}.${kind.group}`, [], () => listPages(client, typeOf(kind, kind.from)));
    const version = objects.length > 0 && isMoved(kind) ? converted(kind, installed.get(kind.crd)!) : undefined;
    const conversionError = version === undefined ? undefined : await conversionErrorOf(client, kind, version);
    kinds.push({ kind, objects, ...(conversionError !== undefined && { conversionError }) });
  });
  kinds.sort((a, b) => (a.kind.crd < b.kind.crd ? -1 : 1));
  const unknownKinds = [];
  for (const crd of crds.unknown) {
    const objects = await read(crd.metadata.name, [], () => listPages(client, anyTypeOf(crd), { metadataOnly: true }));
    unknownKinds.push({ crd: crd.metadata.name, objects: objects.length });
  }
  return { kubernetes, clockDifferenceMs, controllers, crds, installed, kinds, unknownKinds, unread };
}

async function versionOf(connection: Connection): Promise<ClusterState['kubernetes']> {
  const { text } = await connection.request({ method: 'GET', path: '/version' });
  const version: unknown = JSON.parse(text);
  const { major, minor, gitVersion } = (isRecord(version) ? version : {}) as Readonly<Record<string, unknown>>;
  return { major: parseInt(String(major), 10), minor: parseInt(String(minor), 10), text: String(gitVersion) };
}

/** One object in a version that is not stored: the webhook has to convert it. */
async function conversionErrorOf(client: RestClient, kind: MigratedKind, version: string): Promise<string | undefined> {
  try {
    await client.list(typeOf(kind, version), { limit: 1 });
    return undefined;
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    return error.message;
  }
}

function anyTypeOf(crd: KubernetesObject): ResourceType {
  const { group, names, versions } = crd.spec as {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
  };
  const version = versions.find(({ storage }) => storage)?.name ?? '';
  return { group, version, plural: names.plural, kind: names.kind, namespaced: true };
}
