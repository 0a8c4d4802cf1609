import { neededByText } from './access-text';
import type { AccessUser } from './access-user';
import { isForeign, isMadeByAnother } from './adoption';
import { waitForCache } from './cache-wait';
import { DELETING, DELETING_MESSAGE, readyOf, withReady } from './conditions';
import { credentialFailureOf } from './credential';
import { asWarning, warning, type Failure } from './failure';
import { following, waiting, withOperation } from './monitor';
import { act, finish, type Decision, type Existing, type Observed, type Outcome, type ParentLockState } from './observed';
import { isOverdue, maySendAgain, overdue, waitingSince, withNewWaiting, withSentAgain, withWaiting } from './overdue';
import { doubtfulId, foreignAtDeletion, isOwnId, isOwnResource } from './own-id';
import { mustAcquireLock, waitForLock } from './parent-lock';
import { fail, later, pollLater } from './success';
import type { OperationState } from '../../../engine/arm/types';
import { UnknownStateError } from '../../../engine/kubernetes/cache-state';
import { annotation, hasFinalizer, withoutFinalizer, withoutPoller } from '../../../engine/objects/annotations';
import { lastAppliedOf, type LastApplied } from '../../../engine/objects/last-applied';
import { operationOf, pollerOf } from '../../../engine/objects/poller';
import { allowsDeletion } from '../../../engine/objects/reconcile-policy';
import type { EventText } from '../../../runtime/events/event-text';
import { RECONCILE_POLICY, RESOURCE_ID } from '../../../src/azure/annotations';

export const NOT_POSSIBLE =
  `Resource does not support deletion in Azure; set annotation '${RECONCILE_POLICY}: detach-on-delete' to permit deletion in Kubernetes`;

/** The object is being deleted (docs/spec/deletion.md#deletion). */
export function startDeletion(observed: Observed): Decision {
  if (!hasFinalizer(observed.object)) return finish(observed, { kind: 'done' });
  if (!allowsDeletion(observed.policy)) return gone(observed);
  // A resource that this object has never managed stays.
  if (isForeign(observed.object) || isMadeByAnother(observed)) return gone(observed);
  const operation = pollerOf(observed.object)?.of === 'delete' ? operationOf(observed.object, observed.traits.armApiVersion) : undefined;
  if (operation && !isOverdue(observed, 'delete')) return continueDeletion(observed, operation);
  const armId = annotation(observed.object, RESOURCE_ID);
  // No request was ever sent.
  if (!armId) return gone(observed);
  const { neededBy, sharedUnknown } = observed;
  if (sharedUnknown) return waitForCache(observed, sharedUnknown);
  if (neededBy instanceof UnknownStateError) return waitForCache(observed, neededBy);
  if (neededBy && neededBy.length > 0) return waitForUsers(observed, neededBy);
  const failure = credentialFailureOf(observed) ?? foreignAtDeletion(observed);
  if (failure) return deleteError(observed, failure);
  return observed.traits.canDelete && mustAcquireLock(observed) ? act(observed, { do: 'acquireLock', armId }) : beginDeletion(observed, armId);
}

function beginDeletion(observed: Observed, armId: string): Decision {
  const begin: EventText[] = observed.traits.canDelete
    ? [{ type: 'Normal', reason: 'BeginDelete', message: 'Starting delete of resource' }]
    : [];
  return act(observed, { do: 'read', armId, purpose: 'delete' }, ...(alreadyDeleting(observed) ? [] : begin));
}

/** The write lock was requested. */
export function afterDeletionLock(observed: Observed, parentLock: ParentLockState): Decision {
  return parentLock.kind === 'waits'
    ? waitForLock(observed, parentLock)
    : beginDeletion({ ...observed, parentLock }, annotation(observed.object, RESOURCE_ID)!);
}

function alreadyDeleting(observed: Observed): boolean {
  const ready = readyOf(observed.object);
  if (isOverdue(observed, 'delete')) return true;
  return ready?.reason === DELETING.reason && ready.message === DELETING_MESSAGE;
}

/**
 * Other objects could not be deleted without this one. The deletion of the last of them triggers the next reconcile; until then no
 * request goes to Azure.
 */
function waitForUsers(observed: Observed, users: readonly AccessUser[]): Decision {
  const message = neededByText(users);
  const ready = readyOf(observed.object);
  const isNews = ready?.reason !== DELETING.reason || ready.message === DELETING_MESSAGE;
  const events: EventText[] = isNews ? [{ type: 'Normal', reason: 'DeletionWaits', message }] : [];
  return later({ ...observed, object: withReady(observed.object, { ...DELETING, message }, observed.now) }, undefined, ...events);
}

function continueDeletion(observed: Observed, state: OperationState): Decision {
  const failure = credentialFailureOf(observed);
  if (failure) return deleteError(observed, failure);
  return act(
    observed,
    { do: 'poll', state, since: waitingSince(observed.object, 'delete') },
    { type: 'Normal', reason: 'MonitorDelete', message: 'Continue monitoring deletion' },
  );
}

export function afterDeleteRead(observed: Observed, existing: Existing | undefined): Decision {
  const armId = annotation(observed.object, RESOURCE_ID)!;
  if (!existing) {
    if (!observed.traits.canDelete || !mayLag(observed)) return gone(observed);
    if (isOwnId(observed)) return act(observed, { do: 'delete', armId });
    // Nothing is sent on a doubt; when reads no longer lag, this one is believed.
    return isRecent(observed) ? deleteError(observed, doubtfulId(observed)) : gone(observed);
  }
  if (!observed.traits.canDelete) return notPossible(observed);
  if (!isOwnResource(observed, existing)) return deleteError(observed, doubtfulId(observed));
  // Azure is deleting it already (an earlier request whose answer was lost, or the owner's deletion): a second request would be refused.
  const isDeleting = existing.state.word?.toLowerCase() === 'deleting';
  const isOwn = pollerOf(observed.object)?.of === 'delete';
  if (isDeleting || isOwn) {
    return waitForDeletion(isOwn ? observed : { ...observed, object: withoutCreatePoller(observed) }, existing, armId);
  }
  const busy = existing.state.outcome === 'running';
  return act(busy ? { ...observed, busy } : { ...observed, object: withoutPoller(observed.object) }, { do: 'delete', armId });
}

/**
 * Azure is deleting the resource, or has not begun although this object has sent the DELETE: then the DELETE is sent again once the
 * operation takes longer than any of its type.
 */
function waitForDeletion(observed: Observed, { state: { word } }: Existing, armId: string): Decision {
  const waits: Observed = { ...observed, object: withWaiting(observed, 'delete') };
  if (!isOverdue(waits, 'delete')) return later(deleting(waits));
  if (!maySendAgain(waits, 'delete')) return overdue(waits, 'delete', word);
  return act({ ...waits, object: withSentAgain(waits, 'delete'), sendsAgain: { state: word } }, { do: 'delete', armId });
}

/** Drops the operation of the last PUT, but keeps the time since which the deletion is waited for. */
function withoutCreatePoller({ object }: Observed): Observed['object'] {
  return pollerOf(object) ? withoutPoller(object) : object;
}

/** Reads of some services show a new resource only after minutes; and clocks are adjusted. */
const READS_LAG = 30 * 60_000;

/**
 * Whether a read that finds no resource is no proof: a PUT was sent recently and no read has shown its resource yet, or its operation may
 * still run, or this process does not know the last request. Then only a DELETE is certain, which Azure answers with 204 or 404 if
 * nothing is there. If the resource existed and has gone, e.g. with its owner, the read is trusted, and no request is sent.
 */
function mayLag({ object, knowledge, now }: Observed): boolean {
  const record = lastAppliedOf(object);
  const isUnseen = record !== undefined && isRecent({ object, now }) && !wasSeen(record);
  return knowledge !== 'known' || pollerOf(object)?.of === 'create' || isUnseen;
}

function isRecent({ object, now }: Pick<Observed, 'object' | 'now'>): boolean {
  const record = lastAppliedOf(object);
  return record !== undefined && now - Date.parse(record.at) < READS_LAG;
}

/** Whether a read after the PUT has shown the resource: then the record has its known differences. */
function wasSeen({ answered, known, unread }: LastApplied): boolean {
  return answered && known !== undefined && !unread;
}

/** An owner that is gone soon takes such a resource with it, so the retry comes sooner. */
function notPossible(observed: Observed): Decision {
  const ownerGoes = observed.owner.kind === 'missing';
  const failure = warning('DeletionNotSupportedInAzure', NOT_POSSIBLE, ownerGoes ? 'slow' : 'verySlow');
  const decision = fail(observed, failure);
  return { ...decision, events: [{ type: 'Normal', reason: 'NotPossibleInAzure', message: NOT_POSSIBLE }] };
}

export function afterDelete(observed: Observed, step: Extract<Outcome, { of: 'delete' }>['step']): Decision {
  if (step.kind === 'succeeded') return gone(observed);
  const followed = withOperation(observed, 'delete', step.state);
  if (observed.sendsAgain) return overdue({ ...observed, object: followed }, 'delete', observed.sendsAgain.state);
  const waits = { ...observed, object: withNewWaiting({ object: followed, now: observed.now }, 'delete') };
  return pollLater(deleting(waits), { of: 'delete', step, isNew: true });
}

export function afterDeletePoll(observed: Observed, outcome: Extract<Outcome, { of: 'put' | 'poll' }>): Decision {
  if ('failed' in outcome) return deleteError({ ...observed, object: withoutPoller(observed.object) }, outcome.failed);
  const { step } = outcome;
  if (step.kind === 'succeeded') return gone(observed);
  const object = withWaiting({ object: following(observed, 'delete', step.state), now: observed.now }, 'delete');
  const followed = deleting({ ...observed, object });
  // A failed poll request is no failed deletion.
  if (step.transient) return finish(followed, { kind: 'failure', failure: asWarning(waiting(step)) });
  return pollLater(followed, { of: 'delete', step, isNew: false });
}

export function deletionFailed(observed: Observed, outcome: Extract<Outcome, { of: 'failure' }>): Decision {
  const armId = annotation(observed.object, RESOURCE_ID);
  if (observed.sendsAgain) return overdue(observed, 'delete', observed.sendsAgain.state, outcome.failure);
  if (outcome.during === 'read' && isOverdue(observed, 'delete')) return deleteError(observed, outcome.failure);
  // A failed read does not show whether the resource can be deleted.
  if (outcome.during === 'read' && armId && observed.traits.canDelete && isOwnId(observed)) return act(observed, { do: 'delete', armId });
  // The operation of the last PUT goes on, whatever the result of the DELETE; until it is over no sibling of the resource may write.
  const object = mayStillRun(observed) ? observed.object : withoutPoller(observed.object);
  return deleteError({ ...observed, object }, outcome.failure);
}

/** Longest wait for an operation: an object that never sees its end must not block others for ever. Milliseconds. */
const LONGEST_OPERATION = 60 * 60_000;

function mayStillRun({ object, busy, now }: Observed): boolean {
  const at = lastAppliedOf(object)?.at;
  return pollerOf(object)?.of === 'create' && (busy === true || (at !== undefined && now - Date.parse(at) < LONGEST_OPERATION));
}

function deleting(observed: Observed): Observed {
  return { ...observed, object: withReady(observed.object, DELETING, observed.now) };
}

function gone(observed: Observed): Decision {
  return finish({ ...observed, object: withoutFinalizer(withoutPoller(observed.object)) }, { kind: 'done' });
}

/** Never fatal: the deletion is retried until the object is gone. */
function deleteError(observed: Observed, failure: Failure): Decision {
  return fail(observed, asWarning(failure), {}, 'DeleteActionError');
}
