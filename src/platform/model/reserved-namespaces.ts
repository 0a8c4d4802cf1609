import type { Cluster } from './cluster';
import type { PlatformTeam } from './platform-team';

/** The parts of an environment that use namespaces of their own. */
interface NamespaceUsers {
  readonly platform: PlatformTeam;
  readonly clusters: readonly Cluster[];
}

/** Namespaces of Kubernetes and of deployment tools that many clusters have, even if the environment does not name them. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['default', 'objects without a namespace go there'],
  ['flux-system', 'Flux runs there'],
  ['argocd', 'Argo CD runs there'],
  ['azureserviceoperator-system', 'Azure Service Operator runs there'],
]);

/** The service account whose token a strict operator uses to sign in for a namespace. */
export const WORKLOAD_SERVICE_ACCOUNT = 'aso-workload';

/** The reason why no team may use a namespace of this name in any environment; undefined if the name is allowed. */
export function reservedEverywhere(name: string): string | undefined {
  if (/^kube-/.test(name)) return 'names that begin with "kube-" belong to Kubernetes';
  const why = WELL_KNOWN.get(name);
  if (why !== undefined) return why;
  return name === WORKLOAD_SERVICE_ACCOUNT ? 'it is the name of the service account with whose token the operator signs in' : undefined;
}

/**
 * The reason why no team may use a namespace of this name in the environment; undefined if allowed. Ignores the platform's own namespace.
 */
export function reservedIn({ platform, clusters }: NamespaceUsers, name: string): string | undefined {
  if (clusters.some(({ operatorNamespace }) => operatorNamespace === name)) return 'the operator runs there';
  if ((platform.serviceAccounts ?? []).some((account) => account.split(':')[0] === name)) {
    return 'a service account of the platform (platform.serviceAccounts) is there, which the guard rails let pass';
  }
  if ((platform.reservedNamespaces ?? []).includes(name)) return 'the environment reserves it (platform.reservedNamespaces)';
  return reservedEverywhere(name);
}
