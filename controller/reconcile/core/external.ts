import { ownerFailure, withOwner, withOwnerLabels } from './apply';
import { waitForCache } from './cache-wait';
import { RECONCILING, SUCCEEDED, withReady } from './conditions';
import { absence, asWarning, warning } from './failure';
import { act, finish, type Decision, type Observed, type Outcome } from './observed';
import { actionError, fail, later, withStatus } from './success';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { hasFinalizer, withAnnotations, withFinalizer, withLabels, withoutFinalizer } from '../../../engine/objects/annotations';
import { allowsDeletion, allowsModification } from '../../../engine/objects/reconcile-policy';
import { LAST_VERSION_LABEL, OPERATOR_NAMESPACE } from '../../../src/azure/annotations';

/**
 * Kinds outside of Azure Resource Manager (docs/spec/users.md#lifecycle and docs/spec/groups.md#reconciliation): claim, then the whole
 * sequence in one action.
 */
export function startExternal(observed: Observed): Decision {
  const { traits: { initialStatus }, object } = observed;
  const begun: Observed = initialStatus ? { ...observed, object: { ...object, status: { ...initialStatus, ...object.status } } } : observed;
  if (object.metadata.deletionTimestamp !== undefined) return startRemoval(begun);
  const own: Observed = { ...begun, object: withAnnotations(begun.object, { [OPERATOR_NAMESPACE]: observed.operatorNamespace }) };
  return hasFinalizer(own.object) ? choose(own) : claim(own);
}

function claim(observed: Observed): Decision {
  const { owner, object } = observed;
  if (owner.kind === 'unknown') return waitForCache(observed, owner.error);
  if (owner.kind === 'missing' || owner.kind === 'notReady') return fail(observed, ownerFailure(owner));
  if (owner.kind === 'none' && observed.traits.needsOwner) {
    return fail(observed, warning('Failed', 'the owner is not a Kubernetes object: name one in spec.owner.name'));
  }
  const owned = owner.kind === 'ready' ? withOwnerLabels(withOwner(object, owner), owner) : object;
  const intended = withIntent(observed, owned);
  return act({ ...observed, object: withFinalizer(intended), hasIntended: intended !== owned }, { do: 'persist' });
}

/** The main object is stored: go on with the action that required it. */
export function afterExternalPersist(observed: Observed): Decision {
  return observed.reached ? finishReached(observed) : choose(observed);
}

function choose(observed: Observed): Decision {
  const labelled: Observed = { ...observed, object: withLabels(observed.object, { [LAST_VERSION_LABEL]: observed.controllerVersion }) };
  if (!allowsModification(labelled.policy)) return act(labelled, { do: 'observe' });
  const object = withIntent(labelled, labelled.object);
  // An external resource that could be created twice is on record before it is created.
  if (object !== labelled.object) return act({ ...labelled, object, hasIntended: true }, { do: 'persist' });
  return act(labelled, { do: 'ensure' });
}

function withIntent({ traits, policy }: Observed, object: KubernetesObject): KubernetesObject {
  const intent = allowsModification(policy) ? traits.intent?.(object) ?? {} : {};
  return Object.keys(intent).length > 0 ? withAnnotations(object, intent) : object;
}

export function afterEnsure(observed: Observed, { state }: Extract<Outcome, { of: 'ensure' }>): Decision {
  const named = state.annotations ? withAnnotations(observed.object, state.annotations) : observed.object;
  if (state.isGone) return later({ ...observed, object: withReady(named, RECONCILING, observed.now) });
  const reached: Observed = { ...observed, object: withStatus(named, state.status), reached: true };
  return state.annotations ? act(reached, { do: 'persist' }) : finishReached(reached);
}

export function afterExternalObservation(observed: Observed, { observation }: Extract<Outcome, { of: 'observe' }>): Decision {
  if (!observation.found) return actionError(observed, absence(observation.message));
  return finishReached({ ...observed, object: withStatus(observed.object, observation.state.status), reached: true });
}

function finishReached(observed: Observed): Decision {
  return observed.traits.hasExports ? act(observed, { do: 'export' }) : afterExport(observed);
}

export function afterExport(observed: Observed): Decision {
  return finish({ ...observed, object: withReady(observed.object, SUCCEEDED, observed.now) }, { kind: 'success' });
}

function startRemoval(observed: Observed): Decision {
  if (!hasFinalizer(observed.object)) return finish(observed, { kind: 'done' });
  if (!allowsDeletion(observed.policy)) return removed(observed);
  if (observed.owner.kind === 'unknown') return waitForCache(observed, observed.owner.error);
  // The user is gone with its server.
  if (observed.owner.kind === 'missing' && !observed.traits.outlivesOwner) return removed(observed);
  return act(observed, { do: 'remove' }, { type: 'Normal', reason: 'BeginDelete', message: 'Starting delete of resource' });
}

export function removed(observed: Observed): Decision {
  return finish({ ...observed, object: withoutFinalizer(observed.object) }, { kind: 'done' });
}

/**
 * The failure of a removal. A missing Secret has no retry class of its own here: the condition reports it, and the removal is retried
 * slowly.
 */
export function removalFailed(observed: Observed, { failure }: Extract<Outcome, { of: 'failure' }>): Decision {
  return fail(observed, asWarning(failure), {}, 'DeleteActionError');
}
