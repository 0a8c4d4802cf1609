export { CredentialFeeder, type CredentialFeederOptions } from './credential-feeder';
export type { FeedReport, FeedState } from './feed-reports';
export { ServiceAccounts, type ServiceAccountSource } from './service-accounts';
