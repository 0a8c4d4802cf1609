import { operationHeaders, presented } from './answers';
import { hasTarget, parseArmPath, RESOURCE_GROUP, resourceGroupOf, SUBSCRIPTION, targetOf, type ArmNode, type NodePath } from './arm-path';
import { withComputed, withIdentity } from './computed';
import { duringFederatedWrite, refuseConcurrentWrite } from './concurrent-writes';
import { canonical, merged, parseBody } from './content';
import { anotherOperationInProgress, AzureError, methodNotAllowed } from './errors';
import { checkParents, checkSubscription, implicitResource, notFound } from './existence';
import { inlineChildren, removeUnlisted, withInlineChildren } from './inline-children';
import { rulesOf } from './kinds';
import { normalizedLocation } from './location';
import { refuseByRules, refuseImmutable } from './refuse-by-rules';
import type { KindVersion } from '../../../src/catalog';
import { textBefore } from '../../../src/util/text-before';
import { drawEnding } from '../contrary/operation-endings';
import { courseOf } from '../contrary/troubles';
import { textOf } from '../http/faults';
import type { Answer } from '../model/answer';
import { behaviourOf, isRecorded, notCreated, type CallBehaviour } from '../model/behaviour';
import { hasProvisioningState, hasSystemData, needsLocation, withoutSecrets } from '../model/catalog-index';
import type { Operation, OperationKind } from '../model/operations';
import { isUnregistered, scaled, type ResourceCall, type Simulation } from '../model/simulation';
import { provisioningStateOf, withPath, type Json, type Resource } from '../model/store';

/** Federated credentials are recorded as answered at once, which hides that their writes must not overlap. */
const LEAST_REQUEST_SECONDS = 0.5;

/** How services show a secret that they do not leave out. */
const MASKS: readonly [null, ...string[]] = [null, '', '**********'];

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
  const implicit = known ? undefined : implicitResource(simulation, nodes);
  const allowed: Write = {
    nodes,
    sent,
    text: canonical(sent),
    known,
    existing: known ?? implicit,
    version: catalog.versionOf(target.type, call.apiVersion),
    behaviour: implicit ? notCreated(behaviourOf(target.type, 'PUT')) : behaviourOf(target.type, known ? 'UPDATE' : 'PUT'),
    now: simulation.clock.now(),
  };
  checkWrite(simulation, call.apiVersion, allowed);
  if (call.method === 'PUT' && known) removeUnlisted(store, known, sent);
  const seconds = Math.max(LEAST_REQUEST_SECONDS, allowed.behaviour.request);
  const isRestless = allowed.behaviour.operation !== undefined && simulation.contrary?.does('restless', target.id.toLowerCase());
  if (known && known.sent === allowed.text && !isRestless) {
    return { status: 200, body: presented(simulation, known), seconds, finish: duringFederatedWrite(simulation, nodes) };
  }
  if (call.fault?.failOperation && !allowed.behaviour.operation) throw new AzureError(409, ...failureTexts(call));
  const resource = withOutcome(simulation, allowed, written(simulation, allowed));
  store.set(resource);
  for (const child of inlineChildren(store, resource, sent, allowed.now)) store.set(completed(simulation, child));
  return { ...answerOf(simulation, call, allowed, resource), seconds, finish: duringFederatedWrite(simulation, nodes) };
}

/** A write that the path allows, with what is there before it. */
interface Write {
  readonly nodes: NodePath;
  readonly sent: Json;
  /** `sent` as text, to find out whether anything changes. */
  readonly text: string;
  /** The resource that somebody made. */
  readonly known: Resource | undefined;
  /** That, or one that is there without a write. */
  readonly existing: Resource | undefined;
  readonly version: KindVersion | undefined;
  readonly behaviour: CallBehaviour;
  readonly now: number;
}

function checkWrite(simulation: Simulation, apiVersion: string, { nodes, sent, existing, version }: Write): void {
  const target = targetOf(nodes);
  const running = simulation.operations.runningOn(target.id);
  if (running) throw anotherOperationInProgress(target.id, `${simulation.baseUrl}${running.statusUrl}`);
  refuseConcurrentWrite(simulation, nodes);
  checkLocation(target, nodes, sent, existing, version ? needsLocation(version) : target.type === RESOURCE_GROUP);
  simulation.azureTypes?.check(target.type, apiVersion, sent);
  if (version && simulation.rules) refuseByRules(simulation, nodes, sent, version);
  rulesOf(target.type).check?.(simulation, nodes, sent, existing);
  if (version && existing && simulation.rules) refuseImmutable(withInlineChildren(simulation.store, existing), sent, version);
}

/** The resource as Azure has it after the write. */
function written(simulation: Simulation, { nodes, sent, text, known, existing, version, behaviour, now }: Write): Resource {
  const { store, catalog } = simulation;
  const target = targetOf(nodes);
  const hasState = version
    ? hasProvisioningState(version) || behaviour.operation === 'provisioningState'
    : isRecorded(target.type) || target.type === RESOURCE_GROUP;
  const { id: _id, name: _name, type: _type, ...rest } = sent;
  const mask = simulation.contrary?.does('masks', target.id.toLowerCase()) ? simulation.contrary.pick(MASKS, 'mask', target.id.toLowerCase()) : undefined;
  const visible = version ? withoutSecrets(version, rest, mask) : rest;
  const state = behaviour.operation ? behaviour.firstState ?? (existing ? 'Updating' : 'Creating') : 'Succeeded';
  let resource: Resource = {
    id: existing?.id ?? target.id,
    type: catalog.spellingOf(target.type),
    name: existing?.name ?? target.name,
    body: hasState ? withPath(visible, ['properties', 'provisioningState'], state) : visible,
    sent: text,
    createdAt: known?.createdAt ?? now,
    incarnation: known?.incarnation ?? store.nextIncarnation(target.id),
  };
  if (version && hasSystemData(version)) resource = { ...resource, body: withSystemData(resource, now) };
  resource = { ...resource, body: withIdentity(simulation, resource) };
  resource = completed(simulation, resource);
  return version ? { ...resource, body: withComputed(simulation, version, resource) } : resource;
}

/** The resource with what its service adds. */
function completed(simulation: Simulation, resource: Resource): Resource {
  const { nodes } = parseArmPath(resource.id);
  const { complete } = rulesOf(resource.type);
  return complete && hasTarget(nodes) ? { ...resource, body: complete(simulation, nodes, resource) } : resource;
}

function withSystemData({ body, createdAt }: Resource, now: number): Json {
  const systemData = {
    createdAt: new Date(createdAt).toISOString(),
    createdByType: 'Application',
    lastModifiedAt: new Date(now).toISOString(),
    lastModifiedByType: 'Application',
  };
  return { ...body, systemData };
}

/** The resource as it is without an operation: the contrary mode may call it Failed at once. */
function withOutcome({ contrary }: Simulation, { behaviour, existing }: Write, resource: Resource): Resource {
  if (behaviour.operation || provisioningStateOf(resource) === undefined) return resource;
  const { failure } = courseOf(contrary, existing ? 'update' : 'create', resource, 0);
  if (!failure) return resource;
  return { ...resource, sent: '', body: withPath(resource.body, ['properties', 'provisioningState'], failure.state ?? 'Failed') };
}

/** The answer to a write that changes something; begins the operation where Azure has one. */
function answerOf(simulation: Simulation, call: ResourceCall, { nodes, existing, behaviour, now }: Write, resource: Resource): Answer {
  const kind: OperationKind = existing ? 'update' : 'create';
  const operation = behaviour.operation && beginOperation(simulation, call, nodes, kind, behaviour, resource);
  // A 202 that was recorded without a state has no resource in its body.
  const withBody = behaviour.status !== 202 || behaviour.firstState !== undefined;
  return {
    status: behaviour.status,
    headers: operation ? operationHeaders(simulation, operation) : {},
    body: withBody ? presented(simulation, resource) : operation && { operation: 'Upsert', startTime: new Date(now).toISOString() },
    created: kind === 'create',
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
  const demanded = call.fault?.failOperation ? { code: failureTexts(call)[0], message: failureTexts(call)[1] } : undefined;
  const course = courseOf(simulation.contrary, kind, resource, behaviour.seconds ?? 1);
  // A DELETE cannot be followed by the state of what it removes.
  const style = behaviour.operation === 'provisioningState' && kind === 'delete' ? 'location' : behaviour.operation!;
  const operation: Operation = {
    guid,
    kind,
    style,
    resourceId: resource.id,
    startedAt,
    endsAt: startedAt + scaled(simulation, course.seconds),
    retryAfter: behaviour.retryAfter,
    statusUrl: `${base}/operationStatuses/${guid}?api-version=${call.apiVersion}`,
    resultUrl: `${base}/operationResults/${guid}?api-version=${call.apiVersion}`,
    failure: demanded ?? course.failure,
    ending: drawEnding(simulation.contrary, style, guid),
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
