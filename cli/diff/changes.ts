import type { WrittenObjectId } from '../../src/object-id';
/** The result of `compare`. Plain values: renderers print them, and JSON output contains them unchanged. */

/** One property of a spec, a map or a Kubernetes object that differs. */
export interface PropertyChange {
  /** `sku.name`, `subnets[default].addressPrefix` */
  readonly path: string;
  /** Absent: the property was not set, or the value is hidden. */
  readonly old?: unknown;
  /** Absent: the property is removed, or the value is hidden. */
  readonly new?: unknown;
  /** `reference`: the reference to the secret changes. `value`: the values may be secrets and are left out. */
  readonly secret?: 'reference' | 'value';
  /** Azure refuses the change of the existing resource. */
  readonly refusal?: Refusal;
}

/** A change that Azure refuses. */
export interface Refusal {
  /** Azure's code, e.g. `PropertyChangeNotAllowed`. */
  readonly code: string;
  /** When it refuses: `while the plan has apps`. Absent: always. */
  readonly when?: string;
}

export interface OldAndNew {
  readonly old: string;
  readonly new: string;
}

/** A message about a change, and the fix. */
export interface Advice {
  readonly message: string;
  readonly fix: string;
}

/**
 * The change of a resource in Azure.
 *
 * - `deleted`: the object or that of an owner is removed and the policy is `manage`
 * - `refused`: a change that cannot be made in place
 * - `moved`: another object manages the same resource
 * - `created`; `adopted`: managed if it exists, never created; `watched`: only read (`skip`)
 * - `changed`: properties
 * - `policy`, `apiVersion`, `exports`: nothing changes in Azure
 * - `kept`: the object is removed, the resource stays
 */
export type Fate =
  'deleted' | 'refused' | 'moved' | 'created' | 'adopted' | 'watched' | 'changed' | 'policy' | 'apiVersion' | 'exports' | 'kept';

/** One Azure resource. */
export interface ResourceChange extends WrittenObjectId {
  readonly fate: Fate;
  /** Predicted id; absent when the subscription, an owner or a name is not known. */
  readonly armId?: string;
  /** Of a network or a subnet: as they are to be, or were if the resource goes. */
  readonly addressRanges?: readonly string[];
  /** Data that exists only in the resource and is lost with it. */
  readonly dataLost?: string;
  /** The object that managed a moved resource before. */
  readonly from?: WrittenObjectId;
  readonly properties: readonly PropertyChange[];
  readonly apiVersion?: OldAndNew;
  readonly policy?: OldAndNew;
  readonly advice: readonly Advice[];
}

/** A role of a principal in a scope. */
export interface RoleChange {
  /**
   * - `kept`: the object is removed, the role stays in Azure
   * - `renamed`: another object grants the same role, under another name in Azure
   */
  readonly change: 'granted' | 'revoked' | 'kept' | 'renamed' | 'moved' | 'changed';
  readonly principal: string;
  readonly role: string;
  readonly scope: string;
  readonly object: WrittenObjectId;
  readonly from?: WrittenObjectId;
  readonly properties: readonly PropertyChange[];
  readonly advice: readonly Advice[];
}

export interface CredentialChange {
  /**
   * - `secret`: the Secret of a credential
   * - `assignment`: the credential that resources use
   * - `federation`: the tokens that an identity accepts
   * - `serviceAccount`: the identity of pods
   */
  readonly of: 'secret' | 'assignment' | 'federation' | 'serviceAccount';
  /** `kept`: the object of a federation is removed, the tokens are accepted as before. */
  readonly change: 'added' | 'removed' | 'kept' | 'changed' | 'renamed';
  /** The owner of the credential. */
  readonly subject: string;
  readonly properties: readonly PropertyChange[];
  readonly advice: readonly Advice[];
}

/** A Kubernetes object that is not an Azure resource. */
export interface ObjectChange extends WrittenObjectId {
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
  /** Number of deleted resources that lose data. */
  readonly dataLost: number;
  readonly kept: number;
  readonly moved: number;
  readonly rolesGranted: number;
  readonly rolesRevoked: number;
  /** Number of resources that give access and stay in Azure although their objects are removed. */
  readonly accessKept: number;
  readonly credentials: number;
  readonly guardRails: number;
  readonly otherObjects: number;
}

/** All differences between two sets of objects, the most severe first. */
export interface Changes {
  /** Warnings about more than one object. */
  readonly warnings: readonly Advice[];
  readonly resources: readonly ResourceChange[];
  readonly roles: readonly RoleChange[];
  readonly credentials: readonly CredentialChange[];
  readonly guardRails: readonly ObjectChange[];
  readonly otherObjects: readonly ObjectChange[];
  readonly summary: Summary;
}

/** Whether there is no difference. */
export function isEmpty({ warnings, resources, roles, credentials, guardRails, otherObjects }: Changes): boolean {
  return [warnings, resources, roles, credentials, guardRails, otherObjects].every(({ length }) => length === 0);
}
