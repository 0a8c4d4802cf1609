/** The sandbox: an embedded Kubernetes API and an Azure simulator. What they leave out: `docs/sandbox.md`. */
export { startAzure, type AzureOptions, type AzureSimulator } from './azure';
export { startKubernetes, type KubernetesOptions, type SandboxKubernetes } from './kubernetes';
