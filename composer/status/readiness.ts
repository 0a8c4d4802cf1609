import type { OwnObject } from './own-object';
import type { EvaluateReadiness } from './values';
import { type NodeState } from '../../engine/inspect';
import { factsOf } from '../../engine/inspect/object-facts';
import { stateOf } from '../../engine/inspect/state';
import { conditionText } from '../../engine/inspect/waits';
import type { Condition, KubernetesObject } from '../../engine/kubernetes';
import { RECONCILE_POLICY } from '../../src/azure/annotations';
import { groupOf, type ObjectId, objectIdOf, objectTitleOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { isRecord, member } from '../../src/util/records';
import type { DesiredObject } from '../apply/desired-object';

/** Whether a composed object is ready, and if not why. */
export interface Readiness extends ObjectId {
  readonly wave: number;
  readonly isReady: boolean;
  /** A word for `status.objects` and the condition's reason, e.g. `Reconciling`. */
  readonly reason: string;
  /** `StorageAccount shop/data: Reconciling: …` */
  readonly text: string;
  /** The smaller, the more it is the cause of what the others wait for. */
  readonly urgency: number;
}

const URGENCY: Readonly<Record<NodeState, number>> = {
  Error: 0, Warning: 1, Deleting: 2, Reconciling: 3, Stale: 3, Unclaimed: 3, Waiting: 5, Suspended: 9, Ready: 9,
};
const IN_PROGRESS = 3;
const MISSING = 4;

/** The readiness of a composed object: by its CEL expression, the condition Ready, the status of a workload, or by being there. */
export function readinessOf(
  name: ObjectId & { readonly wave: number }, found: OwnObject, desired: DesiredObject | undefined, evaluate: EvaluateReadiness,
): Readiness {
  const { group, kind, namespace, wave } = name;
  const id = { group, kind, namespace, name: name.name, wave };
  if (found.state === 'foreign') {
    return { ...id, isReady: false, reason: 'ObjectExists', text: `${objectTitleOf(name)} was not made for this claim`, urgency: MISSING };
  }
  if (found.state !== 'present') {
    const reason = found.state === 'absent' ? 'NotCreated' : 'Unknown';
    const why = found.state === 'absent' ? 'it does not exist yet' : found.why;
    return { ...id, isReady: false, reason, text: `${objectTitleOf(name)}: ${why}`, urgency: MISSING };
  }
  const { object } = found;
  if (object.metadata.deletionTimestamp !== undefined) {
    return { ...id, isReady: false, reason: 'Deleting', text: `${objectTitleOf(name)} is being deleted`, urgency: URGENCY.Deleting };
  }
  if (desired?.readiness !== undefined) {
    const { isReady, why } = evaluate(desired.readiness, object);
    return isReady
      ? { ...id, isReady, reason: 'Ready', text: '', urgency: URGENCY.Ready }
      : { ...id, isReady, reason: 'NotReady', text: `${objectTitleOf(name)}: ${why}`, urgency: IN_PROGRESS };
  }
  if (mayBeInCatalog(groupOf(object))) return ofAzure(id, object);
  const why = workloadFault(object) ?? conditionFault(object);
  if (why === undefined) return { ...id, isReady: true, reason: 'Ready', text: '', urgency: URGENCY.Ready };
  const text = conditionText(objectIdOf(object), why.reason, why.message);
  return { ...id, isReady: false, reason: why.reason, text, urgency: why.urgency };
}

/** The one object that the others wait for: failures first, then what is under way, the owner before the child. */
export function firstCause(all: readonly Readiness[]): Readiness | undefined {
  const [first] = all.filter(({ isReady }) => !isReady).sort((a, b) => a.urgency - b.urgency || a.wave - b.wave);
  return first;
}

function ofAzure(id: ObjectId & { readonly wave: number }, object: KubernetesObject): Readiness {
  const facts = factsOf(object);
  const state = stateOf(facts, { policy: policyOf(object), from: 'object' });
  const { ready } = facts;
  const isReady = state === 'Ready' || state === 'Suspended';
  const reason = isReady ? 'Ready' : (state === 'Stale' || !ready ? 'Reconciling' : ready.reason);
  const message = ready && state !== 'Stale' ? ready.message ?? '' : 'the operator has not looked at it yet';
  const severity = !isReady && ready?.severity !== undefined && ready.severity !== 'Info' ? `${ready.severity}/` : '';
  return { ...id, isReady, reason, text: isReady ? '' : conditionText(facts.name, `${severity}${reason}`, message), urgency: URGENCY[state] };
}

function policyOf({ metadata: { annotations } }: KubernetesObject): 'manage' | 'skip' {
  return annotations?.[RECONCILE_POLICY] === 'skip' ? 'skip' : 'manage';
}

interface Fault {
  readonly reason: string;
  readonly message: string;
  readonly urgency: number;
}

/**
 * Workloads as kstatus judges them.
 * @see https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md
 */
function workloadFault(object: KubernetesObject): Fault | undefined {
  const { kind, metadata: { generation } } = object;
  const group = groupOf(object);
  const status = (name: string) => member(object.status, name);
  const count = (name: string) => (typeof status(name) === 'number' ? status(name) as number : 0);
  const progress = (message: string): Fault => ({ reason: 'InProgress', message, urgency: IN_PROGRESS });
  if (group === '' && kind === 'PersistentVolumeClaim') return status('phase') === 'Bound' ? undefined : progress('it is not bound yet');
  if (group === '' && kind === 'Pod') return podFault(object, progress);
  if (group === 'batch' && kind === 'Job') return jobFault(object, progress);
  if (group !== 'apps') return undefined;
  const observed = status('observedGeneration');
  if (generation !== undefined && (typeof observed !== 'number' || observed < generation)) return progress('its status is older than its spec');
  const wanted = typeof object.spec?.replicas === 'number' ? object.spec.replicas : 1;
  if (kind === 'Deployment') {
    const stuck = conditionOf(object, 'Progressing');
    if (stuck?.reason === 'ProgressDeadlineExceeded') return { reason: 'ProgressDeadlineExceeded', message: stuck.message ?? '', urgency: 0 };
    if (count('updatedReplicas') < wanted) return progress(`${count('updatedReplicas')} of ${wanted} replicas are updated`);
    if (count('replicas') > count('updatedReplicas')) return progress('replicas of the earlier version are not gone yet');
    return count('availableReplicas') < wanted ? progress(`${count('availableReplicas')} of ${wanted} replicas are available`) : undefined;
  }
  if (kind === 'StatefulSet') {
    if (count('readyReplicas') < wanted) return progress(`${count('readyReplicas')} of ${wanted} replicas are ready`);
    return status('currentRevision') === status('updateRevision') || object.spec?.updateStrategy === undefined || count('updatedReplicas') >= wanted
      ? undefined : progress(`${count('updatedReplicas')} of ${wanted} replicas are updated`);
  }
  if (kind === 'DaemonSet') {
    const pods = count('desiredNumberScheduled');
    if (count('updatedNumberScheduled') < pods) return progress(`${count('updatedNumberScheduled')} of ${pods} pods are updated`);
    return count('numberAvailable') < pods ? progress(`${count('numberAvailable')} of ${pods} pods are available`) : undefined;
  }
  return undefined;
}

function podFault(object: KubernetesObject, progress: (message: string) => Fault): Fault | undefined {
  if (object.status?.phase === 'Succeeded') return undefined;
  if (object.status?.phase === 'Failed') return { reason: 'Failed', message: 'its containers have failed', urgency: 0 };
  return conditionOf(object, 'Ready')?.status === 'True' ? undefined : progress('it is not ready yet');
}

function jobFault(object: KubernetesObject, progress: (message: string) => Fault): Fault | undefined {
  const failed = conditionOf(object, 'Failed');
  if (failed?.status === 'True') return { reason: 'Failed', message: failed.message ?? '', urgency: 0 };
  return conditionOf(object, 'Complete')?.status === 'True' ? undefined : progress('it is not complete yet');
}

/** Other kinds: what their condition Ready says, where they have one; objects without are ready when they are there. */
function conditionFault(object: KubernetesObject): Fault | undefined {
  const { metadata: { generation } } = object;
  const observed = member(object.status, 'observedGeneration');
  if (generation !== undefined && typeof observed === 'number' && observed < generation) {
    return { reason: 'InProgress', message: 'its status is older than its spec', urgency: IN_PROGRESS };
  }
  const ready = conditionOf(object, 'Ready');
  if (!ready || ready.status === 'True') return undefined;
  return { reason: ready.reason ?? 'NotReady', message: ready.message ?? '', urgency: IN_PROGRESS };
}

function conditionOf({ status }: KubernetesObject, type: string): Condition | undefined {
  const conditions: unknown = status?.conditions;
  return Array.isArray(conditions) ? conditions.find((one): one is Condition => isRecord(one) && one.type === type) : undefined;
}
