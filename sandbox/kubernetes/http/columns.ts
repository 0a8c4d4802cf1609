import type { StoredObject } from '../objects';
import { age } from './age';
import { jsonPath } from './json-path';
import { isRecord } from '../../../src/util/records';
import type { ResourceDefinition, ResourceVersion } from '../resources/definition';
import { storageName } from '../resources/definition';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority: number;
  readonly cell: (object: StoredObject, now: number) => unknown;
}

const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
  cell: (object) => object.metadata.name,
};
const AGE: Column = {
  ...column('Age', (object, now) => age(object.metadata.creationTimestamp, now)),
  description: 'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
};

function column(name: string, show: Column['cell'], type = 'string'): Column {
  return { name, type, priority: 0, cell: show };
}

const at =
  (path: string) =>
    (object: StoredObject): unknown =>
      jsonPath(object, path)[0] ?? '';
const count =
  (path: string) =>
    (object: StoredObject): number => {
      const value = jsonPath(object, path)[0];
      return Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0;
    };
const readyOf =
  (ready: string, all: string) =>
    (object: StoredObject): string =>
      `${String(jsonPath(object, ready)[0] ?? 0)}/${String(jsonPath(object, all)[0] ?? 1)}`;

/** The columns between name and age of Kubernetes' own kinds. */
const BUILTIN: Record<string, readonly Column[]> = {
  'configmaps': [column('Data', count('.data'))],
  'secrets': [column('Type', at('.type')), column('Data', count('.data'))],
  'namespaces': [column('Status', at('.status.phase'))],
  'serviceaccounts': [column('Secrets', count('.secrets'), 'integer')],
  'pods': [column('Status', at('.status.phase'))],
  'services': [column('Type', at('.spec.type'))],
  'deployments.apps': [
    column('Ready', readyOf('.status.readyReplicas', '.spec.replicas')),
    column('Up-to-date', at('.status.updatedReplicas'), 'integer'),
    column('Available', at('.status.availableReplicas'), 'integer'),
  ],
  'statefulsets.apps': [column('Ready', readyOf('.status.readyReplicas', '.spec.replicas'))],
  'leases.coordination.k8s.io': [column('Holder', at('.spec.holderIdentity'))],
  'rolebindings.rbac.authorization.k8s.io': [
    column('Role', (object) => `${String(at('.roleRef.kind')(object))}/${String(at('.roleRef.name')(object))}`),
  ],
  'clusterrolebindings.rbac.authorization.k8s.io': [
    column('Role', (object) => `${String(at('.roleRef.kind')(object))}/${String(at('.roleRef.name')(object))}`),
  ],
};

const EVENT: readonly Column[] = [
  column('Last Seen', (object, now) => age(object.lastTimestamp ?? object.eventTime ?? object.metadata.creationTimestamp, now)),
  column('Type', at('.type')),
  column('Reason', at('.reason')),
  column('Object', (object) => `${String(at('.involvedObject.kind')(object)).toLowerCase()}/${String(at('.involvedObject.name')(object))}`),
  column('Message', (object) => String(at('.message')(object)).trim()),
];

export function columnsOf(definition: ResourceDefinition, version: ResourceVersion): readonly Column[] {
  const name = storageName(definition);
  if (name === 'events') return EVENT;
  if (name === 'customresourcedefinitions.apiextensions.k8s.io') {
    return [NAME, column('Created At', (object) => object.metadata.creationTimestamp)];
  }
  if (!version.columns?.length) return [NAME, ...(BUILTIN[name] ?? []), AGE];
  const printed = version.columns.map(({ name: title, type, jsonPath: path, format, description, priority }): Column => ({
    name: title,
    type,
    ...(format && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${path}`,
    priority: priority ?? 0,
    cell: (object, now) => cell(jsonPath(object, path), type, now),
  }));
  return [NAME, ...printed];
}

function cell(found: readonly unknown[], type: string, now: number): unknown {
  if (found.length === 0) return null;
  if (type === 'date') return age(found[0], now);
  if (type !== 'string') return found[0];
  return found.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(',');
}
