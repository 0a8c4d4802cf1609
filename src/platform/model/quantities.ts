import type { PlatformProblems } from './problems';
import type { Quotas } from './quotas';

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

/** Default requests of a container. */
export const CONTAINER_DEFAULT = { cpu: '50m', memory: '50Mi' };
/** Minimum requests of a container. */
export const CONTAINER_MIN = { cpu: '10m', memory: '10Mi' };
/** Quotas of a team without quotas of its own. */
export const DEFAULT_QUOTAS: Required<Quotas> = {
  cpu: '5000',
  memory: '5000Mi',
  pods: 50,
  containerMaxCpu: '500m',
  containerMaxMemory: '1000Mi',
};

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
  for (const field of ['cpu', 'memory', 'containerMaxCpu', 'containerMaxMemory'] as const) {
    const text = quotas[field];
    if (text === undefined) continue;
    const value = quantity(text);
    if (value === undefined) problems.add(`quotas.${field}`, `'${text}' is no quantity. Write it as Kubernetes does: 500m, 2, 1000Mi.`);
    else assertEnough(field, text, value, problems);
  }
  const { pods } = quotas;
  if (pods !== undefined && !(Number.isInteger(pods) && pods > 0)) {
    problems.add('quotas.pods', `'${pods}' is no number of pods. Give a whole number above 0.`);
  }
}

function assertEnough(
  field: 'cpu' | 'memory' | 'containerMaxCpu' | 'containerMaxMemory',
  text: string,
  value: number,
  problems: PlatformProblems,
): void {
  const least = /cpu/i.test(field) ? CONTAINER_DEFAULT.cpu : CONTAINER_DEFAULT.memory;
  if (value < quantity(least)!) {
    problems.add(
      `quotas.${field}`,
      `'${text}' is less than the ${least} that a container gets by default, so none could start. Give more.`,
    );
  }
}
