import type { PlatformProblems } from './problems';
import type { Quotas } from './quotas';
import { omitUndefined } from '../../util/records';

const QUANTITY = /^(\d+(?:\.\d*)?|\.\d+)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;

const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Minimum requests of a container. */
const CONTAINER_MIN = { cpu: '10m', memory: '10Mi' };

/** Quotas of an environment without quotas of its own; docs/platform.md has the reasons. */
export const DEFAULT_QUOTAS: Quotas = {
  cpu: '8',
  memory: '16Gi',
  memoryLimit: '32Gi',
  pods: 50,
  persistentVolumeClaims: 10,
  storage: '100Gi',
  loadBalancers: 0,
  nodePorts: 0,
  containerCpu: '100m',
  containerMemory: '256Mi',
  containerMemoryLimit: '512Mi',
  containerMaxCpu: '4',
  containerMaxMemory: '8Gi',
};

const QUANTITIES = [
  'cpu', 'memory', 'cpuLimit', 'memoryLimit', 'storage', 'containerCpu', 'containerMemory', 'containerCpuLimit', 'containerMemoryLimit',
  'containerMaxCpu', 'containerMaxMemory',
] as const;
const COUNTS = ['pods', 'persistentVolumeClaims', 'loadBalancers', 'nodePorts'] as const;

/** A quota that may not be less than another one. */
type AtLeast = readonly [field: typeof QUANTITIES[number], least: typeof QUANTITIES[number], why: string];

const AT_LEAST: readonly AtLeast[] = [
  ['cpu', 'containerCpu', 'a container requests by default'],
  ['memory', 'containerMemory', 'a container requests by default'],
  ['memoryLimit', 'containerMemoryLimit', 'a container may use by default'],
  ['memoryLimit', 'memory', 'the team may request'],
  ['cpuLimit', 'cpu', 'the team may request'],
  ['containerCpuLimit', 'containerCpu', 'a container requests by default'],
  ['containerMemoryLimit', 'containerMemory', 'a container requests by default'],
  ['containerMaxCpu', 'containerCpu', 'a container requests by default'],
  ['containerMaxCpu', 'containerCpuLimit', 'a container may use by default'],
  ['containerMaxMemory', 'containerMemory', 'a container requests by default'],
  ['containerMaxMemory', 'containerMemoryLimit', 'a container may use by default'],
];

/**
 * The number of a quantity; undefined if the text is not a quantity.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function quantity(text: unknown): number | undefined {
  const [, digits, suffix = ''] = QUANTITY.exec(typeof text === 'string' ? text : '') ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * (FACTORS[suffix] ?? Number(`1${suffix}`));
}

/** Adds problems for quantities that Kubernetes rejects, and for limits too low to start a container. */
export function checkQuotas(quotas: Quotas, problems: PlatformProblems): void {
  for (const field of QUANTITIES) {
    const text = quotas[field];
    if (text !== undefined && quantity(text) === undefined) {
      problems.add(`quotas.${field}`, `'${text}' is no quantity. Write it as Kubernetes does: 500m, 2, 1000Mi.`);
    }
  }
  for (const field of COUNTS) {
    const count = quotas[field];
    const least = field === 'pods' ? 1 : 0;
    if (count !== undefined && !(Number.isInteger(count) && count >= least)) {
      problems.add(`quotas.${field}`, `'${count}' is no number of ${NAMES[field]}. Give a whole number${field === 'pods' ? ' above 0' : ', or 0 for none'}.`);
    }
  }
  const wrong = new Set<string>();
  for (const [field, least, why] of AT_LEAST) {
    const [value, minimum] = [quantity(quotas[field]), quantity(quotas[least])];
    if (value === undefined || minimum === undefined || value >= minimum || wrong.has(field)) continue;
    wrong.add(field);
    problems.add(
      `quotas.${field}`,
      `'${quotas[field]}' is less than the ${quotas[least]} that ${why} (${least}). Give more, or a smaller ${least}.`,
    );
  }
}

const NAMES = {
  pods: 'pods', persistentVolumeClaims: 'persistent volume claims', loadBalancers: 'load balancers', nodePorts: 'node ports',
};

/** The `spec` of the namespace's ResourceQuota. */
export function quotaSpec(quotas: Quotas): object {
  const { cpu, memory, cpuLimit, memoryLimit, pods, persistentVolumeClaims, storage, loadBalancers, nodePorts } = quotas;
  const hard = omitUndefined({
    cpu,
    memory,
    'limits.cpu': cpuLimit,
    'limits.memory': memoryLimit,
    'pods': textOf(pods),
    'persistentvolumeclaims': textOf(persistentVolumeClaims),
    'requests.storage': storage,
    'services.loadbalancers': textOf(loadBalancers),
    'services.nodeports': textOf(nodePorts),
  });
  return { hard };
}

/** The `spec` of the namespace's LimitRange. */
export function limitRangeSpec(quotas: Quotas): object {
  const { containerCpu, containerMemory, containerCpuLimit, containerMemoryLimit, containerMaxCpu, containerMaxMemory } = quotas;
  const limit = {
    type: 'Container',
    default: omitUndefined({ cpu: containerCpuLimit ?? containerMaxCpu, memory: containerMemoryLimit ?? containerMaxMemory }),
    defaultRequest: omitUndefined({ cpu: containerCpu, memory: containerMemory }),
    max: omitUndefined({ cpu: containerMaxCpu, memory: containerMaxMemory }),
    min: CONTAINER_MIN,
  };
  return { limits: [limit] };
}

function textOf(count: number | undefined): string | undefined {
  return count === undefined ? undefined : String(count);
}
