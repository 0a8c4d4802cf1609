import type { AccessUser } from './access-user';
import type { Failure } from './failure';
import type { OperationRunning, OperationState, OperationSucceeded } from '../../../engine/arm/types';
import type { Drift } from '../../../engine/compare';
import type { ExternalObservation, ExternalState } from '../../../engine/kinds/external';
import type { Verdict } from '../../../engine/kinds/types';
import type { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import type { KubernetesObject, ObjectKey, OwnerReference } from '../../../engine/kubernetes/types';
import type { Correction } from '../../../engine/objects/last-applied';
import type { ReconcilePolicy } from '../../../engine/objects/reconcile-policy';

/** What the catalog and `engine/kinds` tell about a kind, as far as decisions depend on it. */
export interface KindTraits {
  readonly group: string;
  readonly kind: string;
  /** `YYYY-MM-DD` of all calls. */
  readonly armApiVersion: string;
  /** E.g. `Microsoft.Storage/storageAccounts`; absent for kinds without ARM. */
  readonly armType?: string;
  /** False for users inside database servers and directory groups. */
  readonly isArm: boolean;
  readonly canDelete: boolean;
  /** Whether Azure shows the resource, so that it can be compared with what is wanted. */
  readonly canCompare: boolean;
  /** How many times faster than Azure's the time of the environment is: for a simulated one. Default: 1. */
  readonly timeScale?: number;
  /** After how many milliseconds an operation is overdue. Default: an hour. */
  readonly patience?: { readonly put: number; readonly delete: number };
  /** Whether something is to be checked in Azure before each PUT. */
  readonly hasPreChecks: boolean;
  /** Whether this controller has code for the kind, which is not Azure Resource Manager's. */
  readonly isExternal?: boolean;
  /** Of external kinds: whether they live inside something that another object stands for. */
  readonly needsOwner?: boolean;
  /** Of external kinds: whether they export to ConfigMaps. */
  readonly hasExports?: boolean;
  /** Of external kinds: members of the status without which no condition can be stored. */
  readonly initialStatus?: Readonly<Record<string, unknown>>;
  /** Of external kinds: annotations that must be stored before something is created. Pure. */
  readonly intent?: (object: KubernetesObject) => Readonly<Record<string, string>>;
}

/** The owner that `spec.owner` names. */
export type OwnerState =
  /** No owner field, or an owner by ARM id: nothing to wait for. */
  | { readonly kind: 'none' }
  /** Nobody can tell whether it is there. */
  | { readonly kind: 'unknown'; readonly text: string; readonly error: UnknownStateError }
  /** `text`: `<name>, Group/Kind: <group>/<kind>`. */
  | { readonly kind: 'missing'; readonly text: string }
  | { readonly kind: 'notReady'; readonly text: string }
  | { readonly kind: 'ready'; readonly text: string; readonly name: string; readonly groupKind: string; readonly reference: OwnerReference };

export type CredentialState = { readonly source: string; readonly subscriptionId: string } | { readonly failure: Failure };

/** What the spec asks for, resolved. */
export interface Desired {
  readonly armId: string;
  /** Of api-version and body; stands for the body without holding a secret (see `digest.ts`). */
  readonly digest: string;
  /** Of the versions of the Secrets that the body takes values from; empty: of none. What Azure never shows is compared by it. */
  readonly hidden: string;
  /** `spec.azureNameFromConfig`, resolved; only of the kinds that have it. */
  readonly nameFromConfig?: string;
}

/**
 * Whether this process knows how the last PUT of the object ended. `first`: the process has not seen the object before; `uncertain`: the
 * answer was lost, or something failed after Azure had accepted the PUT. Both look at Azure before they send anything.
 */
export type LastWriteKnowledge = 'first' | 'uncertain' | 'known';

/** Whether the object may write now, of a kind of which Azure takes one write at a time below one parent (`engine/kinds/serial-writes.ts`). */
export type Turn =
  /** This reconcile has not asked. */
  | { readonly kind: 'toAsk' }
  | { readonly kind: 'mine' }
  /** `before`: whose write comes just before, so that it is told at its end. */
  | { readonly kind: 'others'; readonly before: ObjectKey; readonly parent: string };

/** Everything that decisions about one object depend on. Immutable; decisions answer a new one. */
export interface Observed {
  /** As it shall be: the object as read, with the changes of this reconcile. */
  readonly object: KubernetesObject;
  readonly traits: KindTraits;
  readonly operatorNamespace: string;
  /** Of the controller's build, for a label. */
  readonly controllerVersion: string;
  readonly policy: ReconcilePolicy;
  readonly owner: OwnerState;
  readonly credential: CredentialState;
  /** What the validating webhook would say against the object; undefined: nothing. */
  readonly refusal?: string;
  readonly sight: LastWriteKnowledge;
  /** Of an object that is being deleted: who could not go on in Azure without it (see `access.ts`). */
  readonly neededBy?: readonly AccessUser[] | UnknownStateError;
  /** Failed reconciles in a row. */
  readonly failures: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds; undefined is `never`. */
  readonly syncPeriod?: number;
  /** Known once this reconcile has resolved the spec. */
  readonly desired?: Desired;
  /** Whether another object stands for the same resource: known once this reconcile has resolved the spec. */
  readonly isShared?: boolean;
  /** Whether the resource is in Azure: known once this reconcile has looked. */
  readonly present?: boolean;
  /** This reconcile has seen that Azure is at something that it does not follow: before a deletion, or under `skip`. */
  readonly busy?: boolean;
  /** This reconcile sends a wish once more although Azure is still at an operation, in that state; `sentGeneration`: of the spec that was sent before. */
  readonly sendsAgain?: { readonly state?: string; readonly sentGeneration?: string };
  /** This reconcile has compared the resource with what is wanted: what is sent now is needed. */
  readonly compared?: boolean;
  /** This reconcile has found Azure as it should be: the next look is due a whole sync period from now. */
  readonly inSync?: boolean;
  /** How often each difference was corrected, with that of this reconcile; by path. */
  readonly corrected?: Readonly<Record<string, Correction>>;
  /** This reconcile has found drift that is corrected later, because it comes back each time; milliseconds since the epoch. */
  readonly correctionDueAt?: number;
  /** Known once this reconcile has checked. */
  readonly preChecked?: boolean;
  /** Whether the object may write now; undefined: it need not ask. */
  readonly turn?: Turn;
  /** Of external kinds: this reconcile has stored the intent to create the thing, so nothing was asked for before. */
  readonly hasIntended?: boolean;
  /** Of external kinds: this reconcile has seen that the thing is as it should be. */
  readonly reached?: boolean;
}

/** The Azure resource as a read found it. */
export interface Existing {
  /** Converted, without conditions. */
  readonly status: Readonly<Record<string, unknown>>;
  readonly provisioningState?: string;
  /** `systemData.createdAt`. */
  readonly createdAt?: string;
  /** How it differs from what is wanted; undefined: that was not compared. */
  readonly comparison?: { readonly digest: string; readonly drift: readonly Drift[] };
}

export type ReadPurpose = 'recover' | 'adopt' | 'compare' | 'refresh' | 'delete';

/** What the shell has to do next. */
export type Action =
  /** Resolve owner, references and values of the spec to an ARM id and a body. */
  | { readonly do: 'resolve' }
  /** Write the main object now: what follows must not happen before it is stored. */
  | { readonly do: 'persist' }
  | { readonly do: 'read'; readonly armId: string; readonly purpose: ReadPurpose }
  | { readonly do: 'preCheck' }
  /** Ask whether the object may write now. */
  | { readonly do: 'turn'; readonly armId: string }
  | { readonly do: 'put' }
  /** `since`: when Azure accepted the request; milliseconds since the epoch. */
  | { readonly do: 'poll'; readonly state: OperationState; readonly since?: number }
  /** The kind's check, exports and success hook. */
  | { readonly do: 'complete' }
  | { readonly do: 'delete'; readonly armId: string }
  /** Of external kinds: makes the thing what the spec says; looks at it; exports what is known of it; removes it. */
  | { readonly do: 'ensure' | 'look' | 'export' | 'remove' }
  | { readonly do: 'finish'; readonly result: Result };

/** An operation that has not failed. */
export type OperationStepOn = OperationRunning | OperationSucceeded;

/** How an action went. */
export type Outcome =
  | { readonly of: 'resolve'; readonly desired: Desired }
  | { readonly of: 'persist' }
  | { readonly of: 'turn'; readonly turn: Turn }
  | { readonly of: 'read'; readonly purpose: ReadPurpose; readonly existing: Existing | undefined }
  | { readonly of: 'preCheck'; readonly verdict: Verdict }
  /** `shown`: where the answer to a PUT differs from what was sent, as far as it shows what becomes of the resource. */
  | { readonly of: 'put' | 'poll'; readonly step: OperationStepOn; readonly shown?: readonly Drift[] }
  /** The operation itself failed. `inDoubt`: or there was no answer that tells. */
  | { readonly of: 'put' | 'poll'; readonly failed: Failure; readonly inDoubt?: boolean }
  | { readonly of: 'complete'; readonly annotations?: Readonly<Record<string, string | undefined>>; readonly status?: Readonly<Record<string, unknown>> }
  | { readonly of: 'delete'; readonly step: OperationStepOn }
  | { readonly of: 'ensure'; readonly state: ExternalState }
  | { readonly of: 'look'; readonly sight: ExternalObservation }
  | { readonly of: 'export' | 'remove' }
  /** The action was not possible; for `put` before anything was sent. */
  | {
    readonly of: 'failure';
    readonly during: Action['do'];
    readonly purpose?: ReadPurpose;
    readonly failure: Failure;
    readonly status?: Readonly<Record<string, unknown>>;
    readonly annotations?: Readonly<Record<string, string | undefined>>;
  };

/** How a reconcile ended; `backoff.ts` makes the time of the next reconcile of it. */
export type Result =
  /** No timer. */
  | { readonly kind: 'done' }
  /** In sync. `period`: instead of the sync period. */
  | { readonly kind: 'success'; readonly period?: number }
  /** Called again after `delay` milliseconds, or by the queue's own delays. `waits`: nothing was tried, so the counters of retries stay. */
  | { readonly kind: 'requeue'; readonly delay?: number; readonly waits?: boolean }
  | { readonly kind: 'failure'; readonly failure: Failure; /** Azure has accepted the PUT of this spec. */ readonly afterPut?: boolean };

/** A Kubernetes event about the object. */
export interface EventText {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

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
