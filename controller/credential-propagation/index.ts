export { CredentialPropagator, type CredentialPropagatorOptions } from './credential-propagator';
export type { PropagationReport } from './propagation-reports';
export { ServiceAccounts } from './service-accounts';
