/** What `compare` finds. Plain values: renderers print them, and JSON is just this. */

/** One property of a spec, a map or a Kubernetes object that differs. */
export interface PropertyChange {
  /** `sku.name`, `subnets[default].addressPrefix` */
  readonly path: string;
  /** Absent: it was not there, or it is not shown. */
  readonly old?: unknown;
  /** Absent: it is gone, or it is not shown. */
  readonly new?: unknown;
  /** `reference`: where the secret is found changed. `value`: the values may be secrets and are left out. */
  readonly secret?: 'reference' | 'value';
}

export interface OldAndNew {
  readonly old: string;
  readonly new: string;
}

/** A Kubernetes object by what people call it. */
export interface ObjectName {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Why something is not as simple as it looks, and what to do. */
export interface Advice {
  readonly message: string;
  readonly fix: string;
}

/**
 * What becomes of a resource in Azure.
 *
 * - `deleted`: its object, or an owner's, is gone and the policy is `manage`
 * - `refused`: a change that cannot be made in place
 * - `moved`: another object stands for the same resource
 * - `created`; `adopted`: taken over if it is there, never created; `watched`: only read (`skip`)
 * - `changed`: properties
 * - `policy`, `apiVersion`, `exports`: nothing changes in Azure
 * - `kept`: its object is gone, the resource stays
 */
export type Fate = 'deleted' | 'refused' | 'moved' | 'created' | 'adopted' | 'watched' | 'changed' | 'policy' | 'apiVersion' | 'exports' | 'kept';

/** One Azure resource. */
export interface ResourceChange extends ObjectName {
  readonly fate: Fate;
  /** Predicted; absent where the subscription, an owner or a name is not known. */
  readonly armId?: string;
  /** What its deletion loses that nothing else holds. */
  readonly dataLost?: string;
  /** The object that stood for a moved resource. */
  readonly from?: ObjectName;
  readonly properties: readonly PropertyChange[];
  readonly apiVersion?: OldAndNew;
  readonly policy?: OldAndNew;
  readonly advice: readonly Advice[];
}

/** A role of a principal in a scope. */
export interface RoleChange {
  /** `renamed`: another object gives the same role, under another name in Azure. */
  readonly change: 'granted' | 'revoked' | 'renamed' | 'moved' | 'changed';
  readonly principal: string;
  readonly role: string;
  readonly scope: string;
  readonly object: ObjectName;
  readonly from?: ObjectName;
  readonly properties: readonly PropertyChange[];
  readonly advice: readonly Advice[];
}

export interface CredentialChange {
  /**
   * - `secret`: the Secret of a credential
   * - `assignment`: which credential resources use
   * - `federation`: whose tokens an identity accepts
   * - `serviceAccount`: the identity of pods
   */
  readonly of: 'secret' | 'assignment' | 'federation' | 'serviceAccount';
  readonly change: 'added' | 'removed' | 'changed' | 'renamed';
  /** Whose credential. */
  readonly subject: string;
  readonly properties: readonly PropertyChange[];
  readonly advice: readonly Advice[];
}

/** A Kubernetes object that is no Azure resource. */
export interface ObjectChange extends ObjectName {
  readonly change: 'added' | 'removed' | 'changed';
  readonly properties: readonly PropertyChange[];
  readonly advice: readonly Advice[];
}

export interface Summary {
  readonly created: number;
  readonly adopted: number;
  readonly watched: number;
  readonly changed: number;
  readonly refused: number;
  readonly deleted: number;
  /** Of the deleted, those that lose data. */
  readonly dataLost: number;
  readonly kept: number;
  readonly moved: number;
  readonly rolesGranted: number;
  readonly rolesRevoked: number;
  readonly credentials: number;
  readonly guardRails: number;
  readonly otherObjects: number;
}

/** Everything that differs between two sets of objects, the gravest first. */
export interface Changes {
  /** What is true of more than one object. */
  readonly warnings: readonly Advice[];
  readonly resources: readonly ResourceChange[];
  readonly roles: readonly RoleChange[];
  readonly credentials: readonly CredentialChange[];
  readonly guardRails: readonly ObjectChange[];
  readonly otherObjects: readonly ObjectChange[];
  readonly summary: Summary;
}

/** Whether nothing differs at all. */
export function isEmpty({ warnings, resources, roles, credentials, guardRails, otherObjects }: Changes): boolean {
  return [warnings, resources, roles, credentials, guardRails, otherObjects].every(({ length }) => length === 0);
}

/** `StorageAccount shop/files` */
export function titleOf({ kind, namespace, name }: ObjectName): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
