/** The sandbox: an embedded Kubernetes API and an Azure simulator. What they leave out: `docs/sandbox.md`. */
export { startAzure, type AzureEnvironment, type AzureOptions, type AzureSimulator, type Fault, type RequestCounts } from './azure';
export { startKubernetes, type KubernetesOptions, type SandboxKubernetes } from './kubernetes';
