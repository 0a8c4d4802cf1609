import {
  afterCompare,
  afterLook,
  afterPersist,
  afterPreCheck,
  afterPut,
  afterRecovery,
  afterResolve,
  afterLock,
  startApply,
} from './apply';
import { withReady } from './conditions';
import { afterDelete, afterDeletePoll, afterDeleteRead, afterDeletionLock, deletionFailed, startDeletion } from './deletion';
import { afterEnsure, afterExport, afterExternalObservation, afterExternalPersist, removalFailed, removed, startExternal } from './external';
import { fatal, readyStateOf } from './failure';
import { afterPoll } from './monitor';
import { act, finish, type Decision, type Observed, type Outcome } from './observed';
import { afterComplete, afterRefresh, applyFailed, fail } from './success';
import { annotation, withAnnotations } from '../../../engine/objects/annotations';
import { OPERATOR_NAMESPACE } from '../../../src/azure/annotations';
import { OWN_GROUPS } from '../../../src/util/api-groups';

/**
 * The next action for an object, from its observed state and the outcome of the action before (none: the reconcile begins). Pure: the
 * state of an object is in its annotations, finalizers and conditions, and a reconcile can be abandoned after each action.
 */
export function decide(observed: Observed, outcome?: Outcome): Decision {
  if (!outcome) return start(observed);
  const deleting = observed.object.metadata.deletionTimestamp !== undefined;
  switch (outcome.of) {
    case 'resolve':
      return afterResolve({ ...observed, desired: outcome.desired });
    case 'persist':
      return observed.traits.isExternal ? afterExternalPersist(observed) : afterPersist(observed);
    case 'preCheck':
      return afterPreCheck(observed, outcome.verdict);
    case 'acquireLock':
      return deleting ? afterDeletionLock(observed, outcome.lock) : afterLock(observed, outcome.lock);
    case 'read':
      if (outcome.purpose === 'recover') return afterRecovery(observed, outcome.existing);
      if (outcome.purpose === 'compare') return afterCompare(observed, outcome.existing);
      if (outcome.purpose === 'adopt') return afterLook(observed, outcome.existing);
      return outcome.purpose === 'delete' ? afterDeleteRead(observed, outcome.existing) : afterRefresh(observed, outcome.existing);
    case 'put':
      return afterPut(observed, outcome);
    case 'poll':
      return deleting ? afterDeletePoll(observed, outcome) : afterPoll(observed, outcome);
    case 'complete':
      return afterComplete(observed, outcome);
    case 'delete':
      return afterDelete(observed, outcome.step);
    case 'ensure':
      return afterEnsure(observed, outcome);
    case 'observe':
      return afterExternalObservation(observed, outcome);
    case 'export':
      return afterExport(observed);
    case 'remove':
      return removed(observed);
    case 'failure':
      if (outcome.during === 'remove') return removalFailed(observed, outcome);
      return deleting ? deletionFailed(observed, outcome) : applyFailed(observed, outcome);
  }
}

function start(observed: Observed): Decision {
  const owner = annotation(observed.object, OPERATOR_NAMESPACE);
  if (owner && owner !== observed.operatorNamespace) {
    return finish(observed, { kind: 'done' }, {
      type: 'Warning',
      reason: 'Overlap',
      message: `Operators in "${observed.operatorNamespace}" and "${owner}" are both configured to manage this resource`,
    });
  }
  const deleting = observed.object.metadata.deletionTimestamp !== undefined;
  if (observed.refusal !== undefined && !deleting) return fail(observed, fatal('Failed', observed.refusal));
  if (observed.traits.isExternal) return startExternal(observed);
  if (!observed.traits.isArm) return leaveAlone(observed);
  if (deleting) return startDeletion(observed);
  // Stored with the next write of the main object, which carries a resourceVersion: only one of two controllers gets the object.
  const object = withAnnotations(observed.object, { [OPERATOR_NAMESPACE]: observed.operatorNamespace });
  return startApply({ ...observed, object });
}

/** Kinds outside of Azure Resource Manager. */
function leaveAlone(observed: Observed): Decision {
  const { kind, group } = observed.traits;
  const remedies = [
    'set DATABASE_USERS to enabled if it is a database user',
    ...(group.endsWith(OWN_GROUPS) ? [] : ['run Azure Service Operator for this kind']),
  ];
  const what = `This controller does not reconcile ${kind}.${group}, which is not an Azure Resource Manager resource`;
  const failure = fatal('Failed', `${what}; ${remedies.join(', or ')}`);
  const object = withReady(observed.object, readyStateOf(failure), observed.now);
  return act({ ...observed, object }, { do: 'finish', result: { kind: 'failure', failure } });
}
