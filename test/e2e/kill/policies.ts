import type { TestEnvironment } from './environment';
import { nameOf } from './losses';
import type { KubernetesObject, ResourceType } from '../../../engine/kubernetes';
import { annotation } from '../../../engine/objects/annotations';
import type { LoggedRequest } from '../../../sandbox/azure';
import { RESOURCE_ID } from '../../../src/azure/annotations';

const POLICY = 'serviceoperator.azure.com/reconcile-policy';
/** Of this one nothing is deleted in Azure. */
export const DETACHED = 'teams-3';
/** Of this one nothing is written in Azure. Not one of the tree's. */
const WATCHED = 'watched';
const WATCHED_GROUPS = 10;

/** The policies of the namespaces: known to the controller by the list of Namespaces alone. */
export function policyOf(namespace: string): Readonly<Record<string, string>> {
  return namespace === DETACHED ? { [POLICY]: 'detach-on-delete' } : {};
}

/** Objects under `skip`, of which Azure must never hear but by reads. */
export async function createWatched(environment: TestEnvironment, namespaces: ResourceType, groups: ResourceType): Promise<void> {
  await environment.client.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: WATCHED, annotations: { [POLICY]: 'skip' } },
  });
  for (let number = 0; number < WATCHED_GROUPS; number += 1) {
    await environment.client.create(groups, {
      apiVersion: 'resources.azure.com/v1api20200601',
      kind: 'ResourceGroup',
      metadata: { name: `watched-${number}`, namespace: WATCHED },
      spec: { location: 'uksouth' },
    });
  }
}

/** Requests that a policy forbids, and resources that are gone although one keeps them. `objects`: as they were before the deletion. */
export function againstPolicies(
  objects: readonly KubernetesObject[], requests: readonly LoggedRequest[], resources: readonly Readonly<Record<string, unknown>>[],
): string[] {
  const there = new Set(resources.map(({ id }) => String(id).toLowerCase()));
  // A resource that Azure creates with its parent (the queue service of a storage account) and that needs no change is never written.
  const written = new Set(requests.filter(({ method }) => method === 'PUT').map(({ path }) => path.toLowerCase()));
  const kept = detached(objects);
  const ids = new Map(kept.map((object) => [(annotation(object, RESOURCE_ID) ?? '').toLowerCase(), nameOf(object)]));
  return [
    ...requests
      .filter(({ method, path }) => method !== 'GET' && /\/resourcegroups\/watched-/i.test(path))
      .map(({ method, path }) => `${method} ${path} under skip`),
    ...requests
      .filter(({ method, path }) => method === 'DELETE' && ids.has(path.toLowerCase()))
      .map(({ path }) => `DELETE ${path} under detach-on-delete`),
    ...[...ids]
      .filter(([id]) => !there.has(id) && written.has(id))
      .map(([id, name]) => `${id} of ${name} is gone in spite of detach-on-delete`),
  ];
}

/** Not of the objects under `skip`, about which there are rules of their own. */
export function isOfTree({ path, id }: { readonly path?: string; readonly id?: string }): boolean {
  return !/\/resourcegroups\/watched-/i.test(path ?? id ?? '');
}

export function detached(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  return objects.filter(({ metadata }) => metadata.namespace === DETACHED);
}
