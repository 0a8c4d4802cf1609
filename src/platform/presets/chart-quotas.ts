import type { Quotas } from '../model/quotas';

/** The quotas of platforms with charts of the time of Azure Service Operator 2.3.0. */
export const CHART_QUOTAS: Quotas = {
  cpu: '5000',
  memory: '5000Mi',
  pods: 50,
  containerCpu: '50m',
  containerMemory: '50Mi',
  containerCpuLimit: '50m',
  containerMemoryLimit: '50Mi',
  containerMaxCpu: '500m',
  containerMaxMemory: '1000Mi',
};
