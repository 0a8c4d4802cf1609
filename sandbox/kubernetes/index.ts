export { startKubernetes } from './start';
export type { InterceptedRequest, Interception, KubernetesOptions, SandboxKubernetes } from './options';
export type { SandboxClock } from './clock';
export { ServiceAccountTokens, type SigningKey } from './service-account-tokens';
export type { Change } from './storage/change';
export type { Store } from './storage/store';
export type { Metadata, StoredObject } from './objects';
