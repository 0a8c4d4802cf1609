import { operationHeaders, presented } from './answers';
import { RESOURCE_GROUP, resourceGroupOf, SUBSCRIPTION, targetOf, type ArmNode, type NodePath } from './arm-path';
import { normalizedLocation, withComputed, withIdentity } from './computed';
import { duringFederatedWrite, refuseConcurrentWrite } from './concurrent-writes';
import { anotherOperationInProgress, AzureError, invalidRequestContent, methodNotAllowed } from './errors';
import { checkParents, checkSubscription, implicitResource, notFound } from './existence';
import { removeUnlisted } from './inline-children';
import { rulesOf } from './kinds';
import { isRecord } from '../../../src/util/records';
import { textBefore } from '../../../src/util/text-before';
import { textOf } from '../http/faults';
import type { Answer } from '../model/answer';
import { behaviourOf, isRecorded, type CallBehaviour } from '../model/behaviour';
import { hasProvisioningState, hasSystemData, needsLocation, withoutSecrets } from '../model/catalog-index';
import type { Operation, OperationKind } from '../model/operations';
import { isUnregistered, scaled, type ResourceCall, type Simulation } from '../model/simulation';
import { withPath, type Json, type Resource } from '../model/store';

/** Federated credentials are recorded as answered at once, which hides that their writes must not overlap. */
const LEAST_REQUEST_SECONDS = 0.5;

/** PUT: creates a resource or replaces it. */
export function putResource(simulation: Simulation, call: ResourceCall): Answer {
  return write(simulation, call, (body) => body);
}

/** PATCH: changes top-level members and members of `properties` of what exists. */
export function patchResource(simulation: Simulation, call: ResourceCall): Answer {
  const existing = simulation.store.get(targetOf(call.path.nodes).id);
  if (!existing) {
    checkParents(simulation, call.path.nodes, 'write');
    throw notFound(call.path.nodes);
  }
  return write(simulation, call, (patch) => merged(JSON.parse(existing.sent || '{}') as Json, patch));
}

function write(simulation: Simulation, call: ResourceCall, bodyOf: (body: Json) => Json): Answer {
  const { store, catalog } = simulation;
  const { nodes } = call.path;
  const target = targetOf(nodes);
  if (target.type === SUBSCRIPTION) throw methodNotAllowed(call.method, target.id);
  checkSubscriptionOf(simulation, nodes);
  checkRegistration(simulation, nodes);
  checkParents(simulation, nodes, 'write');
  const sent = bodyOf(parseBody(call.text));

  const known = store.get(target.id);
  const existing = known ?? implicitResource(simulation, nodes);
  const running = simulation.operations.runningOn(target.id);
  if (running) throw anotherOperationInProgress(target.id, `${simulation.baseUrl}${running.statusUrl}`);
  refuseConcurrentWrite(simulation, nodes);
  const version = catalog.versionOf(target.type, call.apiVersion);
  checkLocation(target, nodes, sent, existing, version ? needsLocation(version) : target.type === RESOURCE_GROUP);
  const rules = rulesOf(target.type);
  rules.check?.(simulation, nodes, sent, existing);

  if (call.method === 'PUT' && known) removeUnlisted(store, known.id, known.type, sent);
  const behaviour = behaviourOf(target.type, 'PUT');
  const seconds = Math.max(LEAST_REQUEST_SECONDS, behaviour.request);
  const text = canonical(sent);
  if (known && known.sent === text) {
    return { status: 200, body: presented(simulation, known), seconds, finish: duringFederatedWrite(simulation, nodes) };
  }
  if (call.fault?.failOperation && !behaviour.operation) throw new AzureError(409, ...failureTexts(call));

  const hasState = version
    ? hasProvisioningState(version) || behaviour.operation === 'provisioningState'
    : isRecorded(target.type) || target.type === RESOURCE_GROUP;
  const kind: OperationKind = existing ? 'update' : 'create';
  const now = simulation.clock.now();
  const { id: _id, name: _name, type: _type, ...rest } = sent;
  const visible = version ? withoutSecrets(version, rest) : rest;
  const state = behaviour.operation ? behaviour.firstState ?? (kind === 'create' ? 'Creating' : 'Updating') : 'Succeeded';
  let resource: Resource = {
    id: existing?.id ?? target.id,
    type: catalog.spellingOf(target.type),
    name: existing?.name ?? target.name,
    body: hasState ? withPath(visible, ['properties', 'provisioningState'], state) : visible,
    sent: text,
    createdAt: known?.createdAt ?? now,
    incarnation: known?.incarnation ?? store.nextIncarnation(target.id),
  };
  if (version && hasSystemData(version)) {
    const createdAt = new Date(resource.createdAt).toISOString();
    const systemData = {
      createdAt,
      createdByType: 'Application',
      lastModifiedAt: new Date(now).toISOString(),
      lastModifiedByType: 'Application',
    };
    resource = { ...resource, body: { ...resource.body, systemData } };
  }
  resource = { ...resource, body: withIdentity(simulation, resource) };
  if (rules.complete) resource = { ...resource, body: rules.complete(simulation, nodes, resource) };
  if (version) resource = { ...resource, body: withComputed(simulation, version, resource) };
  store.set(resource);

  const operation = behaviour.operation && beginOperation(simulation, call, nodes, kind, behaviour, resource);
  const status = existing && behaviour.status === 201 ? 200 : behaviour.status;
  // A 202 that was recorded without a state has no resource in its body.
  const withBody = status !== 202 || behaviour.firstState !== undefined;
  return {
    status,
    headers: operation ? operationHeaders(simulation, operation) : {},
    body: withBody ? presented(simulation, resource) : operation && { operation: 'Upsert', startTime: new Date(now).toISOString() },
    seconds,
    created: kind === 'create',
    finish: duringFederatedWrite(simulation, nodes),
  };
}

/** DELETE: the resource goes, with all that lies under it. */
export function deleteResource(simulation: Simulation, call: ResourceCall): Answer {
  const { nodes } = call.path;
  const target = targetOf(nodes);
  if (target.type === SUBSCRIPTION) throw methodNotAllowed(call.method, target.id);
  checkSubscriptionOf(simulation, nodes);
  checkParents(simulation, nodes, 'delete');
  const behaviour = behaviourOf(target.type, 'DELETE');
  const resource = simulation.store.get(target.id);
  if (!resource) {
    if (target.type === RESOURCE_GROUP) throw notFound(nodes);
    return { status: 204, seconds: behaviour.request };
  }
  const running = simulation.operations.runningOn(target.id);
  if (running?.kind === 'delete') return { status: 202, headers: operationHeaders(simulation, running), seconds: behaviour.request };
  if (running) throw anotherOperationInProgress(target.id, `${simulation.baseUrl}${running.statusUrl}`);
  refuseConcurrentWrite(simulation, nodes);
  if (!behaviour.operation) {
    if (call.fault?.failOperation) throw new AzureError(409, ...failureTexts(call));
    simulation.operations.forget(simulation.store.removeTree(target.id).map(({ id }) => id));
    return { status: behaviour.status, seconds: behaviour.request, finish: duringFederatedWrite(simulation, nodes) };
  }
  const operation = beginOperation(simulation, call, nodes, 'delete', behaviour, resource);
  return { status: 202, headers: operationHeaders(simulation, operation), seconds: behaviour.request };
}

function beginOperation(
  simulation: Simulation, call: ResourceCall, nodes: NodePath, kind: OperationKind, behaviour: CallBehaviour, resource: Resource,
): Operation {
  const startedAt = simulation.clock.now();
  const guid = simulation.values.uuid('operation', resource.id.toLowerCase(), startedAt, kind);
  const base = operationBase(nodes, resource);
  const failure = call.fault?.failOperation ? { code: failureTexts(call)[0], message: failureTexts(call)[1] } : undefined;
  const operation: Operation = {
    guid,
    kind,
    // A DELETE cannot be followed by the state of what it removes.
    style: behaviour.operation === 'provisioningState' && kind === 'delete' ? 'location' : behaviour.operation!,
    resourceId: resource.id,
    startedAt,
    endsAt: startedAt + scaled(simulation, behaviour.seconds ?? 1),
    retryAfter: behaviour.retryAfter,
    statusUrl: `${base}/operationStatuses/${guid}?api-version=${call.apiVersion}`,
    resultUrl: `${base}/operationResults/${guid}?api-version=${call.apiVersion}`,
    failure,
  };
  simulation.operations.begin(operation);
  return operation;
}

function operationBase(nodes: NodePath, resource: Resource): string {
  const subscription = nodes[0].type === SUBSCRIPTION ? nodes[0].id : '';
  if (resource.type === RESOURCE_GROUP) return subscription;
  return `${subscription}/providers/${resource.type.split('/')[0]}/locations/${normalizedLocation(resource.body.location)}`;
}

function failureTexts(call: ResourceCall): [code: string, message: string] {
  const { code, message } = textOf(call.fault!);
  return [code, message];
}

function checkSubscriptionOf(simulation: Simulation, nodes: NodePath): void {
  if (nodes[0].type === SUBSCRIPTION) checkSubscription(simulation, nodes[0].name);
}

function checkRegistration(simulation: Simulation, nodes: NodePath): void {
  const target = targetOf(nodes);
  const namespace = textBefore(target.type, '/');
  if (!/^[a-z][a-z0-9]*(\.[a-z0-9]+)+$/i.test(namespace)) {
    throw new AzureError(404, 'InvalidResourceNamespace', `The resource namespace '${namespace}' is invalid.`);
  }
  if (nodes[0].type !== SUBSCRIPTION || !isUnregistered(simulation, nodes[0].name, namespace)) return;
  const message = `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`;
  throw new AzureError(409, 'MissingSubscriptionRegistration', message, [
    { code: 'MissingSubscriptionRegistration', target: namespace, message },
  ]);
}

function checkLocation(target: ArmNode, nodes: NodePath, body: Json, existing: Resource | undefined, required: boolean): void {
  if (required && (typeof body.location !== 'string' || body.location === '')) {
    throw new AzureError(400, 'LocationRequired', 'The location property is required for this definition.');
  }
  const before = existing?.body.location;
  if (before === undefined || body.location === undefined || normalizedLocation(before) === normalizedLocation(body.location)) return;
  if (target.type === RESOURCE_GROUP) {
    throw new AzureError(409, 'InvalidResourceGroupLocation',
      `Invalid resource group location '${String(body.location)}'. The Resource group already exists in location '${String(before)}'.`);
  }
  throw new AzureError(409, 'InvalidResourceLocation',
    `The resource '${target.name}' already exists in location '${String(before)}' in resource group '${resourceGroupOf(nodes) ?? ''}'. `
    + `A resource with the same name cannot be created in location '${String(body.location)}'. Please select a new resource name.`);
}

function parseBody(text: string): Json {
  if (text.trim() === '') throw invalidRequestContent('the request has no content');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidRequestContent('the content is not valid JSON');
  }
  if (!isRecord(body)) throw invalidRequestContent('the content is not a JSON object');
  return body;
}

function merged(before: Json, patch: Json): Json {
  const result = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    const old = result[name];
    if (value === null) delete result[name];
    else result[name] = isRecord(value) && isRecord(old) ? merged(old, value) : value;
  }
  return result;
}

/** JSON text in which the order of members does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner);
}
