import type { AccessUser } from './access-user';
import type { Failure } from './failure';
import type { OperationRunning, OperationState, OperationSucceeded } from '../../../engine/arm/types';
import type { Drift } from '../../../engine/compare';
import type { ExternalObservation, ExternalState } from '../../../engine/kinds/external';
import type { ResourceState } from '../../../engine/kinds/resource-state';
import type { Verdict } from '../../../engine/kinds/types';
import type { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject, OwnerReference } from '../../../engine/kubernetes/types';
import type { Correction } from '../../../engine/objects/last-applied';
import type { ReconcilePolicy } from '../../../engine/objects/reconcile-policy';
import type { EventText } from '../../../runtime/events/event-text';
import type { ObjectId } from '../../../src/object-id';

/** The traits of a kind, from the catalog and `engine/kinds`, on which decisions depend. */
export interface KindTraits {
  readonly group: string;
  readonly kind: string;
  /** API version of all requests, `YYYY-MM-DD`. */
  readonly armApiVersion: string;
  /** E.g. `Microsoft.Storage/storageAccounts`; absent for kinds without ARM. */
  readonly armType?: string;
  /** False for users inside database servers and directory groups. */
  readonly isArm: boolean;
  readonly canDelete: boolean;
  /** Whether Azure returns the resource, so that it can be compared with the spec. */
  readonly canCompare: boolean;
  /** How many times faster than Azure's the environment's time is, for a simulated one. Default: 1. */
  readonly timeScale?: number;
  /** After how many milliseconds an operation is overdue. Default: an hour. */
  readonly operationTimeoutMs?: { readonly put: number; readonly delete: number };
  /** After how many milliseconds the first poll of an operation is due (`engine/kinds/operation-times.ts`); absent: not known. */
  readonly usualOperationMs?: UsualOperationTimes;
  /** Whether the kind needs a check in Azure before each PUT. */
  readonly hasPreChecks: boolean;
  /** Whether this controller implements the kind outside of Azure Resource Manager. */
  readonly isExternal?: boolean;
  /** For external kinds: whether they live inside a resource that another object represents. */
  readonly needsOwner?: boolean;
  /** For external kinds: whether they are removed although their owner is gone. */
  readonly outlivesOwner?: boolean;
  /** For external kinds: whether they export to ConfigMaps. */
  readonly hasExports?: boolean;
  /** For external kinds: status members without which no condition can be stored. */
  readonly initialStatus?: Readonly<Record<string, unknown>>;
  /** For external kinds: annotations to store before a resource is created. Pure. */
  readonly intent?: (object: KubernetesObject) => Readonly<Record<string, string>>;
}

/** Milliseconds, by what the operation does to the resource. */
export type UsualOperationTimes = Readonly<Partial<Record<'create' | 'update' | 'delete', number>>>;

/** The owner that `spec.owner` names. */
export type OwnerState =
  /** No owner field, or an owner by ARM id: nothing to wait for. */
  | { readonly kind: 'none' }
  /** The cache does not show whether the owner exists. */
  | { readonly kind: 'unknown'; readonly text: string; readonly error: UnknownStateError }
  /** `text`: `<name>, Group/Kind: <group>/<kind>`. */
  | { readonly kind: 'missing'; readonly text: string }
  | { readonly kind: 'notReady'; readonly text: string }
  | { readonly kind: 'ready'; readonly text: string; readonly name: string; readonly groupKind: string; readonly reference: OwnerReference };

export type CredentialState =
  /** `endpoint`: of Azure Resource Manager in the credential's cloud. */
  | { readonly source: string; readonly subscriptionId: string; readonly endpoint: string }
  | { readonly failure: Failure };

/** The resolved spec. */
export interface Desired {
  readonly armId: string;
  /** Digest of API version and body; represents the body without holding a secret (see `digest.ts`). */
  readonly digest: string;
  /** Digest of the versions of the Secrets in the body; empty: there are none. Values that Azure never returns are compared by it. */
  readonly hidden: string;
  /** The resolved `spec.azureNameFromConfig`; only of the kinds that have it. */
  readonly nameFromConfig?: string;
}

/**
 * Whether this process knows the outcome of the object's last PUT. `first`: the process has not seen the object before; `uncertain`: the
 * answer was lost, or a step failed after Azure had accepted the PUT. Both read the resource before they send a request.
 */
export type LastWriteKnowledge = 'first' | 'uncertain' | 'known';

/**
 * Whether the object may write now, for kinds of which Azure takes one write at a time below one parent (`engine/kinds/serial-writes.ts`).
 */
export type ParentLockState =
  /** This reconcile has not requested the lock. */
  | { readonly kind: 'notRequested' }
  | { readonly kind: 'held' }
  /** `before`: the object whose write comes just before; its end wakes this object. */
  | { readonly kind: 'waits'; readonly before: ObjectId; readonly parent: string };

/** Everything that decisions about one object depend on. Immutable; decisions return a new one. */
export interface Observed {
  /** The wanted object: as read, with the changes of this reconcile. */
  readonly object: KubernetesObject;
  readonly traits: KindTraits;
  readonly operatorNamespace: string;
  /** Version of the controller, for a label. */
  readonly controllerVersion: string;
  readonly policy: ReconcilePolicy;
  readonly owner: OwnerState;
  readonly credential: CredentialState;
  /** The validating webhook's refusal of the object; undefined: none. */
  readonly refusal?: string | undefined;
  readonly knowledge: LastWriteKnowledge;
  /** For an object that is being deleted: the objects that need it in Azure (see `access.ts`). */
  readonly neededBy?: readonly AccessUser[] | UnknownStateError;
  /** Failed reconciles in a row. */
  readonly failures: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds; undefined is `never`. */
  readonly syncPeriod?: number | undefined;
  /**
   * The ARM id that the object's own name and owners give; undefined: an owner is gone, or nothing tells the subscription. Everybody who
   * may write the object's annotations may write `resource-id`, so that alone says nothing.
   */
  readonly ownId?: string | undefined;
  /** Known once this reconcile has resolved the spec. */
  readonly desired?: Desired;
  /**
   * Whether another object represents the same resource: known once this reconcile has resolved the spec; for an object that is being
   * deleted, from the beginning.
   */
  readonly isShared?: boolean;
  /** Why it is not known whether an object of another replica represents the same resource, where the deletion depends on it. */
  readonly sharedUnknown?: UnknownStateError;
  /** Whether there is certainly no resource yet: its owner was just made, and no PUT was sent (`created-resources.ts`). */
  readonly isNew?: boolean;
  /** Whether an earlier reconcile of this process has read, moments ago, that there is no resource, and no PUT was sent since. */
  readonly wasAbsent?: boolean;
  /** Whether the resource is in Azure: known once this reconcile has read it. */
  readonly present?: boolean;
  /** This reconcile has seen a running operation that it does not follow: before a deletion, or under `skip`. */
  readonly busy?: boolean;
  /**
   * This reconcile sends its request again although Azure still runs an operation, in that state; `sentGeneration`: generation of the
   * spec sent before.
   */
  readonly sendsAgain?: { readonly state?: string | undefined; readonly sentGeneration?: string };
  /** This reconcile has compared the resource with the spec: a PUT is needed. */
  readonly compared?: boolean;
  /** This reconcile has found the resource in sync: the next check is due a whole sync period from now. */
  readonly inSync?: boolean;
  /** Number of corrections of each difference, including this reconcile's; by path. */
  readonly corrected?: Readonly<Record<string, Correction>>;
  /** This reconcile has found drift that is corrected later, because it comes back each time. Milliseconds since the epoch. */
  readonly correctionDueAt?: number;
  /** The state in Azure of a resource that works; known once this reconcile has read it. */
  readonly azureState?: ResourceState;
  /** Result of the check before the PUT; known once this reconcile has checked. */
  readonly preChecked?: boolean;
  /** Whether the object may write now; undefined: it needs no lock. */
  readonly parentLock?: ParentLockState | undefined;
  /** For external kinds: this reconcile has stored the intent to create the resource, so no request was sent before. */
  readonly hasIntended?: boolean;
  /** For external kinds: this reconcile has found the resource in sync. */
  readonly reached?: boolean;
}

/** The Azure resource as read. */
export interface Existing {
  /** Converted, without conditions. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly state: ResourceState;
  /** `systemData.createdAt`. */
  readonly createdAt?: string | undefined;
  /** Whether this is the answer to the PUT: no read has shown the resource yet, and reads may lag behind. */
  readonly isAnswerToPut?: boolean;
  /** The differences from the spec; undefined: not compared. */
  readonly comparison?: { readonly digest: string; readonly drift: readonly Drift[] } | undefined;
}

export type ReadPurpose = 'recover' | 'adopt' | 'compare' | 'refresh' | 'delete';

/** The next action of the reconciler. */
export type Action =
  /** Resolve owner, references and values of the spec to an ARM id and a body. */
  | { readonly do: 'resolve' }
  /** Write the main object now: the following action requires that it is stored. */
  | { readonly do: 'persist' }
  | { readonly do: 'read'; readonly armId: string; readonly purpose: ReadPurpose }
  | { readonly do: 'preCheck' }
  /** Acquire the lock for writing. */
  | { readonly do: 'acquireLock'; readonly armId: string }
  | { readonly do: 'put' }
  /** `since`: when Azure accepted the request. Milliseconds since the epoch. */
  | { readonly do: 'poll'; readonly state: OperationState; readonly since?: number | undefined }
  /** The kind's check, exports and success hook. */
  | { readonly do: 'complete' }
  | { readonly do: 'delete'; readonly armId: string }
  /** For external kinds: make the resource match the spec; read it; export its values; remove it. */
  | { readonly do: 'ensure' | 'observe' | 'export' | 'remove' }
  | { readonly do: 'finish'; readonly result: Result };

/** An operation that has not failed. */
export type OperationStepOn = OperationRunning | OperationSucceeded;

/** The outcome of an action. */
export type Outcome =
  | { readonly of: 'resolve'; readonly desired: Desired }
  | { readonly of: 'persist' }
  | { readonly of: 'acquireLock'; readonly lock: ParentLockState }
  | { readonly of: 'read'; readonly purpose: ReadPurpose; readonly existing: Existing | undefined }
  | { readonly of: 'preCheck'; readonly verdict: Verdict }
  /**
   * `shown`: the differences between the request and the answer to a PUT, as far as the answer shows the resulting resource.
   * `existing`: the resource after the end of the operation, where the answer has all of it; absent: it has to be read.
   * `status`: of the answer to a PUT.
   */
  | {
    readonly of: 'put' | 'poll';
    readonly step: OperationStepOn;
    readonly status?: number;
    readonly shown?: readonly Drift[];
    readonly existing?: Existing;
  }
  /** The operation failed. `inDoubt`: the outcome is unknown, without an answer; `accepted`: Azure had begun it. */
  | { readonly of: 'put' | 'poll'; readonly failed: Failure; readonly inDoubt?: boolean; readonly accepted?: boolean }
  | { readonly of: 'complete'; readonly annotations?: Readonly<Record<string, string | undefined>>; readonly status?: Readonly<Record<string, unknown>> }
  | { readonly of: 'delete'; readonly step: OperationStepOn }
  | { readonly of: 'ensure'; readonly state: ExternalState }
  | { readonly of: 'observe'; readonly observation: ExternalObservation }
  | { readonly of: 'export' | 'remove' }
  /** The action was not possible; for `put`, before a request was sent. */
  | {
    readonly of: 'failure';
    readonly during: Action['do'];
    readonly purpose?: ReadPurpose;
    readonly failure: Failure;
    readonly status?: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, string | undefined>>;
  };

/** How a reconcile ended; `backoff.ts` computes the time of the next reconcile from it. */
export type Result =
  /** No timer. */
  | { readonly kind: 'done' }
  /** In sync. `period`: instead of the sync period. */
  | { readonly kind: 'success'; readonly period?: number }
  /** Reconcile again after `delay` milliseconds, or with the queue's own delay. `waits`: nothing was tried, so the retry counters stay. */
  | { readonly kind: 'requeue'; readonly delay?: number; readonly waits?: boolean }
  | { readonly kind: 'failure'; readonly failure: Failure; /** Azure has accepted the PUT of this spec. */ readonly afterPut?: boolean };

export interface Decision {
  readonly observed: Observed;
  readonly action: Action;
  readonly events: readonly EventText[];
}

export function act(observed: Observed, action: Action, ...events: EventText[]): Decision {
  return { observed, action, events };
}

export function finish(observed: Observed, result: Result, ...events: EventText[]): Decision {
  return act(observed, { do: 'finish', result }, ...events);
}
