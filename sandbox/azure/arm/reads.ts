import { operationResult, operationStatus, presented } from './answers';
import { hasTarget, keyOf, RESOURCE_GROUP, SUBSCRIPTION, targetOf, type NodePath } from './arm-path';
import { AzureError, methodNotAllowed } from './errors';
import { checkParents, checkSubscription, exists, implicitResource, notFound } from './existence';
import { textBefore } from '../../../src/util/text-before';
import { isLate, isUnlisted } from '../contrary/troubles';
import type { Answer } from '../model/answer';
import { isUnregistered, type ArmCall, type Simulation } from '../model/simulation';
import type { Resource } from '../model/store';

const PAGE = 100;

/** GET and HEAD of a resource, an operation, a list or a provider. */
export function read(simulation: Simulation, call: ArmCall): Answer {
  const { nodes, tail } = call.path;
  const operation = readOperation(simulation, call);
  if (operation) return operation;
  if (nodes[0]?.type === SUBSCRIPTION) checkSubscription(simulation, nodes[0].name);
  if (tail.length === 0 && hasTarget(nodes)) return readResource(simulation, nodes, call.method);
  return readProvider(simulation, call) ?? list(simulation, call);
}

/** Whether a path is that of a long-running operation's state. */
export function operationOf(call: Pick<ArmCall, 'path'>): { guid: string; result: boolean } | undefined {
  const { nodes, tail } = call.path;
  const segments = [...(nodes[nodes.length - 1]?.id.split('/') ?? []), ...tail];
  const [word = '', guid = ''] = segments.slice(-2);
  if (!/^operation(statuses|results)$/i.test(word)) return undefined;
  return { guid, result: /results$/i.test(word) };
}

function readOperation(simulation: Simulation, call: ArmCall): Answer | undefined {
  const found = operationOf(call);
  if (!found) return undefined;
  const operation = simulation.operations.find(found.guid);
  if (!operation) throw new AzureError(404, 'OperationNotFound', `The operation '${found.guid}' could not be found.`);
  return found.result ? operationResult(simulation, operation) : operationStatus(simulation, operation);
}

function readResource(simulation: Simulation, nodes: NodePath, method: string): Answer {
  const node = targetOf(nodes);
  if (node.type === SUBSCRIPTION) {
    return {
      status: 200,
      body: { id: node.id, subscriptionId: node.name, displayName: 'sandbox', state: 'Enabled', tenantId: simulation.tenantId },
    };
  }
  if (method === 'HEAD') return { status: exists(simulation, nodes) ? 204 : 404 };
  checkParents(simulation, nodes, 'read');
  const resource = simulation.store.get(node.id) ?? implicitResource(simulation, nodes);
  if (!resource || isLate(simulation, resource)) throw notFound(nodes);
  return { status: 200, body: presented(simulation, resource) };
}

/** `/subscriptions/<s>/providers[/<namespace>]`. */
function readProvider(simulation: Simulation, { path: { nodes, tail } }: ArmCall): Answer | undefined {
  const [subscription] = nodes;
  const [word, wanted] = tail;
  if (nodes.length !== 1 || subscription?.type !== SUBSCRIPTION || word?.toLowerCase() !== 'providers' || tail.length > 2) return undefined;
  if (wanted !== undefined) return { status: 200, body: provider(simulation, subscription.name, wanted) };
  const namespaces = [...new Set(simulation.store.all().map((resource) => textBefore(resource.type, '/')))].sort();
  return { status: 200, body: { value: namespaces.map((namespace) => provider(simulation, subscription.name, namespace)) } };
}

export function provider(simulation: Simulation, subscription: string, namespace: string): unknown {
  const registrationState = isUnregistered(simulation, subscription, namespace) ? 'NotRegistered' : 'Registered';
  return { id: `/subscriptions/${subscription}/providers/${namespace}`, namespace, registrationState, resourceTypes: [] };
}

function list(simulation: Simulation, call: ArmCall): Answer {
  if (call.method === 'HEAD') throw methodNotAllowed('HEAD', call.path.tail.join('/'));
  const resources = listed(simulation, call).filter((resource) => !isUnlisted(simulation, resource));
  const skip = Number(call.query.get('$skiptoken') ?? 0) || 0;
  const top = Math.max(1, Math.min(1000, Number(call.query.get('$top') ?? PAGE) || PAGE));
  const value = resources.slice(skip, skip + top).map((resource) => presented(simulation, resource));
  if (skip + top >= resources.length) return { status: 200, body: { value } };
  const query = new URLSearchParams(call.query);
  query.set('$skiptoken', String(skip + top));
  const path = [call.path.nodes[call.path.nodes.length - 1]?.id ?? '', ...call.path.tail].join('/');
  return { status: 200, body: { value, nextLink: `${simulation.baseUrl}${path}?${query.toString()}` } };
}

function listed(simulation: Simulation, call: ArmCall): Resource[] {
  const { nodes, tail } = call.path;
  const { store } = simulation;
  const scope = nodes.at(-1);
  if (hasTarget(nodes) && !exists(simulation, nodes)) {
    checkParents(simulation, nodes, 'read');
    throw notFound(nodes);
  }
  const word = tail[0]?.toLowerCase();
  if (!scope && word === 'subscriptions') return [];
  if (tail.length === 1 && scope) {
    if (scope.type === SUBSCRIPTION && word === 'resourcegroups') {
      return store.under(scope.id).filter((resource) => resource.type === RESOURCE_GROUP);
    }
    if (word === 'resources') {
      return filtered(
        call,
        store.under(scope.id).filter((resource) => resource.type !== RESOURCE_GROUP && resource.body.location !== undefined),
      );
    }
    const type = `${scope.type}/${tail[0]}`.toLowerCase();
    const children = store.under(scope.id).filter((resource) => resource.type.toLowerCase() === type);
    if (children.length > 0 || simulation.catalog.versionOf(type)) return children;
  }
  if (tail.length === 3 && word === 'providers') {
    const type = `${tail[1]}/${tail[2]}`.toLowerCase();
    const prefix = scope ? `${keyOf(scope.id)}/` : '/';
    return store.ofType(type).filter((resource) => keyOf(resource.id).startsWith(prefix));
  }
  throw new AzureError(404, 'InvalidResourceType', `The resource type could not be found: '${tail.join('/')}'.`);
}

/** The one filter that is understood: `resourceType eq 'Microsoft.X/y'`. */
function filtered(call: ArmCall, resources: Resource[]): Resource[] {
  const filter = call.query.get('$filter');
  if (!filter) return resources;
  const type = /^\s*resourceType\s+eq\s+'([^']+)'\s*$/i.exec(filter)?.[1]?.toLowerCase();
  if (type === undefined) {
    throw new AzureError(400, 'InvalidFilterInQueryString', `Invalid $filter '${filter}' specified in the query string.`);
  }
  return resources.filter((resource) => resource.type.toLowerCase() === type);
}
