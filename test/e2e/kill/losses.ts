import { AzureReader } from './azure-reader';
import type { TestEnvironment } from './environment';
import { isReady, readyOf } from '../../../controller/reconcile/core/conditions';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes';
import { annotation, hasFinalizer } from '../../../engine/objects/annotations';
import { lastAppliedOf } from '../../../engine/objects/last-applied';
import type { LoggedRequest } from '../../../sandbox/azure';
import { POLLER_TOKEN, RESOURCE_ID } from '../../../src/azure/annotations';

export const nameOf = ({ kind, metadata: { namespace, name } }: KubernetesObject): string => `${kind} ${namespace}/${name}`;

/** Ready, with the spec that is there now. */
export function isSettled(object: KubernetesObject): boolean {
  return isReady(object) && readyOf(object)!.observedGeneration === object.metadata.generation;
}

/** Missing parts of the objects after an apply; one line each. */
export function incomplete(objects: readonly KubernetesObject[]): string[] {
  const byName = new Map(objects.map((object) => [nameOf(object), object]));
  return objects.flatMap((object) => {
    const wrong: string[] = [];
    if (!isSettled(object)) wrong.push(`is not Ready: ${JSON.stringify(readyOf(object))}`);
    if (!hasFinalizer(object)) wrong.push('has no finalizer');
    if (!annotation(object, RESOURCE_ID)) wrong.push('has no resource id');
    if (annotation(object, POLLER_TOKEN)) wrong.push('still polls an operation');
    if (!lastAppliedOf(object)?.answered) wrong.push('does not know that its PUT was answered');
    const owners = object.metadata.ownerReferences ?? [];
    const owner = object.spec?.owner as { name: string } | undefined;
    if (owners.length !== (owner ? 1 : 0)) wrong.push(`has ${owners.length} owner references`);
    for (const { kind, name, uid } of owners) {
      if (byName.get(`${kind} ${object.metadata.namespace}/${name}`)?.metadata.uid !== uid) {
        wrong.push(`belongs to a ${kind} ${name} that is not its owner`);
      }
    }
    return wrong.map((what) => `${nameOf(object)} ${what}`);
  });
}

/** Differences between Azure's requests and resources and the objects' expected resources: each resource once. */
export function wrongInAzure(
  objects: readonly KubernetesObject[], requests: readonly LoggedRequest[], resources: readonly Record<string, any>[],
): string[] {
  const wanted = new Set(objects.map((object) => (annotation(object, RESOURCE_ID) ?? nameOf(object)).toLowerCase()));
  const there = new Set(resources.map(({ id }) => String(id).toLowerCase()));
  const byId = new Map(resources.map((resource) => [String(resource.id).toLowerCase(), resource]));
  const created = counted(requests.filter((request) => request.created));
  const asIs = new Set(objects.filter(isWantedAsItComes).map((object) => annotation(object, RESOURCE_ID)!.toLowerCase()));
  const accepted = counted(requests.filter(({ method, status = 0 }) => method === 'PUT' && status >= 200 && status < 300));
  return [
    ...(wanted.size === objects.length ? [] : [`${objects.length} objects mean ${wanted.size} resources`]),
    ...[...wanted].filter((id) => !there.has(id) && !asIs.has(id)).map((id) => `${id} is not there`),
    ...[...there].filter((id) => !wanted.has(id)).map((id) => `${id} is there and nobody has asked for it`),
    ...[...wanted]
      .filter((id) => created.get(id) !== (comesWithItsParent(id) ? undefined : 1))
      .map((id) => `${id} was created ${created.get(id) ?? 0} times`),
    ...[...created.keys()].filter((id) => !wanted.has(id)).map((id) => `${id} was created and nobody has asked for it`),
    ...[...wanted]
      .filter((id) => !(asIs.has(id) && !accepted.has(id)) && !wasSent(accepted.get(id) ?? 0, byId.get(id)))
      .map((id) => `${id} was sent ${accepted.get(id) ?? 0} times`),
    ...objects.flatMap((object) => retentionLost(object, byId.get((annotation(object, RESOURCE_ID) ?? '').toLowerCase()))),
    ...requests.filter(({ method }) => method === 'DELETE').map(({ path }) => `DELETE ${path}`),
    ...resources.map(({ id, properties }) => ({ id, state: properties?.provisioningState ?? 'Succeeded' }))
      .filter(({ state }) => state !== 'Succeeded').map(({ id, state }) => `${id} is ${state}`),
  ];
}

/** Once; again only where nothing tells whether what is there came from the PUT whose answer was lost. */
function wasSent(times: number, resource?: Record<string, any>): boolean {
  const { creationTime, createdAt, createdOn } = resource?.properties ?? {};
  const tellsItsTime = [resource?.systemData?.createdAt, creationTime, createdAt, createdOn].some((time) => typeof time === 'string');
  return times === 1 || (times > 1 && !tellsItsTime);
}

/** The services of a storage account are there from its beginning. */
function comesWithItsParent(id: string): boolean {
  return /\/(blob|queue)services\/default$/.test(id);
}

/** There from the beginning, and its object asks for nothing else: a controller that dies before its PUT finds all in order afterwards. */
function isWantedAsItComes(object: KubernetesObject): boolean {
  const { owner: _, ...asked } = object.spec ?? {};
  return comesWithItsParent((annotation(object, RESOURCE_ID) ?? '').toLowerCase()) && Object.keys(asked).length === 0;
}

/** Of what was there before the PUT, only its settings show that the PUT has arrived. */
function retentionLost(object: KubernetesObject, resource?: Record<string, any>): string[] {
  const asked = (object.spec as { deleteRetentionPolicy?: { days: number } } | undefined)?.deleteRetentionPolicy?.days;
  const found = resource?.properties?.deleteRetentionPolicy?.days;
  return asked === found ? [] : [`${nameOf(object)} asks for ${asked} days of retention, and Azure has ${found}`];
}

function counted(requests: readonly LoggedRequest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of requests) counts.set(path.toLowerCase(), (counts.get(path.toLowerCase()) ?? 0) + 1);
  return counts;
}

/**
 * The exported values, against those that Azure answers to another client. Also reports Secrets and ConfigMaps that
 * nobody has asked for.
 */
export async function wrongExports(
  env: TestEnvironment, objects: readonly KubernetesObject[], found: readonly KubernetesObject[],
): Promise<string[]> {
  const reader = new AzureReader(env.environment, env.caPem);
  try {
    const resources = new Map((await env.resources()).map((resource) => [String(resource.id).toLowerCase(), resource]));
    const expected = new Map<string, Record<string, string>>();
    for (const object of objects) {
      const id = (annotation(object, RESOURCE_ID) ?? '').toLowerCase();
      const values = object.spec?.operatorSpec ? await valuesOf(reader, object.kind, id, resources.get(id)) : undefined;
      if (values) {
        expected.set(values.target.replace('*', `${object.metadata.namespace}/${object.metadata.name.split('-')[0]}`), values.data);
      }
    }
    const actual = new Map(found.map((object) => [nameOf(object), plainData(object)]));
    return [
      ...[...expected]
        .filter(([name, data]) => !same(actual.get(name), data))
        .map(([name]) => `${name} ${actual.has(name) ? 'holds something else than Azure' : 'is missing'}`),
      ...[...actual.keys()].filter((name) => !expected.has(name)).map((name) => `${name} is there and nobody has asked for it`),
    ];
  } finally {
    await reader.close();
  }
}

interface Exported {
  /** The star stands for the namespace and the team. */
  readonly target: string;
  readonly data: Record<string, string>;
}

async function valuesOf(
  reader: AzureReader,
  kind: string,
  id: string,
  resource: Record<string, any> | undefined,
): Promise<Exported | undefined> {
  const properties = resource?.properties ?? {};
  if (kind === 'UserAssignedIdentity') {
    return { target: 'ConfigMap *-identity', data: { principalId: properties.principalId, clientId: properties.clientId } };
  }
  if (kind === 'StorageAccount') {
    const { keys } = (await reader.post(id, 'listKeys')) as { keys: { keyName: string; value: string }[] };
    return {
      target: 'Secret *-store',
      data: { key: keys.find(({ keyName }) => keyName === 'key1')!.value, endpoint: properties.primaryEndpoints?.blob },
    };
  }
  const { primaryKey } = await reader.post(`${id}/AuthorizationRules/RootManageSharedAccessKey`, 'listKeys');
  return { target: 'Secret *-bus', data: { key: primaryKey } };
}

function plainData({ kind, data = {} }: KubernetesObject): Record<string, string> {
  return kind === 'Secret'
    ? Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
    : data;
}

function same(actual: Record<string, string> | undefined, expected: Record<string, string>): boolean {
  const sorted = (data: Record<string, string>) => JSON.stringify(Object.entries(data).sort());
  return actual !== undefined && sorted(actual) === sorted(expected);
}

/** All objects of the types in the tree's namespaces. */
export async function listed(env: TestEnvironment, types: readonly ResourceType[]): Promise<KubernetesObject[]> {
  const lists = await Promise.all(types.map((type) => env.client.list(type, {})));
  return lists.flatMap(({ items }) => items).filter(({ metadata: { namespace = '' } }) => namespace.startsWith('teams-'));
}
