import type { KindVersion } from '../../catalog/kind';
import { serviceOfGroup } from '../../util/api-groups';

/** A reference of an object to its owner or another resource: an object of its namespace or an ARM id. */
export interface Target {
  readonly path: string;
  readonly group?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly armId?: string | undefined;
}

/** A ConfigMap or Secret, or one key of it, that an object reads or writes. */
export interface Value {
  readonly path: string;
  readonly store: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Absent for the whole store. */
  readonly key?: string | undefined;
  /** The reader goes on without it. */
  readonly optional?: true | undefined;
}

/** Input of an owner graph: an object and its references, from a construct or a manifest. */
export interface GraphObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly constructPath?: string | undefined;
  /** Property, as a path in the props → path of the construct that has its value. */
  readonly defaults?: { readonly [property: string]: string } | undefined;
  /** The kind's version, for objects of the catalog. */
  readonly version?: KindVersion | undefined;
  readonly azureName?: string | undefined;
  readonly location?: string | undefined;
  /** Ranges of addresses of a network or a subnet, in CIDR notation. */
  readonly addressRanges?: readonly string[] | undefined;
  readonly owner?: Target | undefined;
  readonly references: readonly Target[];
  readonly reads: readonly Value[];
  readonly writes: readonly Value[];
  /** Names of the built-in roles that the object references. They are so common that they are no nodes. */
  readonly builtInRoles: readonly string[];
  /** Name of the Secret that the object names as its credential. */
  readonly credential?: string | undefined;
  /** The subscription of a Secret that is a credential. */
  readonly subscriptionId?: string | undefined;
}

/** `group/Kind/namespace/name`; `Kind/namespace/name` for core objects. */
export function graphKeyOf(group: string | undefined, kind: string, namespace: string | undefined, name: string): string {
  const place = `${kind}/${namespace ?? ''}/${name}`;
  return group ? `${group}/${place}` : place;
}

/** `storage` of `storage.azure.com`; undefined if the group is not one of Azure Service Operator. */
export function serviceOf(group: string | undefined): string | undefined {
  return group === undefined ? undefined : serviceOfGroup(group);
}
