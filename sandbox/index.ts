/** The sandbox: an embedded Kubernetes API and an Azure simulator. `docs/sandbox.md` lists their limits. */
export { startAzure, type AzureOptions, type AzureSimulator } from './azure';
export { uncheckedText } from './azure/unchecked';
export { startKubernetes, type KubernetesOptions, type SandboxKubernetes } from './kubernetes';
