import { DESCRIPTIONS } from './descriptions';
import { choice, flag, integer, list, map, properties, quantity, struct, text, type FieldsOf } from './field';
import { RemovalPolicy, ReconcilePolicy } from '../../core';
import { StorageSubResource } from '../../platform';
import type { Lifecycle, PrivateAccess, Quotas } from '../../platform';

export const ARM_ID = text(2048);
export const SHORT = text(256);
export const TEXTS = list(text(1024));
export const TAGS = map(text(256), 50);
export const SETTINGS = properties();
export { flag, integer, list, map, text };

export const LIFECYCLE = {
  removalPolicy: choice(RemovalPolicy),
  reconcilePolicy: choice(ReconcilePolicy),
} satisfies FieldsOf<Lifecycle>;

export const QUOTAS = struct({
  cpu: quantity(),
  memory: quantity(),
  cpuLimit: quantity(),
  memoryLimit: quantity(),
  pods: integer(),
  persistentVolumeClaims: integer(),
  storage: quantity(),
  loadBalancers: integer(),
  nodePorts: integer(),
  containerCpu: quantity(),
  containerMemory: quantity(),
  containerCpuLimit: quantity(),
  containerMemoryLimit: quantity(),
  containerMaxCpu: quantity(),
  containerMaxMemory: quantity(),
} satisfies FieldsOf<Quotas>, DESCRIPTIONS.Quotas!);

/** Private access as data. */
export interface PrivateAccessSpec extends Omit<PrivateAccess, 'subnet'> {
  /** ARM id of the subnet for private endpoints. */
  readonly subnet: string;
}

export const PRIVATE_ACCESS = struct(
  { subnet: ARM_ID, storage: list(choice(StorageSubResource)) } satisfies FieldsOf<PrivateAccessSpec>,
  { ...DESCRIPTIONS.PrivateAccess!, ...DESCRIPTIONS.PrivateAccessSpec! },
  ['subnet'],
);
