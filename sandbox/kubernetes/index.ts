export { startKubernetes } from './start';
export type { KubernetesOptions, SandboxKubernetes } from './options';
export { ServiceAccountTokens } from './service-account-tokens';
