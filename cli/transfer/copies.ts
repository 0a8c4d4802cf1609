import { isDeepStrictEqual } from 'node:util';
import { apiVersionOfItem } from './selection';
import { markOf, type Item } from './types';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import {
  ADOPT, ARGO_TRACKING_ID, ASO_PREFIX, CHILD_RESOURCE_ID_OVERRIDE, CREDENTIAL_FROM, isState, KUBECTL_LAST_APPLIED, LAST_VERSION_LABEL,
  OWNER_GROUP_KIND_LABEL, OWNER_NAME_LABEL, OWNER_UID_LABEL, POLICY_BEFORE_TRANSFER, RECONCILE_POLICY, RESOURCE_ID, TRANSFERRED_FROM,
} from '../../src/azure/annotations';
import { parseArmId } from '../../src/azure/arm-id';
import { Catalog } from '../../src/catalog';

/** Annotations of ASO's prefix that users set; the controller writes the others. */
const USERS: ReadonlySet<string> = new Set([RECONCILE_POLICY, CREDENTIAL_FROM, CHILD_RESOURCE_ID_OVERRIDE]);
const OWNER_LABELS: ReadonlySet<string> = new Set([OWNER_NAME_LABEL, OWNER_GROUP_KIND_LABEL, OWNER_UID_LABEL, LAST_VERSION_LABEL]);
/** Keys by which Argo CD, Flux and Helm know what they have applied, and would prune. */
const DEPLOYERS = /^(?:(?:kustomize|helm)\.toolkit\.fluxcd\.io\/(?:name|namespace|checksum)|meta\.helm\.sh\/.+|app\.kubernetes\.io\/managed-by)$/;

/**
 * The object for the other namespace: only read at first (`skip`), under the name that the resource has in Azure, without what the
 * controller and deployers have written.
 */
export function copyOf(item: Item, { metadata, spec = {} }: KubernetesObject, namespace: string): KubernetesObject {
  const { labels = {}, annotations = {}, name } = metadata;
  const isWritten = (key: string) => isState(key) || key === KUBECTL_LAST_APPLIED || key === ARGO_TRACKING_ID || DEPLOYERS.test(key);
  const isKept = (key: string) => !isWritten(key) && (!key.startsWith(ASO_PREFIX) || USERS.has(key));
  const kept = (entries: Readonly<Record<string, string>>, keep: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => keep(key)));
  return {
    apiVersion: apiVersionOfItem(item),
    kind: item.type.kind,
    metadata: {
      name,
      namespace,
      labels: kept(labels, (key) => !OWNER_LABELS.has(key) && !DEPLOYERS.test(key)),
      annotations: { ...kept(annotations, (key) => isKept(key) && key !== ADOPT && key !== POLICY_BEFORE_TRANSFER), [RECONCILE_POLICY]: 'skip', [TRANSFERRED_FROM]: markOf({ fromNamespace: metadata.namespace ?? '' }, item) },
    },
    spec: { ...spec, ...azureName(item, annotations[RESOURCE_ID], spec) },
  };
}

/** A generated name follows namespace and owner, so the name that the resource has is written down. */
function azureName({ type }: Item, id: string | undefined, spec: Readonly<Record<string, unknown>>): { azureName?: string } {
  const version = Catalog.default().kind(type.group, type.kind)?.version(type.version);
  if (id === undefined || version?.facts.name !== 'azureName' || spec.azureName || spec.azureNameFromConfig) return {};
  const parts = parseArmId(id);
  const name = parts?.names.at(-1) ?? parts?.resourceGroup;
  return name === undefined ? {} : { azureName: name };
}

/** A Secret or ConfigMap for the other namespace. */
export function valueCopy(object: KubernetesObject, namespace: string): KubernetesObject {
  const { metadata, status: _, ...content } = object;
  const labels = Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !DEPLOYERS.test(key)));
  return { ...content, metadata: { name: metadata.name, namespace, labels, annotations: { [TRANSFERRED_FROM]: markOfValue(object) } } };
}

/** The value of the annotation `transferred-from` of a Secret's or ConfigMap's copy. */
export function markOfValue({ metadata: { namespace = '', uid = '' } }: KubernetesObject): string {
  return markOf({ fromNamespace: namespace }, { uid });
}

/**
 * Properties of the spec in which a copy differs from the object that it was made of: one of them was edited, or the CRD of the other
 * cluster does not have the property.
 */
export function differences(item: Item, source: KubernetesObject, copy: KubernetesObject): string[] {
  const { spec: wanted = {} } = copyOf(item, source, copy.metadata.namespace ?? '');
  const { spec = {} } = copy;
  return [...new Set([...Object.keys(wanted), ...Object.keys(spec)])]
    .filter((name) => !isDeepStrictEqual(wanted[name], spec[name]))
    .map((name) => `spec.${name}`)
    .sort();
}
