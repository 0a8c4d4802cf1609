import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes/types';
import { referencesOf, versionOf } from '../../../engine/resolve';
import { CREDENTIAL_FROM } from '../../../src/azure/annotations';
import { Catalog } from '../../../src/catalog';
import { objectTitleOf } from '../../../src/object-id';
import { atATime } from '../../cluster/at-a-time';
import { AT_A_TIME, readAzureObjects, sorted } from '../../cluster/azure-objects';
import { permitted, type ClusterReader } from '../../cluster/reader';
import { CONFIG_MAPS, NAMESPACES, SECRETS } from '../../cluster/resource-types';
import { namespaceOf, type Manifest } from '../../manifests/manifests';

/** Where problems say that an object was found. */
export const CLUSTER = 'cluster';
/** Of objects without the annotation `credential-from`. */
export const NAMESPACE_CREDENTIAL = 'aso-credential';


export interface ClusterObjects {
  /** Azure objects, and what they take values from. Of Secrets only the subscription. */
  readonly manifests: readonly Manifest[];
  /** Objects that could not be read, one line each. */
  readonly unread: readonly string[];
}

/**
 * The Azure objects of a cluster with their namespaces, the ConfigMaps that they name, and the subscriptions of their credential Secrets.
 * Objects that may not be read are reported and left out.
 *
 * @param namespace only of this one
 * @throws KubernetesError where the cluster does not answer
 */
export async function clusterObjects(reader: ClusterReader, namespace?: string, catalog = Catalog.default()): Promise<ClusterObjects> {
  const { objects, unread } = await readAzureObjects(reader, namespace, { catalog });
  const unreadToo = [...unread];
  const others = await neededBy(reader, objects, unreadToo);
  return { manifests: [...objects, ...others].map(manifestOf), unread: unreadToo };
}

/** Namespaces for their policies, ConfigMaps for their values, credentials for their subscriptions. */
async function neededBy(reader: ClusterReader, objects: readonly KubernetesObject[], unread: string[]): Promise<KubernetesObject[]> {
  const wanted = new Map<string, () => Promise<KubernetesObject | undefined>>();
  const want = (type: ResourceType, name: string, namespace?: string) =>
    wanted.set(objectTitleOf({ kind: type.kind, namespace, name }), () => reader.get(type, name, namespace));
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
  await atATime([...wanted], AT_A_TIME, async ([title, read]) => {
    const object = await permitted(read, title, unread);
    if (object) found.push(object.kind === 'Secret' ? withoutSecrets(object) : object);
  });
  return sorted(found);
}

/** The ids of subscription and tenant, which are public: no other key of a Secret stays in memory. */
const READ_KEYS: readonly string[] = ['AZURE_SUBSCRIPTION_ID', 'AZURE_TENANT_ID'];

function withoutSecrets(secret: KubernetesObject): KubernetesObject {
  return { ...secret, data: Object.fromEntries(Object.entries(secret.data ?? {}).filter(([key]) => READ_KEYS.includes(key))) };
}

function manifestOf(object: KubernetesObject): Manifest {
  return { file: CLUSTER, line: 0, object, lineOf: () => 0 };
}
