import { replaceVariables } from './variables';
import { groupOf } from '../../../src/object-id';
import { mayBeInCatalog } from '../../../src/util/api-groups';
import { isRecord } from '../../../src/util/records';

const CONTAINERS: ReadonlySet<string> = new Set(['containers', 'initContainers', 'ephemeralContainers']);

/**
 * An object without the `$(NAME)` of its containers, which Kubernetes replaces by their environment. Containers of Azure have no such
 * variables.
 * @see https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
 */
export function withoutPodVariables(object: unknown): unknown {
  const { apiVersion } = isRecord(object) ? object : {};
  return typeof apiVersion === 'string' && mayBeInCatalog(groupOf({ apiVersion })) ? object : mapContainers(object);
}

function mapContainers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mapContainers);
  if (!isRecord(value)) return value;
  return mapValues(value, (item, key) => (CONTAINERS.has(key) && Array.isArray(item) ? item.map(mapContainer) : mapContainers(item)));
}

function mapContainer(container: unknown): unknown {
  if (!isRecord(container)) return container;
  return mapValues(container, (item, key) => {
    if (!Array.isArray(item)) return item;
    if (key === 'command' || key === 'args') return item.map(withoutReferences);
    return key === 'env' ? item.map(withoutReferencesInValue) : item;
  });
}

function withoutReferencesInValue(variable: unknown): unknown {
  return isRecord(variable) ? mapValues(variable, (item, key) => (key === 'value' ? withoutReferences(item) : item)) : variable;
}

function withoutReferences(text: unknown): unknown {
  return typeof text === 'string' ? replaceVariables(text, (variable) => (variable.text.startsWith('$(') ? '' : undefined)) : text;
}

function mapValues(map: Readonly<Record<string, unknown>>, by: (value: unknown, key: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, by(value, key)]));
}
