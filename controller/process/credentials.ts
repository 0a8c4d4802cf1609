import { logPropagation, logPropagationError } from './log-lines';
import type { WatchersOptions } from './watchers-options';
import { createArmClient } from '../../engine/arm/arm-client';
import { allowsCredentialExport, CredentialResolver, NamespaceTokens, type IdentityHolders } from '../../engine/credentials';
import { CertificateStore } from '../../engine/credentials/certificate-store';
import { requiresCredential } from '../../src/azure/credential-required';
import { CredentialPropagator, type CredentialPropagatorOptions } from '../credential-propagation';
import { DirectoryLimits } from '../directory';
import type { Cluster } from '../reconcile/cluster';
import { CredentialGuard, type CredentialGuardOptions } from '../reconcile/credential-guard';

/**
 * The credentials of objects, namespaces and the controller, with clients that stop to send when this process may not write any more.
 *
 * @throws CredentialError
 */
export function createCredentials(options: WatchersOptions, cluster: Cluster, holders: Pick<IdentityHolders, 'withheldFrom'>): CredentialResolver {
  const { settings, environment, client, clock, jobs, loadIdentity } = options;
  const directoryLimits = new DirectoryLimits(clock);
  return new CredentialResolver({
    environment,
    loadIdentity,
    limitGraph: (graph, principal) => directoryLimits.clientFor(graph, principal),
    secret: (namespace, name) => cluster.find({ group: '', kind: 'Secret', namespace, name }),
    requiresCredential: (name) =>
      requiresCredential(cluster.find({ group: '', kind: 'Namespace', namespace: '', name })?.metadata.annotations),
    allowsExported: (namespace, name) =>
      allowsCredentialExport(cluster.find({ group: '', kind: 'Namespace', namespace: '', name: namespace }), name),
    identityWithheld: (namespace, clientId) => holders.withheldFrom(namespace, clientId),
    certificates: jobs && new CertificateStore(jobs),
    namespaceTokens: settings.workloadIdentityMode === 'strict' ? new NamespaceTokens(client, clock) : undefined,
    createClient: (parts) => createArmClient({
      ...parts,
      version: options.version,
      userAgentSuffix: settings.userAgentSuffix,
      httpClient: options.httpClient,
      onRequest: (request) => {
        options.metrics.armRequest(request);
        options.history?.requests.add(request);
      },
      // The budget registers providers, so that these requests count.
      registerProviders: !settings.requestBudget,
      mayStillSend: options.mayWrite,
    }),
  });
}

/** Writes IDs of identities into other namespaces. */
export function createPropagator(
  { settings, client, clock, logger }: WatchersOptions,
  parts: Pick<CredentialPropagatorOptions, 'cluster' | 'events' | 'serviceAccounts' | 'fence' | 'share' | 'foreign'>,
): CredentialPropagator {
  return new CredentialPropagator({
    ...parts,
    client,
    clock,
    operatorNamespace: settings.podNamespace,
    targetNamespaces: settings.targetNamespaces,
    onReport: (report) => logPropagation(logger, report),
    onError: (identity, error, retryIn) => logPropagationError(logger, identity, error, retryIn),
  });
}

/** Protects credential Secrets in use from deletion, unless the settings switch it off. */
export function createGuard(
  { settings, client, clock, logger }: WatchersOptions, parts: Pick<CredentialGuardOptions, 'cluster' | 'fence' | 'share' | 'isSplit'>,
): CredentialGuard | undefined {
  if (!settings.protectCredentials) return undefined;
  return new CredentialGuard({
    ...parts,
    client,
    clock,
    operatorNamespace: settings.podNamespace,
    onError: ({ namespace, name }, error) =>
      logger.warn({ namespace, name, err: error }, 'a credential Secret could not be protected from deletion'),
  });
}
