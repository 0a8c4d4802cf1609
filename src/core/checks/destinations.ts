import type { ApiObject } from 'cdk8s';
import type { AzureResource } from '../azure-resource';
import type { AppResource, Report } from './app-checks';
import type { Destination } from '../schema/conversion';

/**
 * A key is written by one export only, and a ConfigMap or Secret by one resource only: the controller replaces it whole, unless
 * somebody else has made it.
 * @param stores the ConfigMaps and Secrets that stand in the app themselves
 */
export function destinationProblems(resources: readonly AppResource[], stores: readonly ApiObject[], report: Report): void {
  const taken = new Map(stores.map((store) => [keyOf(store.kind, store.metadata.namespace, store.name), store]));
  const writers = new Map<string, { resource: AzureResource; path: string }>();
  for (const { resource, checked } of resources) {
    withinResource(resource, checked.destinations, report);
    for (const destination of checked.destinations) {
      const key = keyOf(destination.store, resource.metadata.namespace, destination.name);
      const store = taken.get(key);
      if (store) report(resource, `${resource.kind} ${destination.path}: the ${destination.store} '${destination.name}' is made by '${store.node.path}'; the controller overwrites none that it has not made itself. Give another name.`);
      const writer = writers.get(key);
      if (!writer) {
        writers.set(key, { resource, path: destination.path });
      } else if (writer.resource !== resource) {
        report(resource, `${resource.kind} ${destination.path}: the ${destination.store} '${destination.name}' is already written by '${writer.resource.node.path}' (${writer.path}); the controller lets one resource own it. Give another name.`);
      }
    }
  }
}

function keyOf(store: string, namespace: string | undefined, name: string): string {
  return `${store}/${namespace ?? ''}/${name}`;
}

function withinResource(resource: AzureResource, destinations: Destination[], report: Report): void {
  if (destinations.length < 2) return;
  const written = new Map<string, string>();
  const claim = (key: string, path: string, what: string) => {
    const before = written.get(key);
    if (before === undefined) written.set(key, path);
    else report(resource, `${resource.kind} ${path}: ${what} is already written by ${before}. Give another key or name.`);
  };
  for (const { store, name, key, path, annotations, labels } of destinations) {
    // Expressions that give a map have no key of their own; their keys are known only when they run.
    if (key !== undefined) claim(`${store} ${name} key ${key}`, path, `key '${key}' of ${store} '${name}'`);
    for (const annotation of annotations) claim(`${store} ${name} annotation ${annotation}`, path, `annotation '${annotation}' of ${store} '${name}'`);
    for (const label of labels) claim(`${store} ${name} label ${label}`, path, `label '${label}' of ${store} '${name}'`);
  }
}
