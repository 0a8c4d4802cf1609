export { CredentialPropagator, type CredentialPropagatorOptions } from './credential-propagator';
export type { PropagationReport, PropagationState } from './propagation-reports';
export { ServiceAccounts, type ServiceAccountSource } from './service-accounts';
