import type { JsonSchema, PrinterColumn } from '../../../src/catalog/crd-types';

/** A resource that the server serves, in all its versions. */
export interface ResourceDefinition {
  /** `''` for the core group. */
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly versions: readonly ResourceVersion[];
  /** Defined by a CRD. */
  readonly custom: boolean;
  /** `metadata.generation` counts the changes of everything but metadata and status. */
  readonly counted: boolean;
  /** Answered on the spot and never stored (reviews): only `create`. */
  readonly virtual: boolean;
}

export interface ResourceVersion {
  readonly name: string;
  /** Status can only be written by way of the subresource. */
  readonly status: boolean;
  /** Absent: anything is stored. Read only when it is needed: a schema is made when it is first asked for. */
  readonly schema?: () => JsonSchema | undefined;
  readonly columns?: readonly PrinterColumn[];
  readonly deprecationWarning?: string;
}

/** The name under which the store keeps the objects of a resource. */
export const storageName = ({ group, plural }: { readonly group: string; readonly plural: string }): string =>
  group ? `${plural}.${group}` : plural;

const STORED_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
/** A real server tells them in another order. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

export const verbsOf = ({ virtual, custom }: ResourceDefinition): readonly string[] =>
  virtual ? ['create'] : custom ? CUSTOM_VERBS : STORED_VERBS;

/** Most preferred first: v2, v1, v1beta1, v1alpha1, then other names as text. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((name) => /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(name));
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const stability = (match: RegExpExecArray) => (match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0);
  return stability(y) - stability(x) || Number(y[1]) - Number(x[1]) || Number(y[3] ?? 0) - Number(x[3] ?? 0);
}
