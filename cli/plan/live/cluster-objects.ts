import { boundedly } from './reading';
import {
  KubernetesError,
  type Discovery,
  type KubernetesObject,
  type ListOptions,
  type ObjectList,
  type ResourceType,
} from '../../../engine/kubernetes/types';
import { catalogKinds, servedTypes } from '../../../engine/kubernetes/watched-kind';
import { versionOf, referencesOf } from '../../../engine/resolve';
import { CREDENTIAL_FROM } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { namespaceOf, type Manifest } from '../../manifests/manifests';

/** The requests of a plan to a cluster: reads only. */
export interface ClusterReader {
  discovery(groups?: (group: string) => boolean): Promise<Discovery>;
  list(type: ResourceType, options: ListOptions): Promise<ObjectList>;
  get(type: ResourceType, name: string, namespace?: string): Promise<KubernetesObject | undefined>;
}

/** Where problems say that an object was found. */
export const CLUSTER = 'cluster';
/** Of objects without the annotation `credential-from`. */
export const NAMESPACE_CREDENTIAL = 'aso-credential';

const PAGE = 500;
const AT_A_TIME = 8;
const CORE: ResourceType = { group: '', version: 'v1', plural: '', kind: '', namespaced: true };
const NAMESPACES: ResourceType = { ...CORE, plural: 'namespaces', kind: 'Namespace', namespaced: false };
const SECRETS: ResourceType = { ...CORE, plural: 'secrets', kind: 'Secret' };
const CONFIG_MAPS: ResourceType = { ...CORE, plural: 'configmaps', kind: 'ConfigMap' };

export interface ClusterObjects {
  /** Azure objects, and what they take values from. Of Secrets only the subscription. */
  readonly manifests: readonly Manifest[];
  /** Objects that could not be read, one line each. */
  readonly unread: readonly string[];
}

/**
 * The Azure objects of a cluster, each in the version that it was applied in, with their namespaces, the ConfigMaps that they name, and the
 * subscriptions of their credential Secrets. Objects that may not be read are reported and left out.
 *
 * @param namespace only of this one
 * @throws KubernetesError where the cluster does not answer
 */
export async function clusterObjects(reader: ClusterReader, namespace?: string, catalog = Catalog.default()): Promise<ClusterObjects> {
  const unread: string[] = [];
  const { types } = await reader.discovery((group) => group.endsWith('.azure.com'));
  const served = [...servedTypes(catalogKinds(catalog.allKinds), types).values()];
  const found: KubernetesObject[] = [];
  await boundedly(served, AT_A_TIME, async (type) => {
    const listed = await permitted(() => pagesOf(reader, type, namespace), `${type.plural}.${type.group}`, unread) ?? [];
    for (const object of listed) found.push(await asApplied(reader, type, object));
  });
  const others = await neededBy(reader, found, unread);
  return { manifests: [...sorted(found), ...others].map(manifestOf), unread };
}

async function pagesOf(reader: ClusterReader, type: ResourceType, namespace: string | undefined): Promise<KubernetesObject[]> {
  const items: KubernetesObject[] = [];
  let page: ObjectList | undefined;
  do {
    page = await reader.list(type, {
      limit: PAGE,
      ...(namespace === undefined ? {} : { namespace }),
      ...(page?.continue === undefined ? {} : { continue: page.continue }),
    });
    items.push(...page.items);
  } while (page.continue);
  return items;
}

/** The server shows an object in the version that it is asked for, without what that version does not have. */
async function asApplied(reader: ClusterReader, type: ResourceType, object: KubernetesObject): Promise<KubernetesObject> {
  const version = object.apiVersion.slice(object.apiVersion.indexOf('/') + 1);
  if (version === type.version) return object;
  const { name, namespace } = object.metadata;
  const applied = await reader.get({ ...type, version }, name, namespace);
  return applied ? { ...applied, apiVersion: object.apiVersion } : object;
}

/** Namespaces for their policies, ConfigMaps for their values, credentials for their subscriptions. */
async function neededBy(reader: ClusterReader, objects: readonly KubernetesObject[], unread: string[]): Promise<KubernetesObject[]> {
  const wanted = new Map<string, () => Promise<KubernetesObject | undefined>>();
  const want = (type: ResourceType, name: string, namespace?: string) =>
    wanted.set(`${type.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`, () => reader.get(type, name, namespace));
  for (const object of objects) {
    const namespace = namespaceOf(object);
    want(NAMESPACES, namespace);
    want(SECRETS, object.metadata.annotations?.[CREDENTIAL_FROM] || NAMESPACE_CREDENTIAL, namespace);
    const version = versionOf(object);
    if (!version) continue;
    for (const reference of referencesOf(object.spec ?? {}, version)) {
      if (reference.to === 'configMap' && reference.name) want(CONFIG_MAPS, reference.name, namespace);
    }
  }
  const found: KubernetesObject[] = [];
  await boundedly([...wanted], AT_A_TIME, async ([title, read]) => {
    const object = await permitted(read, title, unread);
    if (object) found.push(object.kind === 'Secret' ? withoutSecrets(object) : object);
  });
  return sorted(found);
}

/** Of a Secret, only the keys that name a subscription stay in memory. */
function withoutSecrets(secret: KubernetesObject): KubernetesObject {
  const subscription = secret.data?.AZURE_SUBSCRIPTION_ID;
  return { ...secret, data: subscription === undefined ? {} : { AZURE_SUBSCRIPTION_ID: subscription } };
}

/** Undefined, and a line about it, where this user may not read it. */
async function permitted<T>(read: () => Promise<T>, what: string, unread: string[]): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status !== 403) throw error;
    unread.push(`${what}: ${error.message}`);
    return undefined;
  }
}

function sorted(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const key = ({ kind, metadata: { namespace, name } }: KubernetesObject) => `${namespace ?? ''}/${kind}/${name}`;
  return [...objects].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function manifestOf(object: KubernetesObject): Manifest {
  return { file: CLUSTER, line: 0, object, lineOf: () => 0 };
}
