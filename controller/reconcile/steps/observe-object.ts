import { waitForUnknown } from './wait-for-cache';
import { needsParentLock } from '../../../engine/kinds/serial-writes';
import { findOrUnknown, UnknownStateError } from '../../../engine/kubernetes/cache-state';
import { annotation } from '../../../engine/objects/annotations';
import { armIdOf } from '../../../engine/resolve/arm-id-of';
import { ResolutionError } from '../../../engine/resolve/types';
import { RESOURCE_ID } from '../../../src/azure/annotations';
import type { AccessUser } from '../core/access-user';
import type { Observed, OwnerState } from '../core/observed';
import type { ObjectReconcile, ReconcileProgress } from '../object-reconcile';
import { ownerState, traitsOf } from '../observe';

/**
 * How long a read that has found no resource takes the place of another one. In this time another client may create it: then the PUT that
 * follows changes it, as ASO's does in any case. Milliseconds.
 */
const ABSENCE_HOLDS_MS = 60_000;

/** The owner's state; the object depends on the owner, and waits for a cache that does not show it. */
export function resolveOwner(reconcile: ObjectReconcile): OwnerState {
  const { object, version, options, lookup } = reconcile;
  const owner = ownerState(object, version, options.cluster, lookup);
  if (owner.kind === 'unknown') waitForUnknown(reconcile, owner.error);
  return owner;
}

/** Observes the object for the first decision. */
export function beginProgress(
  reconcile: ObjectReconcile, resolved: Pick<Observed, 'policy' | 'owner' | 'credential'>,
): ReconcileProgress {
  const { object, version, external, memory, options, state } = reconcile;
  const { clock, delayScale, operatorNamespace, controllerVersion, syncPeriod } = options;
  const observed: Observed = {
    ...resolved,
    object,
    traits: traitsOf(version, external, clock.now(), delayScale),
    operatorNamespace,
    controllerVersion,
    refusal: state.validations.refusalOf(version, object),
    neededBy: neededBy(reconcile),
    ownId: ownIdOf(reconcile, resolved),
    ...(object.metadata.deletionTimestamp === undefined ? {} : sharing(reconcile)),
    knowledge: memory.knowledge,
    failures: memory.counters.failures,
    now: clock.now(),
    syncPeriod,
    wasAbsent: memory.absentAt !== undefined && clock.now() - memory.absentAt < ABSENCE_HOLDS_MS,
    ...(needsParentLock(version.facts.arm?.type ?? '') ? { parentLock: { kind: 'notRequested' } } : {}),
  };
  return { observed, stored: object, actions: [] };
}

/** Whether another object has the same resource; for an object that is not being deleted the resolution of its spec tells. */
function sharing(reconcile: ObjectReconcile): Pick<Observed, 'isShared' | 'sharedUnknown'> {
  const { key, object, state: { ids }, options: { foreignResources } } = reconcile;
  const armId = annotation(object, RESOURCE_ID);
  if (armId === undefined) return { isShared: false };
  if (ids.hasOther(key, armId)) return { isShared: true };
  const found = findOrUnknown(() => foreignResources?.hasOther(object) ?? false);
  if (!(found instanceof UnknownStateError)) return { isShared: found };
  waitForUnknown(reconcile, found);
  return { sharedUnknown: found };
}

/**
 * The ARM id by the object's name and owners; undefined where these, or the credential, do not tell it. It makes the object depend on
 * nothing: a change above it is none of the object.
 */
function ownIdOf({ object, version, options: { cluster } }: ObjectReconcile, { credential }: Pick<Observed, 'credential'>): string | undefined {
  if (!version.facts.arm || 'failure' in credential) return undefined;
  try {
    return armIdOf(object, version, cluster.lookup(), credential.subscriptionId);
  } catch (error) {
    if (error instanceof ResolutionError || error instanceof UnknownStateError) return undefined;
    throw error;
  }
}

/** The objects that need this one in Azure, as far as the cache shows them. */
function neededBy(reconcile: ObjectReconcile): readonly AccessUser[] | UnknownStateError {
  const { key, object, options: { access, dependencies } } = reconcile;
  const users = findOrUnknown(() => access?.neededBy(object) ?? []);
  if (users instanceof UnknownStateError) {
    waitForUnknown(reconcile, users);
    return users;
  }
  // The deletion of any user triggers a reconcile, which then waits for the next one: not one reconcile for each user.
  const [first] = users;
  if (first) dependencies.add(key, first.key, 'object');
  return users;
}
