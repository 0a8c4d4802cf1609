import { itemKeyOf } from './selection';
import type { Condition, DeletePreconditions, KubernetesObject } from '../../engine/kubernetes/types';
import { redactTokens } from '../../engine/redact/patterns';
import { FINALIZER, POLLER_TOKEN, RECONCILE_POLICY, RESOURCE_ID } from '../../src/azure/annotations';
import { firstOf, shortened } from '../../src/util/words';

const MOST_NAMED = 3;
const LONGEST_MESSAGE = 200;

/** Only this very object, as it was read. */
export function identityOf({ metadata: { uid, resourceVersion } }: KubernetesObject): DeletePreconditions {
  return { uid, resourceVersion };
}

export function isBusy(object: KubernetesObject | undefined): boolean {
  return Boolean(object?.metadata.annotations?.[POLLER_TOKEN]);
}

export function isHeld(object: KubernetesObject | undefined): boolean {
  return object?.metadata.annotations?.[RECONCILE_POLICY] === 'skip';
}

/** The cause that an object which is deleted is still there. */
export function heldBy(object: KubernetesObject | undefined): string {
  const { finalizers = [] } = object?.metadata ?? {};
  const others = finalizers.filter((name) => name !== FINALIZER);
  if (others.length > 0) return `the finalizer ${firstOf(others, MOST_NAMED)} is still there: what has set it has to release the object`;
  return finalizers.includes(FINALIZER) ? 'its controller has not released it: does it run?' : 'it is being deleted';
}

export function conditionText(object: KubernetesObject | undefined): string {
  if (!object) return 'it is gone';
  const ready = object.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready ? shortened(redactTokens(`${ready.reason}: ${ready.message ?? ''}`), LONGEST_MESSAGE) : 'no controller has looked at it: does one watch the namespace?';
}

/** Ready for the spec as it is. */
export function isReady(object: KubernetesObject | undefined): boolean {
  const ready = object?.status?.conditions?.find((condition: Condition) => condition.type === 'Ready');
  return ready?.status === 'True' && (ready.observedGeneration ?? 0) >= (object?.metadata.generation ?? 0);
}

/** Whether both stand for one resource. Kinds without Azure Resource Manager have no id: they are the same by their names. */
export function isSame(one: KubernetesObject | undefined, other: KubernetesObject | undefined): boolean {
  const [id, otherId] = [one, other].map((object) => object?.metadata.annotations?.[RESOURCE_ID]?.toLowerCase());
  return one !== undefined && other !== undefined && (id === undefined || id === otherId) && itemKeyOf(one) === itemKeyOf(other);
}
