import type { ObjectId } from '../../src/object-id';
import type { KubernetesObject } from '../kubernetes/types';
import type { ReconcilePolicy } from '../objects/reconcile-policy';

/** The known part of a Secret or ConfigMap: its keys, never its values. */
export interface StoreFacts {
  readonly namespace: string;
  readonly name: string;
  readonly keys: readonly string[];
  /** Of a credential: `AZURE_SUBSCRIPTION_ID`, if it is a UUID. It is no secret. */
  readonly subscriptionId?: string | undefined;
  /** Of a credential: `AUTH_MODE`, if it is a mode that there is. */
  readonly authMode?: string | undefined;
  /** Key of the Azure object that has written it, by its owner references. */
  readonly writtenBy?: string | undefined;
  readonly isDeleting?: boolean;
}

/** `unknown`: it was not read. Never equivalent to `absent`. */
export type StoreAnswer = StoreFacts | 'absent' | 'unknown';

/** Secrets and ConfigMaps, as far as they were read. Synchronous. */
export interface Stores {
  secret(namespace: string, name: string): StoreAnswer;
  configMap(namespace: string, name: string): StoreAnswer;
}

/** Something that could not be read. Objects of these kinds and namespaces are unknown, not absent. */
export interface Unread {
  readonly group: string;
  readonly kind: string;
  /** Absent: in all namespaces. */
  readonly namespace?: string | undefined;
  /** `403 Forbidden: …` */
  readonly why: string;
}

export type ControllerProduct = 'cdk8s-aso' | 'ASO';

/** A controller of the cluster, as its Deployment and Lease show it. */
export interface ControllerFacts {
  /** Its annotation `operator-namespace` on objects. */
  readonly namespace: string;
  /** Of the Deployment; undefined if only a Lease shows it. */
  readonly deployment?: string | undefined;
  /** Undefined: not known, since only a Lease shows it. */
  readonly product?: ControllerProduct | undefined;
  readonly version?: string | undefined;
  /** Ready replicas of the Deployment. */
  readonly readyReplicas?: number | undefined;
  /** The pod that holds the Lease. */
  readonly leader?: string | undefined;
  /** Last renewal of the Lease, in milliseconds since the epoch. */
  readonly renewedAt?: number | undefined;
  /** Undefined: not known. */
  readonly isRunning?: boolean | undefined;
  /** Whether it reconciles objects; false: webhooks only. */
  readonly reconciles: boolean;
}

/** An event of an Azure object. */
export interface EventFacts {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Times it was seen. */
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly last: number;
  readonly source?: string | undefined;
  /** Azure's answer that the event is about. */
  readonly requestId?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

/** The objects that were read from a cluster, and those that could not be. */
export interface Snapshot {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Azure objects, each once, in any version. */
  readonly objects: readonly KubernetesObject[];
  /** Namespaces, with metadata. A missing one has not been read. */
  readonly namespaces: readonly KubernetesObject[];
  readonly stores: Stores;
  /** Whether the cluster serves a kind; undefined: not known. */
  readonly serves: (group: string, kind: string) => boolean | undefined;
  /** Undefined: Deployments and Leases could not be read. */
  readonly controllers?: readonly ControllerFacts[] | undefined;
  /** The policy of objects whose annotations and namespace name none (`DEFAULT_RECONCILE_POLICY`). Default: `manage`. */
  readonly defaultPolicy?: ReconcilePolicy | undefined;
  /** By the uid of their object. */
  readonly events?: ReadonlyMap<string, readonly EventFacts[]> | undefined;
  readonly unread: readonly Unread[];
}

/**
 * The state of an object, in order of urgency:
 * - `Error`: not tried again before something changes, or the next sync
 * - `Warning`: a failure that is tried again
 * - `Waiting`: for another object, a value, a credential, or its turn
 * - `Deleting`
 * - `Stale`: the spec is newer than what a controller has looked at
 * - `Unclaimed`: no controller has looked at it yet
 * - `Reconciling`
 * - `Suspended`: in sync, under policy `skip`
 * - `Ready`
 */
export const NODE_STATES = [
  'Error', 'Warning', 'Waiting', 'Deleting', 'Stale', 'Unclaimed', 'Reconciling', 'Suspended', 'Ready',
] as const;

export type NodeState = (typeof NODE_STATES)[number];

/** Whether nothing needs to happen to an object. */
export function isSettled(state: NodeState): boolean {
  return state === 'Ready' || state === 'Suspended';
}

export interface OwnerFacts {
  /** The owner object, if the owner is named. */
  readonly object?: ObjectId | undefined;
  readonly armId?: string | undefined;
  /** `unreadable`: its kind could not be read; `notServed`: the cluster has no CRD of its kind. */
  readonly state: 'found' | 'missing' | 'unreadable' | 'notServed' | 'external';
}

export interface ReferenceFacts {
  /** `spec.identity.userAssignedIdentities[0].reference` */
  readonly path: string;
  readonly to: 'resource' | 'secret' | 'configMap';
  readonly object?: ObjectId | undefined;
  readonly armId?: string | undefined;
  readonly wellKnownName?: string | undefined;
  /** Of a Secret or ConfigMap; absent: all keys. */
  readonly key?: string | undefined;
  /**
   * - `resolved`: there, with an id or the key
   * - `external`: an ARM id or a well-known name
   * - `unclaimed`: the object has no ARM id yet
   * - `keyMissing`: the Secret or ConfigMap lacks the key
   * - `unknown`: not read
   */
  readonly state: 'resolved' | 'external' | 'missing' | 'unclaimed' | 'keyMissing' | 'notServed' | 'unknown';
  /** Keys of the objects that export the value. */
  readonly writers: readonly string[];
}

export interface PolicyFacts {
  readonly policy: ReconcilePolicy;
  readonly from: 'object' | 'namespace' | 'controller';
  /** A value that is no policy: the controller's default applies. */
  readonly invalid?: string | undefined;
  /** The namespace could not be read, so its policy is not known. */
  readonly isAssumed?: boolean;
}

export interface CredentialFacts {
  /** `controller`: the settings of the controller. */
  readonly scope: 'object' | 'namespace' | 'controller';
  /** The Secret; of the controller's settings only where its namespace is known. */
  readonly secret?: { readonly namespace: string; readonly name: string } | undefined;
  /** `given`: the controller's settings, which are not read. */
  readonly state: 'found' | 'incomplete' | 'missing' | 'deleting' | 'unknown' | 'given';
  readonly missingKeys: readonly string[];
  /** `client secret`, `certificate`, `workload identity`, `managed identity`, `identity file`. */
  readonly mode?: string | undefined;
  readonly subscriptionId?: string | undefined;
  /** Keys of the objects that write the Secret. */
  readonly writers: readonly string[];
}

export interface OperationFacts {
  readonly method: 'PUT' | 'DELETE';
  /** Milliseconds since the epoch; undefined: not known. */
  readonly since?: number | undefined;
  /** Longest recorded time of this operation, in milliseconds; undefined: none was recorded. */
  readonly longestMs?: number | undefined;
  /** After this time, in milliseconds, the controller reports it as overdue. */
  readonly timeoutMs: number;
}

export type WaitKind =
  'owner' | 'reference' | 'secret' | 'configMap' | 'credential' | 'turn' | 'deletion' | 'namespace' | 'kind' | 'controller';

/** One thing that an object waits for. */
export interface Wait {
  readonly for: WaitKind;
  /** The object that it waits for, also where that object does not exist. */
  readonly object?: ObjectId | undefined;
  /** Key of the node to look at next: the object itself, or the one that would make the value. */
  readonly node?: string | undefined;
  /** `ResourceGroup shop/group is not Ready` */
  readonly text: string;
  /** The end of the chain, where no node follows. */
  readonly cause?: CauseFacts | undefined;
}

/** Kinds of causes that are not a Ready condition. */
export type CauseCode =
  /** The Ready condition of the object itself: see `reason`. */
  | 'Condition'
  | 'OwnerMissing'
  | 'ReferenceMissing'
  | 'InvalidOwner'
  | 'SecretMissing'
  | 'SecretKeyMissing'
  | 'ConfigMapMissing'
  | 'ConfigMapKeyMissing'
  /** The exporter is Ready and has not written the value. */
  | 'ValueNotExported'
  | 'CredentialMissing'
  | 'CredentialIncomplete'
  | 'KindNotServed'
  | 'Unreadable'
  | 'WebhookDown'
  | 'Cycle'
  | 'NoController'
  | 'OtherController'
  | 'NotWatched'
  | 'NamespaceTerminating'
  /** A finalizer of another program. */
  | 'ForeignFinalizer'
  /** A deletion waits for objects that are not being deleted. */
  | 'StillInUse'
  /** Everything that the object waits for is there: the next reconciliation will find it. */
  | 'Resolved'
  | 'JustCreated'
  | 'Stale';

/** The one thing at the end of a chain of waiting. */
export interface CauseFacts {
  readonly code: CauseCode;
  /** The object that has to change, or is missing. */
  readonly object: ObjectId;
  /** One sentence without a full stop. */
  readonly text: string;
  /** Reason of the condition, for `Condition`. */
  readonly reason?: string | undefined;
  /** Values for the advice. */
  readonly details?: Readonly<Record<string, string>> | undefined;
}

export interface Cause extends CauseFacts {
  /** Identifies the cause within an inspection. */
  readonly id: string;
  /** Key of the node of the object; undefined if the object is none of the snapshot's. */
  readonly node?: string | undefined;
  /** Keys of the nodes that are not Ready because of it, the cause's own first. */
  readonly nodes: readonly string[];
  readonly severity: 'Error' | 'Warning' | 'Info';
}

/** One Azure object. */
export interface InspectionNode extends ObjectId {
  readonly key: string;
  readonly apiVersion: string;
  readonly uid?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly armId?: string | undefined;
  readonly armType?: string | undefined;
  readonly state: NodeState;
  readonly severity?: 'Error' | 'Warning' | 'Info' | undefined;
  /** Of the Ready condition; `''` if there is none. */
  readonly reason: string;
  readonly message: string;
  /** When the state began, in milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly createdAt?: number | undefined;
  readonly generation?: number | undefined;
  readonly observedGeneration?: number | undefined;
  readonly isClaimed: boolean;
  readonly owner?: OwnerFacts | undefined;
  /** Keys of the objects that it owns. */
  readonly children: readonly string[];
  readonly references: readonly ReferenceFacts[];
  readonly policy: PolicyFacts;
  readonly credential?: CredentialFacts | undefined;
  /** Annotation `operator-namespace`. */
  readonly operatorNamespace?: string | undefined;
  readonly operation?: OperationFacts | undefined;
  readonly deletion?: { readonly since?: number | undefined; readonly finalizers: readonly string[] } | undefined;
  readonly waits: readonly Wait[];
  /** Id of the root cause; undefined if it is settled. */
  readonly cause?: string | undefined;
}

export interface Inspection {
  readonly now: number;
  /** In the order of namespace, kind and name. */
  readonly nodes: readonly InspectionNode[];
  readonly byKey: ReadonlyMap<string, InspectionNode>;
  /** Keys of the nodes without an owner among the nodes. A cycle of owners has its first node here. */
  readonly roots: readonly string[];
  /** Root causes: errors first, then by the number of objects that wait. */
  readonly causes: readonly Cause[];
  readonly states: Readonly<Record<NodeState, number>>;
  readonly controllers?: readonly ControllerFacts[] | undefined;
  readonly unread: readonly Unread[];
}
