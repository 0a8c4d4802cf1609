import { sharedKeyOf } from './object-key';
import type { ObjectReconcile, Preemption, ReconcileEnd, ReconcileProgress, ReconcileRequest } from './object-reconcile';
import { confirmBasis, isDecisionCurrent, needsConfirmation } from './steps/cache-confirmation';
import { carryOut, startActions } from './steps/carry-out';
import { changesAzure, nextAction, usesCredential } from './steps/next-action';
import { prepareCredential, resolveCredential } from './steps/object-credential';
import { beginProgress, resolveOwner } from './steps/observe-object';
import { policyWithWarning } from './steps/own-policy';
import { acquireParentLock } from './steps/parent-lock';
import { readContents } from './steps/read-contents';
import { readAsApplied, startReconcile } from './steps/read-object';
import { endReconcile, endWithOutdatedDecision, endWithoutObject } from './steps/reconcile-end';
import { afterPersist, writeMain, writeResult } from './steps/write-object';

/** Upper bound against a cycle in the decisions; no state has a longer chain of actions. */
const MOST_ACTIONS = 20;

/**
 * Reconciles one object: reads and observes it, then carries out the actions that `decide` returns until one of them is `finish`.
 *
 * @throws UnknownStateError where an object is needed of which the cache does not show whether it exists
 */
export async function reconcileObject(request: ReconcileRequest, preemption: Preemption): Promise<ReconcileEnd> {
  const { access, foreignResources, expressions, credentials, guard } = request.options;
  const reconcile = startReconcile(request, await readAsApplied(request, request.cached));
  if (needsConfirmation(reconcile)) await confirmBasis(reconcile);
  const policy = policyWithWarning(reconcile);
  if (expressions) await expressions.prepare(reconcile.version, reconcile.object);
  await readContents(reconcile);
  if (credentials.prepare) await prepareCredential(reconcile.options, reconcile.object);
  await access?.prepare?.(reconcile.object, preemption.signal);
  await foreignResources?.prepare(reconcile.object, preemption.signal);
  const credential = resolveCredential(reconcile);
  const owner = resolveOwner(reconcile);
  const actions = startActions(reconcile, credential.resolved, preemption);
  const progress = beginProgress(reconcile, { policy, owner, credential: credential.state });
  while (progress.actions.length <= MOST_ACTIONS) {
    const action = nextAction(reconcile, progress);
    if (action.do === 'finish') {
      await writeResult(reconcile, progress, action.result);
      return endReconcile(reconcile, progress, action.result);
    }
    if (changesAzure(action.do) && !(await mayChangeAzure(reconcile, progress))) return endWithOutdatedDecision(reconcile, progress);
    progress.actions.push(action.do);
    if (usesCredential(action.do, progress)) await guard?.hold(reconcile.object);
    if (action.do === 'persist') {
      const written = await writeMain(reconcile, progress);
      if (!written) return endWithoutObject(reconcile, progress);
      afterPersist(reconcile, progress, written);
    } else if (action.do === 'acquireLock') {
      acquireParentLock(reconcile, progress, action.armId, credential.resolved);
    } else {
      progress.outcome = await carryOut(actions, reconcile, progress, action, preemption.signal);
    }
  }
  throw new Error(`a reconcile of ${sharedKeyOf(request.key)} does not end: ${progress.actions.join(', ')}`);
}

/** Whether the decision still holds, and the object's lock. */
async function mayChangeAzure(reconcile: ObjectReconcile, progress: ReconcileProgress): Promise<boolean> {
  return (await isDecisionCurrent(reconcile, progress)) && reconcile.state.parentLocks.mayStillWrite(reconcile.key);
}
