import { KubernetesError, type KubernetesListWatch, type KubernetesObject, type ResourceType } from '../../../engine/kubernetes/types';
import { CRD_VERSION_LABEL } from '../../../src/catalog/crd';
import { INJECT_CA_ANNOTATION, WEBHOOK_SECRET } from '../../../src/catalog/webhook-configurations';
import { counted, listed } from '../../../src/util/words';
import { listPages } from '../../cluster/reader';
import {
  CERTIFICATES,
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  DEPLOYMENTS,
  DISRUPTION_BUDGETS,
  ISSUERS,
  MUTATING_WEBHOOKS,
  NETWORK_POLICIES,
  PODS,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICE_ACCOUNTS,
  SERVICES,
  VALIDATING_WEBHOOKS,
} from '../../cluster/resource-types';
import { isCrd } from '../migrated-kinds';
import { waitUntil, type MigrationContext, type MigrationStep } from '../migration-context';
import { updateCrd } from '../update-crd';
import { DEPLOYMENT, selectorOf } from './stop-watchers';

/** Objects of ASO's chart have these names. */
const NAMES = /^(azureserviceoperator-|azure-service-operator-allow-)/;
export const CERTIFICATE_SECRETS = [WEBHOOK_SECRET, 'metrics-server-cert'];
const SECONDS = 300;

/** In this order: without its webhook configurations, nobody's write waits for a webhook that is gone. */
const FIRST = [MUTATING_WEBHOOKS, VALIDATING_WEBHOOKS];
const LAST = [
  DISRUPTION_BUDGETS,
  NETWORK_POLICIES,
  CERTIFICATES,
  ISSUERS,
  SERVICES,
  ROLE_BINDINGS,
  ROLES,
  CLUSTER_ROLE_BINDINGS,
  CLUSTER_ROLES,
  SERVICE_ACCOUNTS,
];

/** CRDs, objects, the namespace and the settings stay. */
export const REMOVE_ASO: MigrationStep = {
  id: 'remove-aso',
  title: 'Remove the Deployment, webhooks, roles and certificates of ASO',
  async run(context) {
    let removed = await removeController(context, () => clearCrds(context));
    removed += await removeReleases(context);
    return counted(removed, 'object');
  },
};

/**
 * Removes the installation of a controller: both have the same names.
 * @param withoutPods called when its pods are gone
 */
export async function removeController(
  context: MigrationContext, withoutPods: () => Promise<void> = async () => undefined,
): Promise<number> {
  let removed = 0;
  for (const type of FIRST) removed += await removeNamed(context, type);
  removed += await removeDeployment(context);
  await withoutPods();
  for (const type of LAST) removed += await removeNamed(context, type);
  for (const name of CERTIFICATE_SECRETS) removed += await remove(context, SECRETS, name);
  return removed;
}

async function removeNamed(context: MigrationContext, type: ResourceType): Promise<number> {
  let removed = 0;
  for (const { metadata: { name } } of await named(context.client, type, context.namespace)) removed += await remove(context, type, name);
  return removed;
}

/** The objects of a type with names of the chart. */
async function named(client: Pick<KubernetesListWatch, 'list'>, type: ResourceType, namespace: string): Promise<KubernetesObject[]> {
  try {
    const found = await listPages(client, type, { ...(type.namespaced && { namespace }), metadataOnly: true });
    return found.filter(({ metadata: { name } }) => NAMES.test(name));
  } catch (error) {
    // There is no cert-manager.
    if (error instanceof KubernetesError && error.status === 404) return [];
    throw error;
  }
}

/** An object of a controller's installation. */
export interface InstalledObject {
  readonly type: ResourceType;
  readonly name: string;
  readonly metadata: KubernetesObject['metadata'];
}

/** All objects that the removal of a controller deletes, but for its Secrets and Helm's record. */
export async function namedObjects(client: Pick<KubernetesListWatch, 'list'>, namespace: string): Promise<InstalledObject[]> {
  const found: InstalledObject[] = [];
  for (const type of [...FIRST, DEPLOYMENTS, ...LAST]) {
    for (const { metadata } of await named(client, type, namespace)) found.push({ type, name: metadata.name, metadata });
  }
  return found;
}

async function removeDeployment(context: MigrationContext): Promise<number> {
  const { client, namespace } = context;
  const deployment = await client.get(DEPLOYMENTS, DEPLOYMENT, namespace);
  const labelSelector = deployment ? selectorOf(deployment) : 'app.kubernetes.io/name=azure-service-operator,control-plane=controller-manager';
  const removed = await remove(context, DEPLOYMENTS, DEPLOYMENT);
  await waitUntil(context, SECONDS, async () => {
    const pods = await listPages(client, PODS, { namespace, labelSelector, metadataOnly: true });
    return pods.length === 0 ? undefined : `${counted(pods.length, 'pod')} of the old controller still there`;
  });
  return removed;
}

/** Removes the label and the annotation that make ASO, or cert-manager on its behalf, write CRDs. */
async function clearCrds({ client, install, journal: { state: { kinds } } }: MigrationContext): Promise<void> {
  const given = new Map(install.filter(isCrd).map((crd) => [crd.metadata.name, crd.metadata]));
  for (const { crd: name } of kinds) {
    const wanted = given.get(name);
    await updateCrd(client, name, (crd) => {
      const { [CRD_VERSION_LABEL]: release, ...labels } = crd.metadata.labels ?? {};
      const { [INJECT_CA_ANNOTATION]: authority, ...annotations } = crd.metadata.annotations ?? {};
      const wantedAuthority = wanted?.annotations?.[INJECT_CA_ANNOTATION];
      if (release === undefined && authority === wantedAuthority) return undefined;
      const kept = wantedAuthority === undefined ? annotations : { ...annotations, [INJECT_CA_ANNOTATION]: wantedAuthority };
      return { ...crd, metadata: { ...crd.metadata, labels, annotations: kept } };
    });
  }
}

/** Helm's record of the release, so that a later `helm uninstall` removes nothing of the new installation. */
async function removeReleases(context: MigrationContext): Promise<number> {
  const { client, namespace, journal: { state: { helmRelease } } } = context;
  if (helmRelease === undefined) return 0;
  const records = await listPages(client, SECRETS, { namespace, labelSelector: `owner=helm,name=${helmRelease}`, metadataOnly: true });
  for (const { metadata } of records) await remove(context, SECRETS, metadata.name);
  return records.length;
}

/** Waits for the end: what others hold by finalizers would be applied anew, and go afterwards. */
async function remove(context: MigrationContext, type: ResourceType, name: string): Promise<number> {
  const { client, namespace } = context;
  const where = type.namespaced ? namespace : undefined;
  try {
    await client.delete(type, name, where);
  } catch (error) {
    if (error instanceof KubernetesError && error.status === 404) return 0;
    throw error;
  }
  await waitUntil(context, SECONDS, async () => {
    const found = await client.get(type, name, where);
    // Another one of this name is somebody else's work.
    if (!found?.metadata.deletionTimestamp) return undefined;
    return `the ${type.kind} ${name} is being deleted, and its finalizers hold it: ${listed(found.metadata.finalizers ?? [])}`;
  });
  return 1;
}
