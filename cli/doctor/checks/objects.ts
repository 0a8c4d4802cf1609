import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { FINALIZER, OPERATOR_NAMESPACE, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { nearest } from '../../../src/util/nearest';
import { isRecord } from '../../../src/util/records';
import { counted, firstOf, listed, shortened } from '../../../src/util/words';
import type { ClusterFacts } from '../facts';
import type { Finding } from '../finding';
import { reconciles } from './controllers';

const POLICIES = ['manage', 'skip', 'detach-on-delete'];
const MOST_NAMED = 3;
/** Of a value that is no policy: an annotation may have 256 KiB. */
const LONGEST_POLICY = 100;
const MINUTE = 60_000;
/** Time after which an object that no controller has looked at is a finding. */
const NEVER_LOOKED_AT_MS = 10 * MINUTE;
/** Time after which a deletion is a finding: longer than Azure takes for the slowest usual kinds. */
const STUCK_DELETION_MS = 90 * MINUTE;

/** Objects that nobody looks after, or that will not go. */
export function objectFindings(facts: ClusterFacts): Finding[] {
  const { objects, serverNow, now } = facts;
  const time = serverNow ?? now;
  const deleting = objects.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const stuck = deleting.filter(({ metadata }) => time - Date.parse(metadata.deletionTimestamp!) > STUCK_DELETION_MS);
  const live = objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const outside = live.filter((object) => controllerOf(object, facts) === undefined);
  const isOld = (object: KubernetesObject) => time - createdAt(object) > NEVER_LOOKED_AT_MS;
  const never = live.filter((object) => !outside.includes(object) && !hasCondition(object) && isOld(object));
  return [
    ...grouped('deletion-stuck', 'error', stuck, (count) => `${counted(count, 'deletion')} under way for more than 90 minutes`,
      (object) => `cdk8s-aso why ${title(object)} names what it waits for; with the annotation ${RECONCILE_POLICY}: detach-on-delete it goes, and Azure's resource stays`),
    ...foreignFinalizers(deleting),
    ...grouped('object-without-controller', 'warning', outside, (count) => `${counted(count, 'object')} that no controller looks after: its annotation ${OPERATOR_NAMESPACE}, or the namespaces that the controllers watch, leave it out`,
      () => `add the namespace to AZURE_TARGET_NAMESPACES; after a move of the controller, remove the annotation ${OPERATOR_NAMESPACE}`),
    ...grouped('object-not-reconciled', 'warning', never, (count) => `${counted(count, 'object')} without a Ready condition for more than ten minutes`,
      (object) => `see whether the controller watches the kind (--kinds, the CRDs at its start) and may read it; cdk8s-aso why ${title(object)}`),
    ...policies(facts),
  ];
}

type Controllers = ClusterFacts['controllers'];

/** The controller that looks after an object; true where it is not known. */
function controllerOf({ metadata }: KubernetesObject, { controllers }: ClusterFacts): Controllers[number] | true | undefined {
  const active = controllers.filter(reconciles);
  if (active.length === 0 || active.some(({ targetNamespaces }) => targetNamespaces === undefined)) return true;
  const claimed = metadata.annotations?.[OPERATOR_NAMESPACE];
  const watches = ({ targetNamespaces = [] }: Controllers[number]) =>
    targetNamespaces.length === 0 || targetNamespaces.includes(metadata.namespace ?? '');
  return active.find((controller) => watches(controller) && (claimed === undefined || claimed === controller.namespace));
}

function foreignFinalizers(deleting: readonly KubernetesObject[]): Finding[] {
  return deleting.flatMap((object): Finding[] => {
    const { finalizers } = object.metadata as { finalizers?: readonly string[] };
    const foreign = (finalizers ?? []).filter((name) => name !== FINALIZER && !['foregroundDeletion', 'orphan'].includes(name));
    if (foreign.length === 0 || (finalizers ?? []).includes(FINALIZER)) return [];
    return [{
      id: 'finalizer-foreign',
      severity: 'warning',
      object: title(object),
      message: `is gone in Azure, and waits only for the finalizer ${listed(foreign)} of another program`,
      cure: 'see whether that program still runs; where it does not, remove the finalizer by hand',
    }];
  });
}

function policies({ objects, namespaces }: ClusterFacts): Finding[] {
  return [...objects, ...namespaces].flatMap((object): Finding[] => {
    const value = object.metadata.annotations?.[RECONCILE_POLICY];
    if (value === undefined || POLICIES.includes(value)) return [];
    const meant = nearest(value.toLowerCase(), POLICIES);
    return [{
      id: 'policy-unknown',
      severity: 'error',
      object: title(object),
      message: `has the policy ${JSON.stringify(shortened(value, LONGEST_POLICY))}, which is none: it counts as the default, so the resource may be deleted in Azure`,
      cure: `write ${meant ?? listed(POLICIES, 'or')}`,
    }];
  });
}

function grouped(
  id: string,
  severity: Finding['severity'],
  objects: readonly KubernetesObject[],
  message: (count: number) => string,
  cure: (first: KubernetesObject) => string,
): Finding[] {
  const [first] = objects;
  if (!first) return [];
  const names = objects.length > 1 ? `: ${firstOf(objects.map(title), MOST_NAMED)}` : '';
  return [{ id, severity, object: objects.length > 1 ? 'cluster' : title(first), message: `${message(objects.length)}${names}`, cure: cure(first) }];
}

function title({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function hasCondition({ status }: KubernetesObject): boolean {
  return Array.isArray(status?.conditions) && status.conditions.some((condition) => isRecord(condition) && condition.type === 'Ready');
}

function createdAt({ metadata }: KubernetesObject): number {
  const time = Date.parse(metadata.creationTimestamp ?? '');
  return Number.isNaN(time) ? Infinity : time;
}
