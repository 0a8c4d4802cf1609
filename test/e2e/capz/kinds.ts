import type { Connection } from '../../../engine/kubernetes';
import { Catalog, type Kind } from '../../../src/catalog';

/**
 * The kinds and versions of Azure Service Operator that CAPZ v1.26 and v1.27 create and read.
 * @see https://github.com/kubernetes-sigs/cluster-api-provider-azure/blob/v1.26.0/go.mod and the imports of `azure/` and `controllers/`
 */
const USED: readonly (readonly [group: string, kind: string, versions: readonly string[]])[] = [
  ['containerservice', 'FleetsMember', ['v1api20250301']],
  ['containerservice', 'MaintenanceConfiguration', ['v1api20240901']],
  ['containerservice', 'ManagedCluster', ['v1api20240901', 'v1api20250801', 'v20251002preview']],
  ['containerservice', 'ManagedClustersAgentPool', ['v1api20240901', 'v1api20250801', 'v20251002preview']],
  ['kubernetesconfiguration', 'Extension', ['v1api20230501']],
  ['network', 'BastionHost', ['v1api20220701']],
  ['network', 'NatGateway', ['v1api20220701']],
  ['network', 'PrivateEndpoint', ['v1api20220701']],
  ['network', 'VirtualNetwork', ['v1api20201101']],
  ['network', 'VirtualNetworksSubnet', ['v1api20201101']],
  ['resources', 'ResourceGroup', ['v1api20200601']],
];

export const capzKinds: readonly Kind[] = USED.map(([group, kind, versions]) => {
  const found = Catalog.default().kind(`${group}.azure.com`, kind);
  if (!found) throw new Error(`the catalog has no ${kind} in ${group}.azure.com, which CAPZ uses`);
  const missing = versions.filter((version) => !found.versionNames.includes(version));
  if (missing.length > 0) throw new Error(`the catalog has no version ${missing.join(', ')} of ${kind}, which CAPZ uses`);
  return found;
});

interface OwnerKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

const ownerKind = (group: string, version: string, kind: string): OwnerKind => ({ group, version, kind, plural: `${kind.toLowerCase()}s` });
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** Kinds of Cluster API and CAPZ themselves, which own Azure objects. */
export const CLUSTER = ownerKind('cluster.x-k8s.io', 'v1beta2', 'Cluster');
export const MANAGED_CLUSTER = ownerKind(INFRASTRUCTURE, 'v1beta1', 'AzureASOManagedCluster');
export const CONTROL_PLANE = ownerKind(INFRASTRUCTURE, 'v1beta1', 'AzureASOManagedControlPlane');
export const MACHINE_POOL = ownerKind(INFRASTRUCTURE, 'v1beta1', 'AzureASOManagedMachinePool');
export const CLASSIC_CONTROL_PLANE = ownerKind(INFRASTRUCTURE, 'v1beta1', 'AzureManagedControlPlane');

/** CRDs that take any content: what is in these objects is CAPZ's business. */
const ownerCrds = [CLUSTER, MANAGED_CLUSTER, CONTROL_PLANE, MACHINE_POOL, CLASSIC_CONTROL_PLANE].map(
  ({ group, version, kind, plural }) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      }],
    },
  }),
);

/** Installs the kinds of Cluster API and CAPZ. */
export async function createOwnerCrds(connection: Connection): Promise<void> {
  for (const crd of ownerCrds) {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { status, text } = await connection.request({ method: 'POST', path, body: JSON.stringify(crd) });
    if (status !== 201) throw new Error(text);
  }
}
