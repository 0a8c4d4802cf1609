import { keyOf, targetOf, type ArmNode, type NodePath } from './arm-path';
import { AzureError } from './errors';
import { ownValue } from '../../../src/util/elements';
import type { Operation } from '../model/operations';
import { retryAfterHeader, type Simulation } from '../model/simulation';

const IDENTITIES = 'microsoft.managedidentity/userassignedidentities';
const FEDERATED_CREDENTIALS = `${IDENTITIES}/federatedidentitycredentials`;

/** Parents whose children, and which themselves, are written one at a time. */
const NETWORK_PARENTS: Readonly<Record<string, readonly string[]>> = {
  'microsoft.network/loadbalancers': ['inboundnatrules'],
  'microsoft.compute/virtualmachinescalesets': ['extensions'],
  'microsoft.network/virtualnetworks': ['subnets', 'virtualnetworkpeerings'],
  'microsoft.network/routetables': ['routes'],
  'microsoft.network/networksecuritygroups': ['securityrules'],
};

/**
 * Throws what Azure answers to a PUT or DELETE while something else of the same parent is being written.
 * @see https://github.com/Azure/bicep/issues/10928 federated credentials; of networks there are recordings
 */
export function refuseConcurrentWrite(simulation: Simulation, nodes: NodePath): void {
  const target = targetOf(nodes);
  const above = nodes.at(-2);
  if (above && target.type.toLowerCase() === FEDERATED_CREDENTIALS) refuseFederatedCredential(simulation, above);
  const parent = networkParentOf(nodes);
  if (!parent) return;
  const children = (ownValue(NETWORK_PARENTS, parent.type.toLowerCase()) ?? []).map((type) => `${keyOf(parent.id)}/${type}/`);
  const isOfParent = (id: string) =>
    id === keyOf(parent.id) || children.some((prefix) => id.startsWith(prefix) && !id.slice(prefix.length).includes('/'));
  const running = simulation.operations.runningWhere((id) => id !== keyOf(target.id) && isOfParent(id));
  if (running) throw refusal(simulation, running, parent);
}

/** Called when a write of a federated credential begins; the answer is called when it ends. */
export function duringFederatedWrite(simulation: Simulation, nodes: NodePath): (() => void) | undefined {
  const above = nodes.at(-2);
  if (!above || targetOf(nodes).type.toLowerCase() !== FEDERATED_CREDENTIALS) return undefined;
  const identity = keyOf(above.id);
  simulation.federatedWrites.add(identity);
  return () => void simulation.federatedWrites.delete(identity);
}

function refuseFederatedCredential(simulation: Simulation, identity: ArmNode): void {
  if (!simulation.federatedWrites.has(keyOf(identity.id))) return;
  throw new AzureError(409, 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
    `Too many Federated Identity Credentials are written concurrently for the managed identity '${identity.id}'. `
    + 'Concurrent Federated Identity Credentials writes under the same managed identity are not supported.');
}

function networkParentOf(nodes: NodePath): ArmNode | undefined {
  const target = targetOf(nodes);
  if (Object.hasOwn(NETWORK_PARENTS, target.type.toLowerCase())) return target;
  const above = nodes.at(-2);
  const types = above ? ownValue(NETWORK_PARENTS, above.type.toLowerCase()) ?? [] : [];
  return types.includes(target.type.slice(target.type.lastIndexOf('/') + 1).toLowerCase()) ? above : undefined;
}

function refusal(simulation: Simulation, { resourceId, guid, statusUrl }: Operation, parent: ArmNode): AzureError {
  if (/\/virtualnetworkpeerings\/[^/]+$/i.test(resourceId)) {
    const message = `Operation PutVirtualNetworkPeeringOperation (${guid}) is updating resource ${parent.id}. The call can be retried in 12 seconds.`;
    const details = [{ code: 'RetryableErrorDueToAnotherOperation', message }];
    return new AzureError(429, 'RetryableError', 'A retryable error occurred.', details, retryAfterHeader(simulation, 12));
  }
  return new AzureError(409, 'AnotherOperationInProgress',
    `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: ${simulation.baseUrl}${statusUrl}.`);
}
