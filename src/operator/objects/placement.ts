import type { k8s } from 'cdk8s-plus-27';
import { SystemNodePool } from '../bundled-controller-props';
import { LABELS } from '../names';
import type { Plan } from '../plan';

const MODE = 'kubernetes.azure.com/mode';
/** Tolerates the taint of node pools that are reserved for system pods. */
const CRITICAL: k8s.Toleration = { key: 'CriticalAddonsOnly', operator: 'Exists' };

/** The nodes for the pods; spread over nodes if possible. */
export function placementOf({ props }: Plan): Pick<k8s.PodSpec, 'nodeSelector' | 'tolerations' | 'affinity' | 'topologySpreadConstraints'> {
  const pool = props.systemNodePool ?? SystemNodePool.IGNORED;
  const tolerations = [...(props.tolerations ?? []), ...(pool === SystemNodePool.IGNORED ? [] : [CRITICAL])];
  const affinity = pool === SystemNodePool.PREFERRED ? withPreference(props.affinity) : props.affinity;
  return {
    nodeSelector: { 'kubernetes.io/os': 'linux', ...(pool === SystemNodePool.REQUIRED && { [MODE]: 'system' }), ...props.nodeSelector },
    ...(tolerations.length > 0 && { tolerations }),
    ...(affinity && { affinity }),
    topologySpreadConstraints: ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
      maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: LABELS },
    })),
  };
}

function withPreference(affinity: k8s.Affinity = {}): k8s.Affinity {
  const { nodeAffinity = {} } = affinity;
  const preference = { weight: 100, preference: { matchExpressions: [{ key: MODE, operator: 'In', values: ['system'] }] } };
  const preferred = [...(nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? []), preference];
  return { ...affinity, nodeAffinity: { ...nodeAffinity, preferredDuringSchedulingIgnoredDuringExecution: preferred } };
}
