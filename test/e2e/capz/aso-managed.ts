import { Api, NAMESPACE, type ObjectName } from './api';
import { CLUSTER, CONTROL_PLANE, MACHINE_POOL, MANAGED_CLUSTER } from './kinds';
import type { KubernetesObject, OwnerReference } from '../../../engine/kubernetes';
import { CREDENTIAL_FROM, RECONCILE_POLICY } from '../../../src/azure/annotations';
import { isRecord } from '../../../src/util/records';

/** Label of Cluster API on what belongs to a cluster; by it CAPI finds the Secret with the kubeconfig. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';
/** The version in which CAPZ reads what it has applied in another. */
const READS = 'containerservice.azure.com/v1api20250801';

type OwnerKind = typeof CONTROL_PLANE;

/** An `AzureASOManaged…` object: the Azure objects of its `spec.resources`, as its user has written them. */
interface Owner {
  readonly type: OwnerKind;
  readonly name: string;
  readonly resources: readonly KubernetesObject[];
}

export interface Pool {
  readonly name: string;
  readonly mode: 'System' | 'User';
  /** Of its MachinePool. */
  readonly replicas: number;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface ClusterDefinition {
  readonly name: string;
  /** Of the control plane and the MachinePools, as `spec.version` says it: with a `v`. */
  readonly version: string;
  readonly pools: readonly Pool[];
  /** Name of the Secret with the credential; default: the credential of the namespace, or the controller's. */
  readonly credential?: string;
  /** The policy of the resource group; default: none. */
  readonly groupPolicy?: 'skip' | 'manage';
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** The version in which cluster and pools are applied; default: that of CAPZ's templates. */
  readonly aksVersion?: 'v1api20240901' | 'v1api20250801';
  /** Whether a network, extensions and a maintenance window belong to it; default: false. */
  readonly withNetwork?: boolean;
}

/** A cluster of CAPZ's flavour `aks-aso`, and what CAPZ's controllers do with it. */
export class AsoManagedCluster {
  public constructor(private readonly api: Api, public definition: ClusterDefinition) {}

  /** Makes the objects of Cluster API and CAPZ. */
  public async create(): Promise<void> {
    const { name } = this.definition;
    const cluster = await this.api.create(object(CLUSTER, name));
    for (const owner of this.owners()) await this.api.create(object(owner.type, owner.name, [referenceTo(cluster)]));
  }

  /** One pass of CAPZ's controllers; answers whether all that they wait for is there. */
  public async reconcile(): Promise<boolean> {
    const found = await this.api.get(this.managedCluster());
    const isReady: boolean[] = [];
    for (const owner of this.owners()) {
      isReady.push(await this.applyResources(owner, owner.resources.map((resource) => this.withDefaults(resource, found))));
    }
    const isComplete = isReady.every(Boolean);
    if (isReady[1]) await this.applyKubeconfig();
    return isComplete;
  }

  /** Cluster API has paused the cluster: the objects as their user wrote them, without CAPZ's additions, under `skip`. */
  public async pause(): Promise<void> {
    for (const { resources } of this.owners()) {
      for (const resource of resources) {
        const annotations = { ...resource.metadata.annotations, [RECONCILE_POLICY]: 'skip' };
        await this.api.apply({ ...resource, metadata: { ...resource.metadata, annotations } }, { force: false });
      }
    }
  }

  /** Deletes what a MachinePool that is gone has owned; answers whether it is gone. */
  public async deletePool(name: string): Promise<boolean> {
    const pool = this.pool({ ...this.definition.pools[0]!, name });
    this.definition = { ...this.definition, pools: this.definition.pools.filter((one) => one.name !== name) };
    if (!(await this.api.delete(pool))) return false;
    await this.api.delete(object(MACHINE_POOL, this.poolName(name)));
    return true;
  }

  /** The owners of the pools are gone, and the garbage collector has taken the pools; then the control plane, then the group. */
  public async delete(isGone: (what: ObjectName) => Promise<void>): Promise<void> {
    const [group, controlPlane, ...pools] = this.owners();
    for (const owner of pools) await this.api.delete(object(owner.type, owner.name));
    for (const owner of [controlPlane!, group!]) {
      for (const resource of owner.resources) await this.api.delete(resource);
      await Promise.all(owner.resources.map(isGone));
      await this.api.delete(object(owner.type, owner.name));
    }
    for (const { resources } of pools) for (const resource of resources) await isGone(resource);
    await this.api.delete(object(CLUSTER, this.definition.name));
  }

  /** The Azure objects, in the order of their owners. */
  public resources(): readonly KubernetesObject[] {
    return this.owners().flatMap(({ resources }) => resources);
  }

  /** The same as the user of a cluster writes them who knows nothing of CAPZ: the pools in the cluster, too, the credentials nowhere. */
  public asWrittenByHand(): readonly KubernetesObject[] {
    return this.resources().map((resource) => {
      const { spec: { operatorSpec: _, ...spec } = {}, ...rest } = this.withDefaults(resource, undefined);
      return { ...rest, spec };
    });
  }

  /** A ManagedCluster that CAPZ adopts loses its inline pools. */
  public async takeInlinePools(): Promise<void> {
    await this.api.merge({ ...this.managedCluster(), apiVersion: READS }, { spec: { agentPoolProfiles: null } });
  }

  public ownerNames(): readonly ObjectName[] {
    return [...this.owners().map(({ type, name }) => object(type, name)), object(CLUSTER, this.definition.name)];
  }

  /** The object as CAPZ reads it once it is Ready. */
  public readManagedCluster(): Promise<KubernetesObject> {
    return this.api.must({ ...this.managedCluster(), apiVersion: READS });
  }

  public readKubeconfig(): Promise<KubernetesObject> {
    return this.api.must(kubeconfigOf(this.definition.name));
  }

  private owners(): readonly Owner[] {
    const { name, pools, withNetwork } = this.definition;
    return [
      { type: MANAGED_CLUSTER, name, resources: [this.group(), ...(withNetwork ? this.network() : [])] },
      { type: CONTROL_PLANE, name, resources: [this.managedCluster(), ...(withNetwork ? this.additions() : [])] },
      ...pools.map((pool): Owner => ({ type: MACHINE_POOL, name: this.poolName(pool.name), resources: [this.pool(pool)] })),
    ];
  }

  private group(): KubernetesObject {
    const { groupPolicy, tags } = this.definition;
    return this.azureObject('resources.azure.com/v1api20200601', 'ResourceGroup', this.definition.name, {
      location: this.location(), ...(tags && { tags }),
    }, groupPolicy && { [RECONCILE_POLICY]: groupPolicy });
  }

  private managedCluster(): KubernetesObject {
    const { name } = this.definition;
    return this.azureObject(this.aksVersion(), 'ManagedCluster', name, {
      dnsPrefix: name,
      identity: { type: 'SystemAssigned' },
      location: this.location(),
      networkProfile: { networkPlugin: 'azure' },
      owner: { name },
      servicePrincipalProfile: { clientId: 'msi' },
    });
  }

  private network(): readonly KubernetesObject[] {
    const { name } = this.definition;
    const [location, owner] = [this.location(), { name: `${name}-vnet` }];
    return [
      this.azureObject('network.azure.com/v1api20201101', 'VirtualNetwork', `${name}-vnet`, {
        owner: { name }, location, addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
      }),
      ...['nodes', 'pods', 'services'].map((subnet, index) => (
        this.azureObject('network.azure.com/v1api20201101', 'VirtualNetworksSubnet', `${name}-${subnet}`, {
          owner, azureName: subnet, addressPrefix: `10.${index}.0.0/16`,
        }))),
      this.azureObject('network.azure.com/v1api20220701', 'NatGateway', `${name}-nat`, { owner: { name }, location, sku: { name: 'Standard' } }),
    ];
  }

  private additions(): readonly KubernetesObject[] {
    const { name } = this.definition;
    const owner = { group: 'containerservice.azure.com', kind: 'ManagedCluster', name };
    return [
      this.azureObject('containerservice.azure.com/v1api20240901', 'MaintenanceConfiguration', `${name}-maintenance`, {
        owner: { name }, azureName: 'default', timeInWeek: [{ day: 'Sunday', hourSlots: [1, 2] }],
      }),
      ...['flux', 'dapr'].map((extension) => (
        this.azureObject('kubernetesconfiguration.azure.com/v1api20230501', 'Extension', `${name}-${extension}`, {
          owner, azureName: extension, extensionType: `microsoft.${extension}`, autoUpgradeMinorVersion: true,
        }))),
    ];
  }

  private pool({ name, mode, more }: Pool): KubernetesObject {
    return this.azureObject(this.aksVersion(), 'ManagedClustersAgentPool', this.poolName(name), {
      azureName: name,
      mode,
      owner: { name: this.definition.name },
      type: 'VirtualMachineScaleSets',
      vmSize: 'Standard_D2s_v3',
      ...more,
    });
  }

  private poolName(name: string): string {
    return `${this.definition.name}-${name}`;
  }

  private aksVersion(): string {
    return `containerservice.azure.com/${this.definition.aksVersion ?? 'v1api20240901'}`;
  }

  private location(): string {
    return this.definition.location ?? 'uksouth';
  }

  private azureObject(
    apiVersion: string, kind: string, name: string, spec: Record<string, unknown>, more?: Record<string, string>,
  ): KubernetesObject {
    const { credential } = this.definition;
    const annotations = { ...(credential !== undefined && { [CREDENTIAL_FROM]: credential }), ...more };
    const metadata = { name, namespace: NAMESPACE, ...(Object.keys(annotations).length > 0 && { annotations }) };
    return { apiVersion, kind, metadata, spec };
  }

  /** The fields that Cluster API decides on. */
  private withDefaults(resource: KubernetesObject, found: KubernetesObject | undefined): KubernetesObject {
    const { name } = this.definition;
    const version = this.definition.version.replace(/^v/, '');
    if (resource.kind === 'ManagedClustersAgentPool') {
      const { replicas } = this.definition.pools.find((pool) => this.poolName(pool.name) === resource.metadata.name)!;
      return { ...resource, spec: { ...resource.spec, orchestratorVersion: version, count: replicas } };
    }
    if (resource.kind !== 'ManagedCluster') return resource;
    // Azure makes no cluster without a pool. As soon as the status shows pools, they are objects of their own alone.
    const shown = found?.status?.agentPoolProfiles;
    const agentPoolProfiles = Array.isArray(shown) && shown.length > 0 ? undefined : this.definition.pools.map((pool) => {
      const { azureName, owner: _, ...spec } = this.withDefaults(this.pool(pool), found).spec as Record<string, unknown>;
      return { name: azureName, ...spec };
    });
    return {
      ...resource,
      spec: {
        ...resource.spec,
        kubernetesVersion: version,
        operatorSpec: { secrets: { adminCredentials: { name: `${name}-kubeconfig`, key: 'value' } } },
        ...(agentPoolProfiles && { agentPoolProfiles }),
      },
    };
  }

  private async applyResources({ type, name, resources: own }: Owner, resources: readonly KubernetesObject[]): Promise<boolean> {
    const owner = await this.api.must(object(type, name));
    const reference = referenceTo(owner);
    // An owned object that is not in the list any more would be deleted; CAPZ lists the metadata of all.
    for (const resource of own) await this.api.list(resource);
    let isReady = true;
    for (const resource of resources) {
      const owned = { ...resource, metadata: { ...resource.metadata, ownerReferences: [reference] } };
      const applied = await this.api.apply(owned, { force: true });
      isReady &&= isReadyNow(applied);
    }
    return isReady;
  }

  /** CAPZ writes what the operator has exported into the same Secret, with the label by which CAPI finds it. */
  private async applyKubeconfig(): Promise<void> {
    const { name } = this.definition;
    const controlPlane = await this.api.must(object(CONTROL_PLANE, name));
    const exported = await this.readKubeconfig();
    await this.api.apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: `${name}-kubeconfig`,
        namespace: NAMESPACE,
        labels: { [CLUSTER_NAME_LABEL]: name },
        ownerReferences: [referenceTo(controlPlane)],
      },
      data: { value: exported.data!.value! },
    }, { force: true });
  }
}

/** The Secret through which Cluster API reaches the cluster. */
export function kubeconfigOf(cluster: string): ObjectName {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: `${cluster}-kubeconfig` } };
}

function object({ group, version, kind }: OwnerKind, name: string, ownerReferences?: readonly OwnerReference[]): KubernetesObject {
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, namespace: NAMESPACE, ...(ownerReferences && { ownerReferences: [...ownerReferences] }) },
  };
}

export function referenceTo({ apiVersion, kind, metadata: { name, uid } }: KubernetesObject): OwnerReference {
  return { apiVersion, kind, name, uid: uid!, controller: true, blockOwnerDeletion: true };
}

/** As CAPZ sees it: the condition of an older generation tells nothing. */
function isReadyNow({ metadata: { generation = 0 }, status }: KubernetesObject): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'Ready');
  return isRecord(condition) && (condition.observedGeneration ?? 0) >= generation && condition.status === 'True';
}
