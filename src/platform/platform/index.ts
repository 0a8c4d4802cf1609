export * from './platform';
export * from './platform-cluster';
export * from './team-presence';
