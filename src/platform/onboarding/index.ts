export * from './database-administrator';
export * from './network-access';
export * from './onboarding-part';
export * from './platform-credential';
export * from './team-onboarding';
export * from './team-onboarding-props';
export * from './workload-service-account';
