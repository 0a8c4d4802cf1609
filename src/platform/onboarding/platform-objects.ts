import type { AzureResourceProps, CredentialReference, IAzureResourceRef } from '../../core';
import { ReconcilePolicy, AzureReference, AzureResource } from '../../core';
import { omitUndefined } from '../../util/records';
import { ClusterMode } from '../model/cluster';
import type { Cluster } from '../model/cluster';
import type { Environment } from '../model/environment';

/** The cluster of that name, or the active one. */
export function clusterOf(environment: Environment, name: string | undefined, where: string): Cluster {
  if (name === undefined) return environment.activeCluster;
  const found = environment.clusters.find((cluster) => cluster.name === name);
  if (found) return found;
  const names = environment.clusters.map((cluster) => `'${cluster.name}'`).join(', ');
  throw new Error(`${where}: cluster: environment '${environment.name}' has no cluster '${name}'. Give one of ${names}.`);
}

/** Common props of objects in the platform's namespace for a cluster: on a passive cluster the objects only watch. */
export function platformObject(
  environment: Environment, cluster: Cluster, group: string, kind: string, name: string, credential?: CredentialReference,
): AzureResourceProps {
  return omitUndefined({
    metadata: { name, namespace: environment.platformNamespace },
    apiVersion: environment.apiVersionOf(group, kind),
    credential,
    reconcilePolicy: isPassive(cluster) ? ReconcilePolicy.SKIP : undefined,
  });
}

/** Whether the cluster's objects only watch. */
export function isPassive(cluster: Cluster): boolean {
  return cluster.mode === ClusterMode.PASSIVE;
}

/** A reference that works from the platform's namespace: a reference by name is resolved in the namespace of the referring object. */
export function fromPlatformNamespace(reference: IAzureResourceRef, environment: Environment): IAzureResourceRef {
  const { construct } = reference.azureResourceRef;
  if (!AzureResource.isAzureResource(construct)) return reference;
  const isThere = (construct as AzureResource).metadata.namespace === environment.platformNamespace;
  return isThere ? reference : AzureReference.fromArmId(environment.armIdOf(reference));
}
