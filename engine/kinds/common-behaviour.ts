import type { ErrorAdjustment, StateGate } from './kind-behaviour';

/** Behaviour that several kinds share. Defaults of all kinds are in `engine/arm/classify.ts` (errors) and `body-changes.ts`. */

/** An error keeps its retry class and is a Warning. */
export const RETRYABLE = { severity: 'Warning' } as const;
export const FATAL = { severity: 'Error' } as const;
export const SLOW = { severity: 'Warning', retry: 'slow' } as const;

export const PROVISIONING_STATE = 'properties/provisioningState';
const ENDED = ['succeeded', 'failed', 'canceled'];
type State = Omit<StateGate, 'of'>;

/** Azure accepts changes once the current operation has ended. */
export const OPERATION_ENDED: State = { path: PROVISIONING_STATE, pass: ENDED };
/** A PostgreSQL server reports its state in another property than other resources. */
export const POSTGRESQL_READY: State = { path: 'properties/state', pass: [...ENDED, 'ready'] };

/** Container apps and jobs may be created together with their environment. */
export const ENVIRONMENT_NOT_PROVISIONED: ErrorAdjustment = { codes: ['ManagedEnvironmentNotProvisioned'], become: RETRYABLE };
/** Routes and rules may be created together with their origins. */
export const ORIGIN_GROUP_NOT_READY: ErrorAdjustment = {
  codes: ['BadRequest'],
  message: ['originGroup is created successfully', 'at least one enabled origin is created'],
  become: RETRYABLE,
};
/** DNS records may be created together with the resource that they point to. */
export const DNS_TARGET_NOT_FOUND: ErrorAdjustment = {
  codes: ['BadRequest'],
  message: [/The referenced resource.*was not found/],
  become: RETRYABLE,
};
