import { containersOf } from './asos-installation';
import { stop, warning, type Finding } from './finding';
import { CERTIFICATE_SECRETS } from './steps/remove-aso';
import { KubernetesError, type KubernetesClient, type KubernetesObject, type ResourceType } from '../../engine/kubernetes/types';
import { isRecord, member } from '../../src/util/records';
import { counted } from '../../src/util/words';
import { CONFIG_MAPS, PRIORITY_CLASSES, SECRETS, SERVICE_ACCOUNTS } from '../cluster/resource-types';

/** An object that pods do not start without. */
interface PodReference {
  readonly type: ResourceType;
  readonly name: string;
  /** A key that it has to have. */
  readonly key?: string;
  /** The part of the pod: `environment`, `volumes`, … */
  readonly where: string;
}

/**
 * Objects that the pods of the new Deployments name, and that will not be there: neither in the manifests, nor in the cluster, or only
 * until the old controller is removed.
 * @param removed objects of the old controller that go, by kind and name
 */
export async function podReferenceFindings(
  client: Pick<KubernetesClient, 'get'>, install: readonly KubernetesObject[], removed: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const deployment of install.filter(({ kind }) => kind === 'Deployment')) {
    const { namespace = '', name } = deployment.metadata;
    const missing = new Map<string, { readonly text: string; readonly references: PodReference[] }>();
    for (const reference of podReferences(deployment)) {
      const why = await reasonToMiss(client, reference, namespace, install, removed);
      if (why === undefined) continue;
      const named = `${reference.type.kind} ${reference.name}`;
      if (why.isUnread) {
        findings.push(warning('pods', `the Deployment ${namespace}/${name} names the ${named}: ${why.text}`, 'see whether it is there'));
        continue;
      }
      const key = `${named} ${why.text}`;
      missing.set(key, { text: why.text, references: [...(missing.get(key)?.references ?? []), reference] });
    }
    for (const { text, references } of missing.values()) findings.push(findingOf(deployment, text, references));
  }
  return findings;
}

function findingOf({ metadata: { namespace, name } }: KubernetesObject, text: string, references: readonly PodReference[]): Finding {
  const [{ type, name: of, where }] = references as [PodReference];
  const keys = references.flatMap(({ key }) => key ?? []);
  const named = keys.length > 0 && text.startsWith('it has not') ? ` (${counted(keys.length, 'key')}: ${keys.join(', ')})` : '';
  return stop('pods', `the pods of the Deployment ${namespace}/${name} would not start: the ${type.kind} ${of} of their ${where}: ${text}${named}`, 'create it before, add it to --install, or take it out of the Deployment');
}

/** The objects that the pods of a Deployment need, without optional ones. */
export function podReferences(deployment: KubernetesObject): PodReference[] {
  const spec = member(member(deployment.spec, 'template'), 'spec');
  const found: PodReference[] = [];
  const add = (type: ResourceType, reference: unknown, where: string, key?: unknown) => {
    const name = member(reference, 'name') ?? member(reference, 'secretName');
    if (typeof name !== 'string' || name === '' || member(reference, 'optional') === true) return;
    found.push({ type, name, where, ...(typeof key === 'string' && { key }) });
  };
  const containers = [...containersOf(deployment), ...listOf(spec, 'initContainers')] as readonly unknown[];
  for (const container of containers) {
    for (const variable of listOf(container, 'env')) {
      const from = member(variable, 'valueFrom');
      for (const [type, reference] of [[SECRETS, member(from, 'secretKeyRef')], [CONFIG_MAPS, member(from, 'configMapKeyRef')]] as const) {
        add(type, reference, 'environment', member(reference, 'key'));
      }
    }
    for (const source of listOf(container, 'envFrom')) {
      add(SECRETS, member(source, 'secretRef'), 'environment');
      add(CONFIG_MAPS, member(source, 'configMapRef'), 'environment');
    }
  }
  for (const volume of listOf(spec, 'volumes')) {
    for (const source of [volume, ...listOf(member(volume, 'projected'), 'sources')]) {
      for (const [type, reference] of [[SECRETS, member(source, 'secret')], [CONFIG_MAPS, member(source, 'configMap')]] as const) {
        const items = listOf(reference, 'items');
        if (items.length === 0) add(type, reference, 'volumes');
        for (const item of items) add(type, reference, 'volumes', member(item, 'key'));
      }
    }
  }
  for (const secret of listOf(spec, 'imagePullSecrets')) add(SECRETS, secret, 'imagePullSecrets');
  add(SERVICE_ACCOUNTS, { name: member(spec, 'serviceAccountName') ?? 'default' }, 'serviceAccountName');
  add(PRIORITY_CLASSES, { name: member(spec, 'priorityClassName') }, 'priorityClassName');
  return found;
}

interface Missing {
  readonly text: string;
  readonly isUnread?: true;
}

async function reasonToMiss(
  client: Pick<KubernetesClient, 'get'>,
  { type, name, key, where }: PodReference,
  namespace: string,
  install: readonly KubernetesObject[],
  removed: ReadonlySet<string>,
): Promise<Missing | undefined> {
  const given = install.find(({ kind, metadata }) => (
    kind === type.kind && metadata.name === name && (!type.namespaced || metadata.namespace === namespace)));
  if (type === SECRETS && install.some(({ kind, spec }) => kind === 'Certificate' && spec?.secretName === name)) return undefined;
  if (given && (key === undefined || hasKey(given, key))) return undefined;
  const goes = removed.has(`${type.kind} ${name}`)
    || (type === SECRETS && CERTIFICATE_SECRETS.includes(name));
  let found: KubernetesObject | undefined;
  try {
    found = await client.get(type, name, type.namespaced ? namespace : undefined);
  } catch (error) {
    if (!(error instanceof KubernetesError) || error.status === 0) throw error;
    return { text: `it cannot be read: ${error.message}`, isUnread: true };
  }
  if (!found && !given) return { text: 'it is not there' };
  if (goes && !given) return { text: 'it goes with the old controller' };
  if (found?.metadata.deletionTimestamp !== undefined) return { text: 'it is being deleted' };
  // Manifests are applied over what is there.
  if (key !== undefined && (goes || !found || !hasKey(found, key))) return { text: 'it has not every key' };
  const wrong = where === 'imagePullSecrets' && !/dockerc(onfigjson|fg)$/.test(String((found ?? given)?.type));
  return wrong ? { text: 'it is no Secret of a registry (kubernetes.io/dockerconfigjson)' } : undefined;
}

function hasKey(object: KubernetesObject, key: string): boolean {
  return ['data', 'stringData', 'binaryData'].map((name) => member(object, name)).some((values) => isRecord(values) && Object.hasOwn(values, key));
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}
