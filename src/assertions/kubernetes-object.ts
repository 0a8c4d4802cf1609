/** The members common to all Kubernetes objects. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
  readonly [property: string]: unknown;
}

/** The objects of a list of documents: `List` objects are expanded, empty documents skipped. */
export function objectsOf(documents: readonly unknown[]): KubernetesObject[] {
  return documents.flatMap((document, index) => {
    if (document === null || document === undefined) return [];
    const { apiVersion, kind, items } = document as { apiVersion?: unknown; kind?: unknown; items?: unknown };
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
      throw new Error(`Document ${index + 1} is no object of Kubernetes: it has no ${typeof kind === 'string' ? 'apiVersion' : 'kind'}. Give objects with apiVersion and kind, as Yaml.load reads them.`);
    }
    return kind === 'List' && Array.isArray(items) ? objectsOf(items) : [document as KubernetesObject];
  });
}

/** `namespace/name`, without the missing parts. */
export function nameOf({ metadata }: KubernetesObject): string {
  const name = metadata?.name ?? '(without a name)';
  return metadata?.namespace === undefined ? name : `${metadata.namespace}/${name}`;
}

const HIDDEN = '(not shown)';

/** The object without the values of a Secret, because test logs are often public. */
export function withoutSecrets(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'Secret') return object;
  const hidden = Object.entries(object).map(([property, value]) => [property, isSecret(object, property) ? hide(value) : value]);
  return Object.fromEntries(hidden) as KubernetesObject;
}

export function isSecret({ kind }: KubernetesObject, property: string | number | undefined): boolean {
  return kind === 'Secret' && (property === undefined || property === 'data' || property === 'stringData');
}

function hide(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return HIDDEN;
  return Object.fromEntries(Object.keys(value).map((key) => [key, HIDDEN]));
}
