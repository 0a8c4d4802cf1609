import type { ObjectSet } from './object-set';
import { ofSet, type FoundAt } from './rule';
import { titleOf, type AzureObject } from './set-object';
import { text } from '../../util/records';

const CLUSTER = 'containerservice.azure.com/ManagedCluster';
const KUBELETS = 'status.identityProfile["kubeletidentity"].objectId';

/** Where clusters of the set export a value: `namespace/ConfigMap/key` → the cluster. */
function exportedBy(set: ObjectSet, path: RegExp): ReadonlyMap<string, AzureObject> {
  return new Map((set.kinds.get(CLUSTER) ?? []).flatMap((cluster) => cluster.facts.writes
    .filter((write) => write.store === 'ConfigMap' && path.test(write.path))
    .map(({ name, key }) => [`${cluster.namespace ?? ''}/${name}/${key ?? ''}`, cluster] as const)));
}

/** The cluster whose export a property of the object is read from. */
function sourceOf(object: AzureObject, property: string, exported: ReadonlyMap<string, AzureObject>): AzureObject | undefined {
  const read = object.facts.reads.find(({ store, path }) => store === 'ConfigMap' && path.endsWith(property));
  return read && exported.get(`${object.namespace ?? ''}/${read.name}/${read.key ?? ''}`);
}

/** The nodes of a cluster pull images as the kubelets' identity, not as the control plane's. */
export const acrPullControlPlane = ofSet((set) => {
  const exported = exportedBy(set, /\.configMaps\.principalId$/);
  if (exported.size === 0) return [];
  return (set.kinds.get('authorization.azure.com/RoleAssignment') ?? []).flatMap((object): FoundAt[] => {
    if (object.facts.builtInRoles[0] !== 'AcrPull') return [];
    const cluster = sourceOf(object, 'principalIdFromConfig', exported);
    return cluster ? [{
      object,
      field: 'spec.principalIdFromConfig',
      message: `is the identity of the control plane of ${titleOf(cluster)}, but its nodes pull images as that of the kubelets`,
      fix: `grant it to Principal.fromConfig(cluster.outputs.kubeletObjectId); in a manifest, export ${KUBELETS} by an expression`,
    }] : [];
  });
});

/** A service account of the files that create a cluster is in the operator's cluster, whose issuer signs its tokens. */
export const federatedIssuerElsewhere = ofSet((set) => {
  const exported = exportedBy(set, /\.configMaps\.oidcIssuerProfile$|\.configMapExpressions\b/);
  if (exported.size === 0) return [];
  const accounts = new Set(set.objects.filter(({ kind, group }) => kind === 'ServiceAccount' && group === '')
    .map(({ namespace, name }) => `system:serviceaccount:${namespace ?? ''}:${name}`));
  return (set.kinds.get('managedidentity.azure.com/FederatedIdentityCredential') ?? []).flatMap((object): FoundAt[] => {
    const cluster = sourceOf(object, 'issuerFromConfig', exported);
    return cluster && !set.isOnlyRead(cluster) && accounts.has(text(object.spec, 'subject') ?? '') ? [{
      object,
      field: 'spec.issuerFromConfig',
      message: `is the issuer of ${titleOf(cluster)}, but the service account is in these files, which the cluster of the operator gets`,
      fix: 'give the issuer of the cluster in which the pods run, or apply them to the new cluster from files of their own',
    }] : [];
  });
});
