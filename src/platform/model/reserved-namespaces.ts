import type { Cluster } from './cluster';
import type { PlatformTeam } from './platform-team';

/** The parts of an environment that have namespaces of their own. */
interface NamespaceUsers {
  readonly platform: PlatformTeam;
  readonly clusters: readonly Cluster[];
}

/** Namespaces of Kubernetes and of deployers that many clusters have, whether the environment names them or not. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['default', 'objects without a namespace go there'],
  ['flux-system', 'Flux runs there'],
  ['argocd', 'Argo CD runs there'],
  ['azureserviceoperator-system', 'Azure Service Operator runs there'],
]);

/** The service account with whose token the operator signs in for a namespace when it is strict. */
const WORKLOAD_SERVICE_ACCOUNT = 'aso-workload';

/** Why a team may not have a namespace of this name in any environment; undefined: it may. */
export function reservedEverywhere(name: string): string | undefined {
  if (/^kube-/.test(name)) return 'names that begin with "kube-" belong to Kubernetes';
  const why = WELL_KNOWN.get(name);
  if (why !== undefined) return why;
  return name === WORKLOAD_SERVICE_ACCOUNT ? 'it is the name of the service account with whose token the operator signs in' : undefined;
}

/** Why a team may not have a namespace of this name in the environment, besides that it is the platform's own; undefined: it may. */
export function reservedIn({ platform, clusters }: NamespaceUsers, name: string): string | undefined {
  if (clusters.some(({ operatorNamespace }) => operatorNamespace === name)) return 'the operator runs there';
  if ((platform.serviceAccounts ?? []).some((account) => account.split(':')[0] === name)) {
    return 'a service account of the platform (platform.serviceAccounts) is there, which the guard rails let pass';
  }
  if ((platform.reservedNamespaces ?? []).includes(name)) return 'the environment reserves it (platform.reservedNamespaces)';
  return reservedEverywhere(name);
}
