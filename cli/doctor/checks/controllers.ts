import { isRecord, isText, member, text } from '../../../src/util/records';
import { counted, listed, plural } from '../../../src/util/words';
import type { ClusterFacts, ControllerState } from '../facts';
import type { Finding } from '../finding';

/** Reasons of a container that waits and will not start by itself. */
const STUCK = ['CrashLoopBackOff', 'ImagePullBackOff', 'ErrImagePull', 'InvalidImageName', 'CreateContainerConfigError', 'CreateContainerError'];

/** Controllers that are missing, do not run, or are in each other's way. */
export function controllerFindings({ controllers, objects, crds }: ClusterFacts): Finding[] {
  const reconciling = controllers.filter(reconciles);
  const none: Finding[] = reconciling.length > 0 || crds.filter(({ isLabelled }) => isLabelled).length + objects.length === 0 ? [] : [{
    id: 'no-controller',
    severity: 'error',
    object: 'cluster',
    message: `no controller reconciles ${counted(objects.length, 'object')}: no Deployment has the label control-plane=controller-manager, and no Lease is held`,
    cure: 'install the controller, docs/operator.md, or ASO',
  }];
  return [...none, ...overlapping(reconciling), ...controllers.flatMap(deploymentFindings), ...controllers.flatMap(podFindings)];
}

/** Whether a controller has watchers. */
export function reconciles({ reconciles: has, mode }: ControllerState): boolean {
  return has && mode !== 'webhooks';
}

function overlapping(controllers: readonly ControllerState[]): Finding[] {
  const found: Finding[] = [];
  controllers.forEach((one, index) => {
    for (const other of controllers.slice(index + 1)) {
      const shared = sharedNamespaces(one, other);
      if (shared === undefined) continue;
      found.push({
        id: 'controllers-overlap',
        severity: 'error',
        object: titleOf(one),
        message: `it and ${titleOf(other)} both reconcile ${shared}`,
        cure: one.product === other.product
          ? 'give each its own AZURE_TARGET_NAMESPACES, or remove one of them'
          : 'finish the migration, or remove one of them: cdk8s-aso migrate from-aso --check',
      });
    }
  });
  return found;
}

/** Undefined where they share none, or where the settings of one are not known. */
function sharedNamespaces({ targetNamespaces: one }: ControllerState, { targetNamespaces: other }: ControllerState): string | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (one.length === 0 && other.length === 0) return 'all namespaces';
  const shared = one.length === 0 ? other : other.length === 0 ? one : one.filter((name) => other.includes(name));
  return shared.length === 0 ? undefined : `the ${plural(shared.length, 'namespace')} ${listed(shared)}`;
}

function deploymentFindings(controller: ControllerState): Finding[] {
  const { object, readyReplicas = 0 } = controller;
  if (!object) return [];
  const replicas = member(object.spec, 'replicas');
  if (replicas === 0) {
    return [{
      id: 'controller-stopped',
      severity: 'error',
      object: titleOf(controller),
      message: 'is scaled to 0 replicas: nothing is reconciled, and webhooks do not answer',
      cure: `kubectl -n ${controller.namespace} scale deployment ${controller.deployment ?? ''} --replicas 2`,
    }];
  }
  if (readyReplicas > 0) return [];
  return [{
    id: 'controller-unavailable',
    severity: 'error',
    object: titleOf(controller),
    message: `has no ready pod of ${typeof replicas === 'number' ? replicas : 1}`,
    cure: `kubectl -n ${controller.namespace} logs deployment/${controller.deployment ?? ''} shows its errors, and kubectl describe pod why one does not start`,
  }];
}

function podFindings({ namespace, pods }: ControllerState): Finding[] {
  return pods.flatMap((pod): Finding[] => {
    const { name } = pod.metadata;
    const statuses = member(pod.status, 'containerStatuses');
    const containers = (Array.isArray(statuses) ? statuses : []).filter(isRecord);
    return containers.flatMap((container): Finding[] => {
      const waiting = text(member(container.state, 'waiting'), 'reason');
      const ended = text(member(container.lastState, 'terminated'), 'reason');
      const object = `Pod ${namespace}/${name}`;
      if (ended === 'OOMKilled') {
        return [{
          id: 'controller-memory',
          severity: 'error',
          object,
          message: 'was ended because it needed more memory than its limit',
          cure: 'raise the memory limit of the controller, or give it fewer namespaces; docs/performance.md has what so many objects take',
        }];
      }
      if (!isText(waiting) || !STUCK.includes(waiting)) return [];
      return [{
        id: 'controller-crash',
        severity: 'error',
        object,
        message: `does not start: ${waiting}`,
        cure: `kubectl -n ${namespace} logs ${name} --previous, or kubectl -n ${namespace} describe pod ${name}`,
      }];
    });
  });
}

export function titleOf({ namespace, deployment }: Pick<ControllerState, 'namespace' | 'deployment'>): string {
  return deployment === undefined ? `Lease of ${namespace}` : `Deployment ${namespace}/${deployment}`;
}
