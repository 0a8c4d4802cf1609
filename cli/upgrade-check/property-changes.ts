/** A property whose type or place differs from a release on, in all versions of the kind. */
export interface PropertyChange {
  /** The first release with the change. */
  readonly release: string;
  readonly group: string;
  readonly kind: string;
  /** Below `spec`; `[]` stands for each element of a list. */
  readonly path: string;
  /** `secret`: a text before, a reference to a Secret since. `reference`: an ARM id before, a reference under another name since. */
  readonly change: 'secret' | 'reference';
  /** The new name of a `reference`. */
  readonly name?: string;
}

const secret = (release: string, group: string, kind: string, ...paths: string[]): PropertyChange[] =>
  paths.map((path) => ({ release, group, kind, path, change: 'secret' }));

/** https://azure.github.io/azure-service-operator/guide/breaking-changes/ has a page for each of these releases. */
export const PROPERTY_CHANGES: readonly PropertyChange[] = [
  ...secret('v2.2.0', 'containerservice.azure.com', 'ManagedCluster', 'servicePrincipalProfile.secret'),
  ...secret('v2.6.0', 'compute.azure.com', 'VirtualMachineScaleSet', 'virtualMachineProfile.extensionProfile.extensions[].protectedSettings'),
  ...secret('v2.8.0', 'containerservice.azure.com', 'ManagedCluster', 'windowsProfile.adminPassword'),
  {
    release: 'v2.9.0',
    group: 'authorization.azure.com',
    kind: 'RoleAssignment',
    path: 'delegatedManagedIdentityResourceId',
    change: 'reference',
    name: 'delegatedManagedIdentityResourceReference',
  },
  ...secret(
    'v2.10.0', 'machinelearningservices.azure.com', 'WorkspacesCompute',
    'properties.aks.properties.sslConfiguration.cert',
    'properties.aks.properties.sslConfiguration.key',
    'properties.databricks.properties.databricksAccessToken',
    'properties.hdInsight.properties.administratorAccount.privateKeyData',
    'properties.hdInsight.properties.administratorAccount.publicKeyData',
    'properties.virtualMachine.properties.administratorAccount.privateKeyData',
    'properties.virtualMachine.properties.administratorAccount.publicKeyData',
  ),
  ...secret(
    'v2.19.0', 'network.azure.com', 'VirtualNetworkGateway',
    'vpnClientConfiguration.radiusServerSecret',
    'vpnClientConfiguration.radiusServers[].radiusServerSecret',
  ),
  ...secret('v2.21.0', 'containerservice.azure.com', 'ManagedCluster', 'aadProfile.serverAppSecret'),
];
