import { adoptionFailure, mayIntendAtClaim, mustLook, mustRecordAbsence, unknownAdoption } from './adoption';
import { waitForCache } from './cache-wait';
import { readyOf, RECONCILING, withoutFailure, withReady } from './conditions';
import { credentialFailureOf } from './credential';
import { driftEvent, isAsWanted, mayCompare, unexplained, withSettled } from './drift';
import { planRepair, repairEvent } from './failed-resource';
import { warning, type Failure } from './failure';
import { endFailedOperation, startMonitor, withOperation } from './monitor';
import { act, finish, type Decision, type Existing, type Observed, type Outcome, type OwnerState, type ParentLockState } from './observed';
import { isOverdue, overdue, withNewWaiting, withWaiting } from './overdue';
import { doubtfulId, foreignId, isOwnId, withOwnId } from './own-id';
import { mustAcquireLock, waitForLock } from './parent-lock';
import { afterReading, hasArrived, needsIntent, withAcceptance, withArrival, withIntent, withRefusal } from './put-record';
import { planCorrection, repeatedDriftEvent } from './repeated-drift';
import { actionError, afterRefresh, fail, later, pollLater } from './success';
import type { Verdict } from '../../../engine/kinds/types';
import { annotation, hasFinalizer, withAnnotations, withFinalizer, withLabels, withoutPoller } from '../../../engine/objects/annotations';
import { lastAppliedOf, type LastApplied } from '../../../engine/objects/last-applied';
import { ownerReferencesOf } from '../../../engine/objects/owner-references';
import { bodyOperation, pollerOf } from '../../../engine/objects/poller';
import { allowsModification } from '../../../engine/objects/reconcile-policy';
import {
  AZURE_NAME_FROM_CONFIG,
  LAST_VERSION_LABEL,
  LATEST_GENERATION,
  OWNER_GROUP_KIND_LABEL,
  OWNER_NAME_LABEL,
  OWNER_UID_LABEL,
  RESOURCE_ID,
} from '../../../src/azure/annotations';
import { groupOf } from '../../../src/object-id';

/** Create or update (docs/spec/reconcile.md#create-or-update): claim, choice, begin. */
export function startApply(observed: Observed): Decision {
  const unknown = unknownAdoption(observed.object);
  if (unknown) return fail(observed, unknown);
  return hasFinalizer(observed.object) ? choose(observed) : claim(observed);
}

/** First-time preparation: owner, credential, then the spec is resolved. */
function claim(observed: Observed): Decision {
  const { owner, credential } = observed;
  if (owner.kind === 'unknown') return waitForCache(observed, owner.error);
  if (owner.kind === 'missing' || owner.kind === 'notReady') return fail(observed, ownerFailure(owner));
  const owned = owner.kind === 'ready' ? { ...observed, object: withOwner(observed.object, owner) } : observed;
  if ('failure' in credential) return fail(owned, credential.failure);
  return act(
    owned,
    { do: 'resolve' },
    { type: 'Normal', reason: 'CredentialFrom', message: `Using credential from "${credential.source}"` },
  );
}

export function ownerFailure(owner: Extract<OwnerState, { kind: 'missing' | 'notReady' }>): Failure {
  const message = owner.kind === 'missing'
    ? `Owner "${owner.text}" cannot be found. Progress is blocked until the owner is created.`
    : `Owner "${owner.text}" is not ready. Progress is blocked until the owner is ready.`;
  return { ...warning('WaitingForOwner', message, 'fast'), isWoken: true };
}

export function withOwner(object: Observed['object'], owner: Extract<OwnerState, { kind: 'ready' }>): Observed['object'] {
  const same = (reference: typeof owner.reference) =>
    groupOf(reference) === groupOf(owner.reference)
    && reference.kind === owner.reference.kind && reference.name === owner.reference.name;
  const others = ownerReferencesOf(object).filter((reference) => !same(reference));
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...others, owner.reference] } };
}

export function withOwnerLabels(object: Observed['object'], owner: Extract<OwnerState, { kind: 'ready' }>): Observed['object'] {
  return withLabels(object, {
    [OWNER_NAME_LABEL]: owner.name,
    [OWNER_GROUP_KIND_LABEL]: owner.groupKind,
    [OWNER_UID_LABEL]: owner.reference.uid,
  });
}

/** The spec is resolved: end the claim, or go on to the PUT. */
export function afterResolve(observed: Observed): Decision {
  return hasFinalizer(observed.object) ? send(observed) : claimed(observed);
}

function claimed(observed: Observed): Decision {
  const { owner, desired } = observed;
  const labelled = owner.kind === 'ready' ? withOwnerLabels(observed.object, owner) : observed.object;
  const named = withAnnotations(labelled, {
    [RESOURCE_ID]: desired!.armId,
    ...(desired!.nameFromConfig ? { [AZURE_NAME_FROM_CONFIG]: desired!.nameFromConfig } : {}),
  });
  const object = withFinalizer(named);
  // No request was sent before the finalizer was stored, so this process knows them all.
  const known: Observed = { ...observed, object, knowledge: 'known' };
  const intends = allowsModification(observed.policy) && mayIntendAtClaim(object);
  return act(intends ? { ...known, object: withIntent(known) } : known, { do: 'persist' });
}

/** The main object is stored: go on with the action that required it. */
export function afterPersist(observed: Observed): Decision {
  return choose(observed);
}

/** Which action a claimed object needs (docs/spec/reconcile.md#choice-of-action). */
function choose(observed: Observed): Decision {
  const labelled: Observed = { ...observed, object: withLabels(observed.object, { [LAST_VERSION_LABEL]: observed.controllerVersion }) };
  if (!allowsModification(observed.policy)) return refreshOnly(labelled);
  const begun: Observed = { ...labelled, object: withReady(labelled.object, RECONCILING, observed.now) };
  if (readyOf(observed.object)?.reason === 'Deleting') {
    return fail(
      begun,
      warning('Failed', 'resource is currently deleting; it can not be applied'),
      {},
      'DetermineCreateOrUpdateActionError',
    );
  }
  return pollerOf(begun.object) ? startMonitor(begun) : begin(begun);
}

/** Policy `skip`: shows the state in Azure, sends nothing (docs/spec/reconcile.md#refresh-only). */
function refreshOnly(observed: Observed): Decision {
  const failure = credentialFailureOf(observed) ?? foreignId(observed);
  if (failure) return actionError(observed, failure);
  const armId = annotation(observed.object, RESOURCE_ID);
  if (!armId) return act(observed, { do: 'resolve' });
  return isOwnId(observed) ? act(observed, { do: 'read', armId, purpose: 'refresh' }) : actionError(observed, doubtfulId(observed));
}

function begin(observed: Observed): Decision {
  const failure = credentialFailureOf(observed);
  if (failure) return actionError(observed, failure);
  return observed.desired ? send(observed) : act(observed, { do: 'resolve' });
}

/** Everything is resolved: read Azure if necessary, check, then PUT. */
function send(observed: Observed): Decision {
  const desired = observed.desired!;
  const armId = annotation(observed.object, RESOURCE_ID);
  // The annotations were replaced by another writer: the ID can be computed again.
  if (!armId) return send({ ...observed, object: withAnnotations(observed.object, { [RESOURCE_ID]: desired.armId }) });
  if (!allowsModification(observed.policy)) return refreshOnly(observed);
  const foreign = foreignId(observed);
  if (foreign) return actionError(observed, foreign);
  if (observed.knowledge !== 'known') return act(observed, { do: 'read', armId, purpose: 'recover' });
  if (!mayCompare(observed) && mustAcquireLock(observed)) return act(observed, { do: 'acquireLock', armId });
  if (mustLook(observed)) return act(observed, { do: 'read', armId, purpose: 'adopt' });
  const failure = adoptionFailure(observed, armId);
  if (failure) return actionError(observed, failure);
  if (mayCompare(observed)) return act(observed, { do: 'read', armId, purpose: 'compare' });
  if (observed.traits.hasPreChecks && !observed.preChecked) return act(observed, { do: 'preCheck' });
  // The first PUT must be on record before it is sent; claims store the record with the finalizer.
  if (needsIntent(observed.object) || mustRecordAbsence(observed)) {
    return act({ ...observed, object: withIntent(observed) }, { do: 'persist' });
  }
  const generation = String(observed.object.metadata.generation ?? 0);
  const object = withReady(withAnnotations(observed.object, { [LATEST_GENERATION]: generation }), RECONCILING, observed.now, true);
  return act({ ...observed, object }, { do: 'put' });
}

/** The write lock was requested. */
export function afterLock(observed: Observed, parentLock: ParentLockState): Decision {
  return parentLock.kind === 'waits' ? waitForLock(observed, parentLock) : send({ ...observed, parentLock });
}

/** The read has shown whether the resource exists (see `adoption.ts`). */
export function afterLook(observed: Observed, existing: Existing | undefined): Decision {
  const seen: Observed = { ...observed, present: existing !== undefined };
  if (!existing || adoptionFailure(seen, annotation(seen.object, RESOURCE_ID)!)) return send(seen);
  // Another party's operation: when it is over, the generation check leads here again.
  if (isRunning(existing) && !seen.sendsAgain) return resume(seen, withGeneration(seen.object, 0));
  if (hasFailed(existing)) return repair(seen, existing);
  return existing.state.outcome === 'succeeded' && isAsWanted(seen, existing) ? settled(seen, existing) : send(seen);
}

/** A periodic comparison with Azure: a resource in sync is left alone. */
export function afterCompare(observed: Observed, existing: Existing | undefined): Decision {
  if (!existing) return send({ ...observed, compared: true, present: false });
  // Another party's operation: its result is read when it is over.
  if (isRunning(existing)) return waitForOther({ ...observed, object: withWaiting(observed, 'put') }, existing);
  if (existing.comparison?.digest !== observed.desired!.digest) return send({ ...observed, compared: true });
  if (hasFailed(existing)) return repair(observed, existing);
  const drift = unexplained(existing, lastAppliedOf(observed.object));
  return drift.length === 0 ? settled(observed, existing) : correct(observed, existing, drift);
}

/** Sends the resource again because it has drifted in Azure; later, if the drift comes back each time. */
function correct(observed: Observed, existing: Existing, drift: ReturnType<typeof unexplained>): Decision {
  const { corrected, dueAt } = planCorrection(observed, drift);
  if (dueAt > observed.now) return settled({ ...observed, correctionDueAt: dueAt }, existing);
  const repeated = repeatedDriftEvent(corrected, observed);
  const decision = send({ ...observed, compared: true, corrected });
  return { ...decision, events: [driftEvent(drift), ...repeated ? [repeated] : [], ...decision.events] };
}

/** Sends a failed resource again, as far as that brings it back and is due (`failed-resource.ts`). */
function repair(observed: Observed, existing: Existing): Decision {
  const plan = planRepair(observed, existing.state);
  if (!plan || plan.dueAt > observed.now) return afterRefresh(observed, existing);
  const decision = send({ ...observed, compared: true, corrected: plan.corrected });
  return { ...decision, events: [repairEvent(existing.state), ...decision.events] };
}

/** Azure has the wanted state, or a correction is scheduled. */
function settled(observed: Observed, existing: Existing): Decision {
  return afterRefresh({ ...observed, object: withSettled(observed, existing), inSync: true }, existing);
}

function waitForOther(observed: Observed, existing: Existing): Decision {
  return isOverdue(observed, 'put') ? overdue(observed, 'put', existing.state.word) : later(observed);
}

function isRunning({ state }: Existing): boolean {
  return state.outcome === 'running';
}

function hasFailed({ state }: Existing): boolean {
  return state.outcome === 'failed';
}

/** After a restart or a lost answer (see `put-record.ts`). */
export function afterRecovery(observed: Observed, existing: Existing | undefined): Decision {
  const { object } = observed;
  const record = lastAppliedOf(object);
  const known: Observed = { ...observed, knowledge: 'known', present: existing !== undefined };
  const failure = adoptionFailure(known, annotation(object, RESOURCE_ID)!);
  if (failure) return actionError(known, failure);
  switch (afterReading(observed, existing)) {
    case 'put':
      if (!existing) return send({ ...known, compared: true });
      if (hasFailed(existing)) return repair(known, existing);
      return isAsWanted(known, existing) ? settled(known, existing) : sendUnlike(known, existing);
    case 'resume': {
      if (observed.sendsAgain) return send({ ...known, compared: true });
      // Another party's operation, or one of an older spec: when it is over, the generation check sends the current spec.
      const ours = existing && record && hasArrived(existing, record);
      const current = ours && record.digest === observed.desired?.digest;
      const marked = current ? arrived(object, record) : withGeneration(ours ? withArrival(object, record) : object, 0);
      return resume(known, marked);
    }
    case 'settled':
      // The record has Azure's own spelling, so any other difference is drift.
      if (existing && record?.known && mayCompare(known)) return afterCompare({ ...known, object: arrived(object, record) }, existing);
      return afterRefresh({ ...known, object: arrived(object, record!) }, existing);
  }
}

/** Follows an operation by the state of the resource itself. */
function resume(observed: Observed, object: Observed['object']): Decision {
  const state = bodyOperation(annotation(object, RESOURCE_ID)!, observed.traits.armApiVersion);
  const waits: Observed = { ...observed, object: withWaiting({ object, now: observed.now }, 'put') };
  return later({ ...waits, object: withOperation(waits, 'create', state) });
}

/** The resource that was read after a restart is not in sync. */
function sendUnlike(observed: Observed, existing: Existing): Decision {
  const record = lastAppliedOf(observed.object);
  return record?.known && mayCompare(observed) ? afterCompare(observed, existing) : send({ ...observed, compared: true });
}

/** An intent without an answer becomes a record of the PUT that has arrived, so that the next start need not decide again. */
function arrived(object: Observed['object'], record: LastApplied): Observed['object'] {
  return record.answered
    ? withGeneration(object, object.metadata.generation)
    : withGeneration(withArrival(object, record), record.generation);
}

function withGeneration(object: Observed['object'], generation = 0): Observed['object'] {
  return withAnnotations(object, { [LATEST_GENERATION]: String(generation) });
}

export function afterPreCheck(observed: Observed, verdict: Verdict): Decision {
  switch (verdict.kind) {
    case 'proceed':
      // The cause of an earlier failure is over.
      return send({ ...observed, object: withoutFailure(observed.object), preChecked: true });
    case 'postpone':
      return finish(observed, { kind: 'success' });
    case 'block':
      return actionError(observed, warning('ReconciliationBlocked', verdict.message));
  }
}

export function afterPut(observed: Observed, outcome: Extract<Outcome, { of: 'put' | 'poll' }>): Decision {
  if ('failed' in outcome) {
    const { sendsAgain, object: sent } = observed;
    // Azure still runs the earlier operation, and has not accepted the newer spec.
    if (sendsAgain) {
      const object = withAnnotations(sent, { [LATEST_GENERATION]: sendsAgain.sentGeneration });
      return overdue({ ...observed, object }, 'put', sendsAgain.state, outcome.failed);
    }
    const object = withoutPoller(sent);
    if (outcome.accepted && !outcome.inDoubt) return endFailedOperation({ ...observed, object }, outcome.failed);
    // Without an answer the outcome is unknown, and the record stays as it is.
    return actionError({ ...observed, object: outcome.inDoubt ? object : withRefusal(object) }, outcome.failed);
  }
  const armId = annotation(observed.object, RESOURCE_ID)!;
  const event = {
    type: 'Normal',
    reason: 'BeginCreateOrUpdate',
    message: `Successfully sent resource to Azure with ID "${armId}"`,
  } as const;
  const accepted: Observed = { ...observed, object: withOwnId(withAcceptance(observed, outcome.shown), armId) };
  if (outcome.step.kind === 'succeeded') {
    if (!outcome.existing) return act(accepted, { do: 'read', armId, purpose: 'refresh' }, event);
    const decision = afterRefresh(accepted, outcome.existing);
    return { ...decision, events: [event, ...decision.events] };
  }
  const object = withOperation({ ...accepted, object: withNewWaiting(accepted, 'put') }, 'create', outcome.step.state);
  return pollLater({ ...accepted, object }, { of: 'put', step: outcome.step, isNew: true }, event);
}
