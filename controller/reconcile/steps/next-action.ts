import { hasFinalizer } from '../../../engine/objects/annotations';
import { decide } from '../core/decide';
import type { Action } from '../core/observed';
import type { ObjectReconcile, ReconcileProgress } from '../object-reconcile';

/** Decides the next action, and records its events. */
export function nextAction({ object, options: { clock, events } }: ObjectReconcile, progress: ReconcileProgress): Action {
  const decision = decide({ ...progress.observed, now: clock.now() }, progress.outcome);
  decision.events.forEach((event) => events.record(object, event));
  progress.observed = decision.observed;
  return decision.action;
}

/** Whether the action must not be carried out on an outdated decision. */
export function changesAzure(action: Action['do']): boolean {
  return action === 'put' || action === 'delete' || action === 'ensure' || action === 'remove';
}

/** Whether the action claims the object, or sends it to Azure: then its deletion needs the credential again. */
export function usesCredential(action: Action['do'], { stored, observed }: Pick<ReconcileProgress, 'stored' | 'observed'>): boolean {
  return action === 'put' || action === 'ensure' || (action === 'persist' && hasFinalizer(observed.object) && !hasFinalizer(stored));
}
