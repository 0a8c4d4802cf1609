import type { KindVersion } from '../../catalog/kind';

/** What an object says about its owner or another resource: an object of its namespace or an ARM id. */
export interface Target {
  readonly path: string;
  readonly group?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly armId?: string;
}

/** A ConfigMap or Secret, or one key of it, that an object reads or writes. */
export interface Value {
  readonly path: string;
  readonly store: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** Absent for the whole of it. */
  readonly key?: string;
}

/** What an owner graph is made of: an object and what it says about others, wherever it comes from. */
export interface GraphObject {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly constructPath?: string;
  /** Of an object of the catalog. */
  readonly version?: KindVersion;
  readonly azureName?: string;
  readonly owner?: Target;
  readonly references: readonly Target[];
  readonly reads: readonly Value[];
  readonly writes: readonly Value[];
  /** Names of the built-in roles that the object refers to. They are everywhere, so they are no nodes. */
  readonly builtInRoles: readonly string[];
  /** Name of the Secret that the object asks for as its credential. */
  readonly credential?: string;
  /** Of a Secret that is a credential: the subscription it is for. */
  readonly subscriptionId?: string;
}

/** `group/Kind/namespace/name`; of core objects `Kind/namespace/name`. */
export function keyOf(group: string | undefined, kind: string, namespace: string | undefined, name: string): string {
  const place = `${kind}/${namespace ?? ''}/${name}`;
  return group ? `${group}/${place}` : place;
}

/** `storage` of `storage.azure.com`, or undefined where the group is none of Azure's. */
export function serviceOf(group: string | undefined): string | undefined {
  return group?.endsWith('.azure.com') ? group.slice(0, -'.azure.com'.length) : undefined;
}
