import { Api, NAMESPACE, type ObjectName } from './api';
import { CLUSTER_NAME_LABEL, referenceTo } from './aso-managed';
import { CLASSIC_CONTROL_PLANE } from './kinds';
import type { KubernetesObject } from '../../../engine/kubernetes';
import { CREDENTIAL_FROM, RECONCILE_POLICY } from '../../../src/azure/annotations';

/** CAPZ keeps there what the policy was before a pause. */
const BEFORE_PAUSE = 'sigs.k8s.io/cluster-api-provider-azure-pre-pause-reconcile-policy';
const LAST_TAGS = 'sigs.k8s.io/cluster-api-provider-azure-last-applied-tags';

export const ownedTag = (cluster: string): string => `sigs.k8s.io_cluster-api-provider-azure_cluster_${cluster}`;

interface Service {
  readonly object: KubernetesObject;
  /** Whether CAPZ takes a resource that it finds in Azure under its management. */
  readonly wasManaged: (existing: KubernetesObject) => boolean;
}

export interface ClassicDefinition {
  readonly name: string;
  readonly group: string;
  readonly replicas: number;
  readonly credential: Readonly<Record<string, string>>;
}

/** A cluster of CAPZ's older flavours, as far as their resources are objects of the operator. Each is made when the one before is Ready. */
export class ClassicCluster {
  public constructor(private readonly api: Api, public definition: ClassicDefinition) {}

  public async create(): Promise<void> {
    const { name, credential } = this.definition;
    const owner = await this.api.create({
      apiVersion: apiVersionOfOwner, kind: CLASSIC_CONTROL_PLANE.kind, metadata: { name, namespace: NAMESPACE },
    });
    await this.api.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-aso-secret`, namespace: NAMESPACE, labels: { [name]: 'owned' }, ownerReferences: [referenceTo(owner)] },
      stringData: { ...credential },
    });
  }

  /** One pass; answers whether all is Ready. */
  public async reconcile(): Promise<boolean> {
    for (const service of this.services()) if (!(await this.createOrUpdate(service))) return false;
    return true;
  }

  public async pause(): Promise<void> {
    for (const { object } of this.services()) {
      const { metadata: { annotations = {} } } = await this.api.must(object);
      if (BEFORE_PAUSE in annotations) continue;
      await this.api.merge(object, {
        metadata: { annotations: { [BEFORE_PAUSE]: annotations[RECONCILE_POLICY] ?? '', [RECONCILE_POLICY]: 'skip' } },
      });
    }
  }

  /** In the order against that of the creation. */
  public async delete(isGone: (what: ObjectName) => Promise<void>): Promise<void> {
    for (const { object } of [...this.services()].reverse()) {
      await this.api.delete(object);
      await isGone(object);
    }
  }

  public resources(): readonly KubernetesObject[] {
    return this.services().map(({ object }) => object);
  }

  private services(): readonly Service[] {
    const { name, group, replicas } = this.definition;
    const tags = { [ownedTag(name)]: 'owned', 'sigs.k8s.io_cluster-api-provider-azure_role': 'common' };
    const isTagged = ({ status }: KubernetesObject) => (status?.tags as Record<string, string> | undefined)?.[ownedTag(name)] === 'owned';
    const always = () => true;
    const location = 'uksouth';
    const subnet = { azureName: 'nodes', owner: { name: `${name}-vnet` }, addressPrefix: '10.0.0.0/16', addressPrefixes: ['10.0.0.0/16'] };
    return [
      [isTagged, 'resources.azure.com/v1api20200601', 'ResourceGroup', group, { azureName: group, location, tags: { ...tags, Name: group } }],
      [isTagged, 'network.azure.com/v1api20201101', 'VirtualNetwork', `${name}-vnet`, {
        azureName: `${name}-vnet`,
        owner: { name: group },
        location,
        addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
        tags: { ...tags, Name: `${name}-vnet` },
      }],
      [always, 'network.azure.com/v1api20201101', 'VirtualNetworksSubnet', `${name}-vnet-nodes`, subnet],
      [always, 'containerservice.azure.com/v1api20250801', 'ManagedCluster', name, {
        azureName: name,
        owner: { name: group },
        location,
        dnsPrefix: name,
        identity: { type: 'SystemAssigned' },
        kubernetesVersion: '1.33.1',
        servicePrincipalProfile: { clientId: 'msi' },
        enableRBAC: true,
        networkProfile: { networkPlugin: 'azure', loadBalancerSku: 'standard' },
        operatorSpec: { secrets: { adminCredentials: { name: `${name}-aso-kubeconfig`, key: 'value' } } },
        agentPoolProfiles: [this.poolSpec(replicas)],
        tags: { ...tags, Name: name },
      }],
      [always, 'containerservice.azure.com/v1api20250801', 'ManagedClustersAgentPool', `${name}-pool0`, (({ name: azureName, ...pool }) => (
        { azureName, owner: { name }, ...pool }))(this.poolSpec(replicas))],
    ].map(([wasManaged, apiVersion, kind, objectName, spec]) => ({
      wasManaged, object: { apiVersion, kind, metadata: { name: objectName, namespace: NAMESPACE }, spec },
    }) as Service);
  }

  private poolSpec(count: number) {
    return { name: 'pool0', count, enableAutoScaling: false, mode: 'System', type: 'VirtualMachineScaleSets', vmSize: 'Standard_D2s_v3' };
  }

  private async createOrUpdate({ object, wasManaged }: Service): Promise<boolean> {
    const { name } = this.definition;
    const existing = await this.api.get(object);
    if (!existing) {
      const owner = await this.api.must({ apiVersion: apiVersionOfOwner, kind: CLASSIC_CONTROL_PLANE.kind, metadata: { name } });
      const annotations = { [RECONCILE_POLICY]: 'skip', [CREDENTIAL_FROM]: `${name}-aso-secret`, [LAST_TAGS]: '{}' };
      await this.api.create({
        ...object,
        metadata: { ...object.metadata, annotations, labels: { [CLUSTER_NAME_LABEL]: name }, ownerReferences: [referenceTo(owner)] },
      });
      return false;
    }
    const ready = existing.status?.conditions?.find(({ type }) => type === 'Ready');
    if (!ready) return false;
    const { annotations = {} } = existing.metadata;
    const earlier = annotations[BEFORE_PAUSE];
    const isAbsent = ready.status !== 'True' && ready.reason === 'AzureResourceNotFound' && annotations[RECONCILE_POLICY] === 'skip';
    const policy = isAbsent || wasManaged(existing) ? 'manage' : earlier ?? annotations[RECONCILE_POLICY];
    // Once the status shows pools, they are objects of their own alone.
    const hasPools = object.kind === 'ManagedCluster' && Array.isArray(existing.status?.agentPoolProfiles) && existing.status.agentPoolProfiles.length > 0;
    const { tags: _, ...wanted } = { ...object.spec, ...(hasPools && { agentPoolProfiles: undefined }) } as Record<string, unknown>;
    const changed = Object.fromEntries(
      Object.entries(wanted)
        .filter(([key, value]) => JSON.stringify(sorted(existing.spec?.[key])) !== JSON.stringify(sorted(value)))
        .map(([key, value]) => [key, value ?? null]),
    );
    const moved = policy !== annotations[RECONCILE_POLICY] || earlier !== undefined;
    if (!moved && Object.keys(changed).length === 0) return ready.status === 'True';
    await this.api.merge(object, {
      metadata: { annotations: { [RECONCILE_POLICY]: policy, [BEFORE_PAUSE]: null } },
      ...(Object.keys(changed).length > 0 && { spec: changed }),
    });
    return false;
  }
}

const apiVersionOfOwner = `${CLASSIC_CONTROL_PLANE.group}/${CLASSIC_CONTROL_PLANE.version}`;

/** Members in the order of their names: the API server may give another order than was sent. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, sorted(member)]));
}
