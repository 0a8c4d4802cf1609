import { OPERATOR_SETTINGS } from './settings';
import type { VersionUse } from './version-uses';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE } from '../../src/catalog/crd';
import { parseApiVersion } from '../../src/object-id';
import { readAzureObjects } from '../cluster/azure-objects';
import type { LiveCluster } from '../cluster/connect';
import { listPages, permitted } from '../cluster/reader';
import { SECRETS } from '../cluster/resource-types';

/** Objects, CRDs and settings of a cluster, as far as an upgrade concerns them. */
export interface ClusterSources {
  readonly uses: readonly VersionUse[];
  readonly crds: readonly KubernetesObject[];
  /** The Secret of the operator's settings, with the keys alone that a finding is decided by. */
  readonly objects: readonly Readonly<Record<string, unknown>>[];
  /** Objects that could not be read, one line each. */
  readonly unread: readonly string[];
}

/** Small pages: a CRD is up to 150 KB. */
const CRDS_A_PAGE = 50;

/**
 * @param operatorNamespace where the operator runs
 * @throws KubernetesError where the cluster does not answer
 */
export async function clusterSources(
  { client }: LiveCluster, namespace: string | undefined, operatorNamespace: string,
): Promise<ClusterSources> {
  const { objects, unread } = await readAzureObjects(client, namespace);
  const unreadToo = [...unread];
  const labelSelector = `${CRD_NAME_LABEL}=${CRD_NAME_LABEL_VALUE}`;
  const crds = await permitted(
    () => listPages(client, CRD_KIND, { labelSelector, limit: CRDS_A_PAGE }, withoutSchemas), 'customresourcedefinitions', unreadToo,
  );
  const settings = await permitted(() => settingsSecret(client, operatorNamespace), `Secret ${operatorNamespace}/${SETTINGS}`, unreadToo);
  return { uses: objects.map(useOf), crds: crds ?? [], objects: settings ? [settings] : [], unread: unreadToo };
}

const SETTINGS = 'aso-controller-settings';

async function settingsSecret(client: LiveCluster['client'], namespace: string): Promise<Record<string, unknown> | undefined> {
  const secret = await client.get(SECRETS, SETTINGS, namespace);
  if (!secret) return undefined;
  const data = Object.fromEntries(OPERATOR_SETTINGS.flatMap((key) => (secret.data?.[key] === undefined ? [] : [[key, secret.data[key]]])));
  return { kind: 'Secret', metadata: { name: SETTINGS }, data };
}

/** The schemas of all kinds take 30 MB. */
function withoutSchemas({ apiVersion, kind, metadata, spec, status }: KubernetesObject): KubernetesObject {
  const { group, names } = spec ?? {};
  return { apiVersion, kind, metadata, spec: { group, names }, status: { storedVersions: status?.storedVersions } };
}

function useOf({ apiVersion, kind, metadata, spec }: KubernetesObject): VersionUse {
  const { group, version } = parseApiVersion(apiVersion);
  const { namespace, name, annotations } = metadata;
  return {
    file: 'cluster',
    line: 0,
    group,
    version,
    kind,
    namespace,
    name,
    annotations: annotations ?? {},
    spec: spec ?? {},
    lineOf: () => 0,
    rangeOf: () => undefined,
    keyRangeOf: () => undefined,
    linesOf: () => undefined,
    textAt: () => '',
  };
}
