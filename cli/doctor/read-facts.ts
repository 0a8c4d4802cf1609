import type { ClusterFacts, ControllerState, CrdFacts, Unread } from './facts';
import type { Area } from './finding';
import { GLOBAL_SECRET } from '../../engine/credentials';
import { CONTROLLER_LEASE, controllersOf } from '../../engine/inspect';
import { KubernetesError, type KubernetesObject, type ListOptions, type ResourceType } from '../../engine/kubernetes/types';
import { CRD_KIND } from '../../engine/kubernetes/watched-kind';
import { Catalog } from '../../src/catalog';
import { CRD_NAME_LABEL, CRD_NAME_LABEL_VALUE, CRD_VERSION_LABEL } from '../../src/catalog/crd';
import { INJECT_CA_ANNOTATION, WEBHOOK_SECRET } from '../../src/catalog/webhook-configurations';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { isRecord, isText, member, text } from '../../src/util/records';
import { decodeSecretValue } from '../../src/util/secret-data';
import { atATime } from '../cluster/at-a-time';
import { AT_A_TIME, readAzureObjects } from '../cluster/azure-objects';
import { listPages, type ClusterReader } from '../cluster/reader';
import {
  ARGO_APPLICATIONS, CONFIG_MAPS, DEPLOYMENTS, ENDPOINT_SLICES, FLUX_KUSTOMIZATIONS, FLUX_RELEASES, LEASES, MUTATING_WEBHOOKS, NAMESPACES,
  PODS, SECRETS, VALIDATING_WEBHOOKS,
} from '../cluster/resource-types';
import { schemaDifferences, type SchemaDifferences } from '../cluster/schema-differences';

const CRDS_A_PAGE = 50;
const CONTROLLER_PODS = 'control-plane=controller-manager';

/**
 * Reads a cluster. What this user may not read, or what the cluster does not serve, is reported and left out.
 *
 * @throws KubernetesError where the cluster does not answer
 */
export async function readFacts(
  reader: ClusterReader, { namespace, now }: { readonly namespace?: string | undefined; readonly now: () => number },
): Promise<ClusterFacts> {
  const unread: Unread[] = [];
  const all = (area: Area, type: ResourceType, options: ListOptions = {}, kept?: (object: KubernetesObject) => KubernetesObject) =>
    readable(area, `${type.plural}${type.group === '' ? '' : `.${type.group}`}`, unread, () => listPages(reader, type, options, kept));
  const { types } = await reader.discovery();
  const serves = ({ group, plural }: ResourceType) => types.some((type) => type.group === group && type.plural === plural);
  const served = (area: Area, type: ResourceType) => {
    const newest = types.find(({ group, plural }) => group === type.group && plural === type.plural);
    return newest ? all(area, newest) : Promise.resolve([]);
  };
  const azure = await readAzureObjects(reader, namespace);
  unread.push(...azure.unread.map((line): Unread => ({ area: 'objects', text: line })));
  const crds = (await all('CRDs', CRD_KIND, { limit: CRDS_A_PAGE }, withoutSchemas)).map(crdFacts);
  const deployments = await all('controllers', DEPLOYMENTS, { labelSelector: CONTROLLER_PODS });
  const leases = (await all('leases and clocks', LEASES)).filter(({ metadata }) => metadata.name === CONTROLLER_LEASE);
  const webhookConfigurations = [...await all('webhooks', MUTATING_WEBHOOKS), ...await all('webhooks', VALIDATING_WEBHOOKS)];
  const controllers = await controllerStates(reader, { deployments, leases, now: now() }, unread);
  const argo = serves(ARGO_APPLICATIONS) ? await served('GitOps', ARGO_APPLICATIONS) : [];
  return {
    now: now(),
    crds,
    controllers,
    leases,
    webhookConfigurations,
    endpoints: await readyAddresses(reader, unread),
    certificates: await certificatesOf(reader, controllers, unread),
    namespaces: await all('objects', NAMESPACES),
    objects: azure.objects,
    types: azure.types,
    argo: { applications: argo, settings: argo.length > 0 ? await argoSettings(reader, unread) : undefined },
    flux: { kustomizations: await served('GitOps', FLUX_KUSTOMIZATIONS), releases: await served('GitOps', FLUX_RELEASES) },
    unread,
  };
}

/** An empty list, and a line about it, where this user may not read it. */
async function readable<T>(area: Area, title: string, unread: Unread[], read: () => Promise<T[]>): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof KubernetesError) || (error.status !== 403 && error.status !== 404)) throw error;
    unread.push({ area, text: `${title}: ${error.message}` });
    return [];
  }
}

function withoutSchemas(crd: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata, spec, status } = crd;
  const versions = Array.isArray(spec?.versions) ? spec.versions.filter(isRecord) : [];
  const { group, names, conversion } = spec ?? {};
  const shown = versions.map(({ name, served, storage }) => ({ name, served, storage }));
  const known = isLabelled(crd) ? Catalog.default().kind(String(group), text(names, 'kind') ?? '') : undefined;
  const schema = known && schemaDifferences(versions, known);
  return { apiVersion, kind, metadata, spec: { group, names, conversion, versions: shown, schema }, ...(status && { status }) };
}

function isLabelled({ metadata }: KubernetesObject): boolean {
  return metadata.labels?.[CRD_NAME_LABEL] === CRD_NAME_LABEL_VALUE;
}

function crdFacts(crd: KubernetesObject): CrdFacts {
  const { metadata, spec, status } = crd;
  const client = member(member(spec?.conversion, 'webhook'), 'clientConfig');
  const service = member(client, 'service');
  const conditions = Array.isArray(status?.conditions) ? status.conditions.filter(isRecord) : [];
  return {
    name: metadata.name,
    group: text(spec, 'group') ?? '',
    kind: text(spec?.names, 'kind') ?? '',
    plural: text(spec?.names, 'plural') ?? '',
    versions: (spec?.versions as { name: string; served: boolean; storage: boolean }[] | undefined) ?? [],
    storedVersions: Array.isArray(status?.storedVersions) ? status.storedVersions.filter(isText) : [],
    conversion: text(spec?.conversion, 'strategy') === 'Webhook'
      ? { namespace: text(service, 'namespace') ?? '', service: text(service, 'name') ?? '', caBundle: text(client, 'caBundle') ?? '' }
      : undefined,
    release: metadata.labels?.[CRD_VERSION_LABEL],
    isLabelled: isLabelled(crd),
    schema: spec?.schema as SchemaDifferences | undefined,
    conditions: conditions.filter((condition) => condition.status === 'True').flatMap((condition) => text(condition, 'type') ?? []),
    injectCaFrom: metadata.annotations?.[INJECT_CA_ANNOTATION],
  };
}

interface Installed {
  readonly deployments: readonly KubernetesObject[];
  readonly leases: readonly KubernetesObject[];
  readonly now: number;
}

async function controllerStates(
  reader: ClusterReader, { deployments, leases, now }: Installed, unread: Unread[],
): Promise<ControllerState[]> {
  const states: ControllerState[] = [];
  for (const facts of controllersOf(deployments, leases, now)) {
    const { namespace, deployment } = facts;
    const object = deployments.find(({ metadata }) => metadata.namespace === namespace && metadata.name === deployment);
    const pods = await readable('controllers', `pods of ${namespace}`, unread, () =>
      listPages(reader, PODS, { namespace, labelSelector: CONTROLLER_PODS }));
    const settings = await settingsOf(reader, namespace, unread);
    const pod = member(member(object?.spec, 'template'), 'spec');
    const container = containerOf(pod);
    const variable = (name: string) => variableOf(container, name) ?? settings?.[name];
    states.push({
      ...facts,
      object,
      pods,
      serviceAccount: text(pod, 'serviceAccountName') ?? 'azureserviceoperator-default',
      arguments: listOf(member(container, 'args')).filter(isText),
      targetNamespaces: settings === undefined
        ? undefined
        : (variable('AZURE_TARGET_NAMESPACES') ?? '').split(',').map((name) => name.trim()).filter((name) => name !== ''),
      mode: (variable('AZURE_OPERATOR_MODE') ?? '').toLowerCase(),
    });
  }
  return states;
}

function containerOf(pod: unknown): unknown {
  const containers = listOf(member(pod, 'containers'));
  return containers.find((one) => text(one, 'name') === 'manager') ?? containers[0];
}

function variableOf(container: unknown, name: string): string | undefined {
  return text(listOf(member(container, 'env')).find((one) => text(one, 'name') === name), 'value');
}

/** Two of the settings, which are no secrets. Undefined where the Secret may not be read. */
async function settingsOf(reader: ClusterReader, namespace: string, unread: Unread[]): Promise<Record<string, string> | undefined> {
  const count = unread.length;
  const [secret] = await readable('controllers', `Secret ${namespace}/${GLOBAL_SECRET}`, unread, async () => {
    const found = await reader.get(SECRETS, GLOBAL_SECRET, namespace);
    return found ? [found] : [];
  });
  if (unread.length > count) return undefined;
  const plain: Record<string, string> = {};
  for (const name of ['AZURE_TARGET_NAMESPACES', 'AZURE_OPERATOR_MODE']) {
    const value = secret?.data?.[name];
    if (isText(value)) plain[name] = decodeSecretValue(value);
  }
  return plain;
}

/** `namespace/service` → ready addresses, of the services that CRDs and webhooks may name. */
async function readyAddresses(reader: ClusterReader, unread: Unread[]): Promise<Map<string, number>> {
  const slices = await readable('webhooks', 'endpointslices.discovery.k8s.io', unread, () => listPages(reader, ENDPOINT_SLICES));
  const ready = new Map<string, number>();
  for (const { metadata, ...slice } of slices) {
    const service = metadata.labels?.['kubernetes.io/service-name'];
    if (service === undefined) continue;
    const endpoints = listOf(member(slice, 'endpoints')).filter((endpoint) => member(member(endpoint, 'conditions'), 'ready') !== false);
    const addresses = endpoints.reduce((sum: number, endpoint) => sum + listOf(member(endpoint, 'addresses')).length, 0);
    const key = `${metadata.namespace ?? ''}/${service}`;
    ready.set(key, (ready.get(key) ?? 0) + addresses);
  }
  return ready;
}

/** The certificates of webhooks. Of their Secrets the key is not kept. */
async function certificatesOf(
  reader: ClusterReader, controllers: readonly ControllerState[], unread: Unread[],
): Promise<Map<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  await atATime(controllers.filter(({ mode }) => mode !== 'watchers'), AT_A_TIME, async ({ namespace }) => {
    const name = `${namespace}/${WEBHOOK_SECRET}`;
    const read = await readable('webhooks', `Secret ${name}`, unread, async () => [await reader.get(SECRETS, WEBHOOK_SECRET, namespace)]);
    for (const secret of read) {
      const value = secret?.data?.['tls.crt'];
      found.set(name, isText(value) ? decodeSecretValue(value) : undefined);
    }
  });
  return found;
}

async function argoSettings(reader: ClusterReader, unread: Unread[]): Promise<KubernetesObject | undefined> {
  const found = await readable('GitOps', 'configmaps', unread, () => listPages(reader, CONFIG_MAPS, { fieldSelector: 'metadata.name=argocd-cm' }));
  return found[0];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isAzureGroup(group: string): boolean {
  return mayBeInCatalog(group);
}
