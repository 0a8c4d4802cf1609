import { hasTarget, isNested, keyOf, namesOf, RESOURCE_GROUP, resourceGroupOf, SUBSCRIPTION, targetOf, type ArmNode, type NodePath } from './arm-path';
import {
  AzureError,
  parentNotProvisioned,
  parentResourceNotFound,
  resourceGroupBeingDeleted,
  resourceGroupNotFound,
  resourceNotFound,
} from './errors';
import { UUID } from '../../../src/azure/uuid';
import type { Simulation } from '../model/simulation';
import { provisioningStateOf, type Resource } from '../model/store';

const MANAGEMENT_GROUP = 'microsoft.management/managementgroups';

/** Resources that exist although no request has created them: the services of a storage account, the root key of a namespace. */
export function implicitResource(simulation: Simulation, nodes: NodePath): Resource | undefined {
  const node = targetOf(nodes);
  const above = nodes.slice(0, -1);
  if (!hasTarget(above) || !isNested(node) || !exists(simulation, above)) return undefined;
  const fixed = simulation.catalog.versionOf(node.type)?.facts.name;
  const isSingleton = typeof fixed === 'object' && fixed !== null && fixed.fixed.toLowerCase() === node.name.toLowerCase();
  const isRootKey = /\/authorizationrules$/i.test(node.type) && node.name.toLowerCase() === 'rootmanagesharedaccesskey';
  if (!isSingleton && !isRootKey) return undefined;
  const properties = isRootKey ? { rights: ['Listen', 'Manage', 'Send'] } : {};
  return {
    id: node.id,
    type: simulation.catalog.spellingOf(node.type),
    name: node.name,
    body: { properties },
    sent: '',
    createdAt: 0,
    incarnation: 0,
  };
}

/** Whether the last of the nodes exists. */
export function exists(simulation: Simulation, nodes: NodePath): boolean {
  const node = targetOf(nodes);
  if (node.type === SUBSCRIPTION) return simulation.subscriptions?.has(keyOf(node.name)) ?? true;
  if (node.type.toLowerCase() === MANAGEMENT_GROUP) return true;
  return simulation.store.get(node.id) !== undefined || implicitResource(simulation, nodes) !== undefined;
}

/** Refuses, as Azure does, what has no parent or no scope, and writes into what is being deleted. */
export function checkParents(simulation: Simulation, nodes: NodePath, operation: 'read' | 'write' | 'delete'): void {
  nodes.slice(0, -1).forEach((node, index) => {
    const [path, child] = [nodes.slice(0, index + 1), nodes[index + 1]];
    if (!hasTarget(path) || !child) return;
    if (node.type === SUBSCRIPTION) return checkSubscription(simulation, node.name);
    if (!exists(simulation, path)) {
      if (simulation.allowForeignScopes && isExtension(targetOf(nodes))) return;
      throw missingParent(nodes, node, child, operation);
    }
    if (operation === 'write') checkState(simulation, node, child);
  });
}

export function checkSubscription(simulation: Simulation, id: string): void {
  if (!UUID.test(id)) {
    throw new AzureError(400, 'InvalidSubscriptionId', `The provided subscription identifier '${id}' is malformed or invalid.`);
  }
  if (simulation.subscriptions && !simulation.subscriptions.has(keyOf(id))) {
    throw new AzureError(404, 'SubscriptionNotFound', `The subscription '${id}' could not be found.`);
  }
}

export function notFound(nodes: NodePath): AzureError {
  const node = targetOf(nodes);
  if (node.type === RESOURCE_GROUP) return resourceGroupNotFound(node.name);
  if (/\/roleassignments$/i.test(node.type)) {
    return new AzureError(404, 'RoleAssignmentNotFound', `The role assignment '${node.name}' is not found.`);
  }
  return resourceNotFound(node.type, namesOf(node), resourceGroupOf(nodes));
}

/** Types that extend any scope; all others sit in their resource group or in their parent. */
const EXTENSIONS = /^microsoft\.(authorization|insights\/(diagnosticsettings|datacollectionruleassociations)|eventgrid\/eventsubscriptions|quota|kubernetesconfiguration)/i;

function isExtension(node: ArmNode): boolean {
  return EXTENSIONS.test(node.type) || node.id.toLowerCase().split('/providers/').length > 2;
}

function missingParent(nodes: NodePath, parent: ArmNode, child: ArmNode, operation: 'read' | 'write' | 'delete'): AzureError {
  if (parent.type === RESOURCE_GROUP) return resourceGroupNotFound(parent.name);
  if (isNested(child) && !/\/providers\//i.test(child.id.slice(parent.id.length))) {
    return parentResourceNotFound(operation, targetOf(nodes).type, parent.id);
  }
  return resourceNotFound(parent.type, namesOf(parent), resourceGroupOf(nodes));
}

function checkState(simulation: Simulation, node: ArmNode, child: ArmNode): void {
  const running = simulation.operations.runningOn(node.id);
  if (!running) return;
  if (running.kind === 'delete') {
    if (node.type === RESOURCE_GROUP) throw resourceGroupBeingDeleted(node.name);
    throw parentNotProvisioned(node.id, 'Deleting');
  }
  // A child needs its parent finished; a role assignment or a diagnostic setting on it does not.
  if (running.kind === 'create' && isNested(child) && !/\/providers\//i.test(child.id.slice(node.id.length))) {
    throw parentNotProvisioned(node.id, provisioningStateOf(simulation.store.get(node.id)!) ?? 'Creating');
  }
}
