import type { ObjectFacts } from './object-facts';
import { existence } from './relations';
import type { SnapshotIndex } from './snapshot-index';
import { isBehind, isNoCredential, isTurn } from './state';
import { isSettled, type CauseFacts, type CredentialFacts, type NodeState, type OwnerFacts, type ReferenceFacts, type Wait } from './types';
import { FINALIZER, OPERATOR_NAMESPACE, POLLER_TOKEN } from '../../src/azure/annotations';
import { Catalog } from '../../src/catalog';
import { type ObjectId, objectKeyOf, objectTitleOf, secretIdOf } from '../../src/object-id';
import { listed, plural } from '../../src/util/words';
import { NAMESPACE_SECRET } from '../credentials/credential-keys';

/** An object with what it is related to; the input of all waits. */
export interface Related extends ObjectFacts {
  readonly state: NodeState;
  readonly ownerFacts: OwnerFacts | undefined;
  readonly referenceFacts: readonly ReferenceFacts[];
  readonly credential: CredentialFacts | undefined;
}

export interface WaitContext {
  readonly index: SnapshotIndex;
  node(key: string): Related | undefined;
  /** Keys of the objects that an object owns. */
  childrenOf(key: string): readonly string[];
  /** Keys of the objects of a kind and name in a namespace, whatever their group. */
  named(kind: string, namespace: string, name: string): readonly string[];
}

/** A finalizer of Kubernetes: the object stays until the objects that it owns are gone. */
const FOREGROUND = 'foregroundDeletion';
/** Younger objects may not have been looked at yet. */
const JUST_CREATED_MS = 60_000;

const UNRESOLVED = /couldn't resolve (secret|config map)? ?reference /;
const TURN_OF = /^Waiting for its turn: (\w+) ([^/\s]+)\/(\S+) comes first/;
const IN_USE = /The deletion waits until nobody needs this any more: (.*)/s;
const NOT_DELETED = /Not being deleted: ([^.]{0,1000})\./;
const NOT_SERVED = /the cluster does not serve (\w+)\.([\w.]+):/;
const LEFT_OUT = /this controller leaves (\S+) out/;
const CYCLE = /owners form a cycle: (.*)/;
const NOT_IN_AZURE: ReadonlySet<string> = new Set(['ParentResourceNotFound', 'ResourceGroupNotFound', 'ResourceNotFound', 'NotFound']);
const WEBHOOK_DOWN = /conversion webhook for .{1,300}? failed/;

/** The waits of an object that is not settled, the most important first. Empty: its own condition is the cause. */
export function waitsOf(node: Related, context: WaitContext): Wait[] {
  if (isSettled(node.state)) return [];
  if (node.isDeleting) return deletionWaits(node, context);
  const waits = conditionWaits(node, context);
  return waits.length > 0 ? waits : idleWaits(node, context);
}

/** Where the object itself is what should be worked on: whether there is a controller for it. */
function idleWaits(node: Related, { index }: WaitContext): Wait[] {
  const { ready, state, name } = node;
  if (state === 'Error' || state === 'Warning' || (ready && isTurn(ready))) return [];
  const title = objectTitleOf(name);
  const controller = controllerWait(node, index);
  if (controller) return [controller];
  if (state === 'Unclaimed') {
    const createdAt = Date.parse(node.object.metadata.creationTimestamp ?? '');
    if (index.snapshot.now - createdAt < JUST_CREATED_MS) {
      return [end('controller', { code: 'JustCreated', object: name, text: `${title} was created a moment ago; no controller has looked at it yet` })];
    }
    if (index.isTerminating(name.namespace)) return [terminating(name.namespace, `${title} is not created any more`)];
    const text = `no controller has looked at ${title}: none watches its kind and its namespace`;
    return [end('controller', { code: 'NotWatched', object: name, text })];
  }
  if (isBehind(node)) {
    const { generation } = node.object.metadata;
    const text = `no controller has looked at generation ${generation} of ${title} yet: the condition is of generation ${ready?.observedGeneration}`;
    return [end('controller', { code: 'Stale', object: name, text })];
  }
  return [];
}

function controllerWait(node: ObjectFacts, index: SnapshotIndex): Wait | undefined {
  const { name, object } = node;
  const operator = object.metadata.annotations?.[OPERATOR_NAMESPACE];
  switch (index.controllerStateOf(node)) {
    case 'stopped': {
      const controller = index.controllerOf(operator);
      const what = controller?.deployment ? `the Deployment ${controller.namespace}/${controller.deployment} has no ready pod` : 'its Lease has expired';
      const target: ObjectId = controller?.deployment
        ? { group: 'apps', kind: 'Deployment', namespace: controller.namespace, name: controller.deployment }
        : { group: '', kind: 'Namespace', namespace: '', name: controller?.namespace ?? '' };
      return end('controller', { code: 'NoController', object: target, text: `no controller runs: ${what}` });
    }
    case 'absent': {
      // One that runs outside of the cluster shows no sign while it follows an operation.
      if (object.metadata.annotations?.[POLLER_TOKEN] !== undefined) return undefined;
      const target: ObjectId = { group: '', kind: 'Namespace', namespace: '', name: operator ?? 'azureserviceoperator-system' };
      return end('controller', { code: 'NoController', object: target, text: 'no controller runs in the cluster: neither a Deployment nor a Lease of one is there' });
    }
    case 'other': {
      const text = `${objectTitleOf(name)} belongs to the controller of namespace ${operator}, and none runs there; the controllers that run leave it alone`;
      return end('controller', { code: 'OtherController', object: name, text, details: { operator: operator ?? '' } });
    }
    default:
      return undefined;
  }
}

function conditionWaits(node: Related, context: WaitContext): Wait[] {
  const { ready, ownerFacts } = node;
  if (!ready || (isBehind(node) && node.state === 'Stale')) return [];
  const { reason, message = '' } = ready;
  if (isTurn(ready)) return turnWaits(node, context);
  if (isNoCredential(ready) || reason === 'CredentialInvalid') return credentialWaits(node, context);
  if (reason === 'CacheNotSynced' || reason === 'KindNotWatched') return unknownKindWaits(node, message, context);
  const unresolved = UNRESOLVED.exec(message);
  const waits = (() => {
    if (reason === 'SecretNotFound' || unresolved?.[1] === 'secret') return valueWaits(node, 'secret', context);
    if (reason === 'ConfigMapNotFound' || unresolved?.[1] === 'config map') return valueWaits(node, 'configMap', context);
    if (reason === 'ReferenceNotFound' || unresolved) return referenceWaits(node, message, context);
    if (reason === 'WaitingForOwner') return ownerWaits(node, context);
    // The condition is about the owner only while the owner itself is not settled.
    const mayBeOwners = ownerFacts?.state === 'found' && (NOT_IN_AZURE.has(reason) || reason === 'ReconciliationBlocked');
    const owner = mayBeOwners ? unsettledOwner(node, context) : [];
    return owner.length > 0 ? owner : undefined;
  })();
  if (waits === undefined) return [];
  const { name } = node;
  const resolved = { code: 'Resolved', object: name, text: `what ${objectTitleOf(name)} waited for is there now` } as const;
  return waits.length > 0 ? waits : [controllerWait(node, context.index) ?? end('controller', resolved)];
}

function ownerWaits(node: Related, context: WaitContext): Wait[] {
  const { ownerFacts, ownerProblem, name } = node;
  if (ownerProblem !== undefined) {
    return [end('owner', { code: 'InvalidOwner', object: name, text: `spec.owner of ${objectTitleOf(name)} is not valid: ${ownerProblem}` })];
  }
  const owner = ownerFacts?.object;
  if (!owner) return [];
  const missing = missingWait('owner', owner, node, context, 'OwnerMissing');
  return missing ? [missing] : unsettledOwner(node, context);
}

function unsettledOwner({ ownerFacts }: Related, { node }: WaitContext): Wait[] {
  const owner = ownerFacts?.object;
  const found = owner && node(objectKeyOf(owner));
  if (!found || isSettled(found.state)) return [];
  return [{ for: 'owner', object: owner, node: found.key, text: `its owner ${objectTitleOf(owner)} is ${found.isDeleting ? 'being deleted' : 'not Ready'}` }];
}

/** The wait for an object that is not there, or not known. */
function missingWait(
  kind: 'owner' | 'reference', object: ObjectId, { name: { namespace } }: Related, { index }: WaitContext, code: 'OwnerMissing' | 'ReferenceMissing',
): Wait | undefined {
  const title = objectTitleOf(object);
  switch (existence(object, index)) {
    case 'notServed': {
      const text = `the cluster does not serve ${object.kind}.${object.group}, so ${title} cannot exist: its CRD is not installed`;
      return { for: 'kind', object, text, cause: { code: 'KindNotServed', object, text } };
    }
    case 'unreadable':
      return unreadableWait(object, index);
    case 'missing': {
      if (index.isTerminating(namespace)) return terminating(namespace, `${title} cannot be created there`);
      const text = `${title} does not exist`;
      return { for: kind, object, text, cause: { code, object, text } };
    }
    default:
      return undefined;
  }
}

function unreadableWait(object: ObjectId, index: SnapshotIndex): Wait {
  const { group, kind, namespace } = object;
  const why = index.unreadOf(group, kind, namespace)?.why ?? 'it was not read';
  const code = WEBHOOK_DOWN.test(why) ? 'WebhookDown' : 'Unreadable';
  return end('kind', { code, object, text: `${objectTitleOf(object)} could not be read: ${why}` });
}

function terminating(namespace: string, what: string): Wait {
  const object: ObjectId = { group: '', kind: 'Namespace', namespace: '', name: namespace };
  return end('namespace', { code: 'NamespaceTerminating', object, text: `Namespace ${namespace} is being deleted: ${what}` });
}

function referenceWaits(node: Related, message: string, context: WaitContext): Wait[] {
  const cycle = CYCLE.exec(message)?.[1];
  if (cycle !== undefined) return [end('owner', { code: 'Cycle', object: node.name, text: `owners form a cycle: ${cycle}` })];
  const waits = node.referenceFacts.flatMap((reference): Wait[] => {
    const { to, object, state, path } = reference;
    if (to !== 'resource' || !object || state === 'resolved') return [];
    const missing = missingWait('reference', object, node, context, 'ReferenceMissing');
    if (missing) return [missing.cause ? { ...missing, cause: { ...missing.cause, details: { path } } } : missing];
    return [{ for: 'reference', object, node: objectKeyOf(object), text: `${objectTitleOf(object)}, which ${path} names, has no ARM id yet` }];
  });
  if (waits.length > 0) return waits;
  const owner = ownerWaits(node, context);
  // A controller that says more than the snapshot shows: an owner of the wrong type, an id that no URL can hold.
  return owner.length > 0 || UNRESOLVED.test(message) || /doesn't have an assigned ARM ID/.test(message) ? owner : [ownCondition(node)];
}

function ownCondition({ name, ready }: Related): Wait {
  const { reason = '', message = '' } = ready ?? {};
  return end('reference', { code: 'Condition', object: name, text: conditionText(name, reason, message), reason });
}

/** `StorageAccount shop/data: AuthorizationFailed: The client …` */
export function conditionText(name: ObjectId, reason: string, message: string): string {
  return `${objectTitleOf(name)}: ${reason}${message === '' ? '' : `: ${message}`}`;
}

function valueWaits(node: Related, to: 'secret' | 'configMap', context: WaitContext): Wait[] {
  return node.referenceFacts.flatMap((reference) => {
    if (reference.to !== to || reference.state === 'resolved') return [];
    return valueWait(node, reference, context);
  });
}

function valueWait({ name: { namespace } }: Related, { object, key, path, state, writers }: ReferenceFacts, context: WaitContext): Wait[] {
  if (!object) return [];
  const { kind } = object;
  const value = key === undefined ? objectTitleOf(object) : `key ${key} of ${objectTitleOf(object)}`;
  const waitKind = kind === 'Secret' ? 'secret' : 'configMap';
  const writer = unsettledOf(writers, context);
  if (writer) {
    return [{ for: waitKind, object, node: writer.key, text: `${value} is written by ${objectTitleOf(writer.name)}, which is not Ready` }];
  }
  const isMissing = state !== 'keyMissing';
  if (isMissing && context.index.isTerminating(namespace)) return [terminating(namespace, `${objectTitleOf(object)} cannot be created there`)];
  const details = { path, ...(key === undefined ? {} : { key }) };
  const exporter = writers.map((writerKey) => context.node(writerKey)).find((found) => found !== undefined);
  if (exporter) {
    const text = `${objectTitleOf(exporter.name)} is Ready, and ${value} is not there: its export gives no such value`;
    return [{ for: waitKind, object, text, cause: { code: 'ValueNotExported', object: exporter.name, text, details: { ...details, store: objectTitleOf(object) } } }];
  }
  const text = isMissing ? `${objectTitleOf(object)} does not exist, and no object exports it` : `${objectTitleOf(object)} has no key "${key}"`;
  const code = `${kind === 'Secret' ? 'Secret' : 'ConfigMap'}${isMissing ? '' : 'Key'}Missing` as CauseFacts['code'];
  return [{ for: waitKind, object, text, cause: { code, object, text, details } }];
}

function unsettledOf(writers: readonly string[], { node }: WaitContext): Related | undefined {
  return writers.map((key) => node(key)).find((found) => found !== undefined && !isSettled(found.state));
}

function credentialWaits(node: Related, context: WaitContext): Wait[] {
  const { credential, name: { namespace }, ready } = node;
  if (!credential) return [];
  const { scope, state, missingKeys, writers } = credential;
  const secret = scope === 'controller' ? { namespace, name: NAMESPACE_SECRET } : credential.secret ?? { namespace, name: NAMESPACE_SECRET };
  const object = secretIdOf(secret.namespace, secret.name);
  const title = objectTitleOf(object);
  if (state === 'incomplete') {
    const text = `the credential ${title} has no ${listed(missingKeys.map((key) => `key ${key}`))}`;
    return [end('credential', { code: 'CredentialIncomplete', object, text, details: { keys: missingKeys.join(', ') } })];
  }
  if (ready?.reason === 'CredentialInvalid' || state === 'unknown') return [];
  if (state === 'found') return [controllerWait(node, context.index) ?? end('credential', { code: 'Resolved', object: node.name, text: `the credential ${title} is there now` })];
  const writer = unsettledOf(writers, context);
  if (writer) return [{ for: 'credential', object, node: writer.key, text: `the credential ${title} is written by ${objectTitleOf(writer.name)}, which is not Ready` }];
  if (context.index.isTerminating(namespace)) return [terminating(namespace, `the credential ${title} is gone, and cannot be created again`)];
  const details = { scope };
  if (state === 'deleting') return [end('credential', { code: 'CredentialMissing', object, text: `the credential ${title} is being deleted`, details })];
  const text = scope === 'controller'
    ? `there is no credential: neither ${title} nor one of the controller's settings`
    : `the credential ${title} does not exist`;
  return [end('credential', { code: 'CredentialMissing', object, text, details })];
}

/** The controller does not see a kind. */
function unknownKindWaits(node: Related, message: string, { index }: WaitContext): Wait[] {
  const [, kind, group] = NOT_SERVED.exec(message) ?? [];
  if (kind !== undefined && group !== undefined) {
    const target = [node.ownerFacts?.object, ...node.referenceFacts.map(({ object }) => object)].find((one) => one?.kind === kind);
    const object: ObjectId = target ?? { group, kind, namespace: node.name.namespace, name: '' };
    const served = index.snapshot.serves(object.group, kind);
    if (served === true) return [];
    const text = `the cluster does not serve ${kind}.${object.group}: its CRD is not installed`;
    return [end('kind', { code: 'KindNotServed', object: { ...object, name: object.name || crdName(object) }, text })];
  }
  const leftOut = LEFT_OUT.exec(message)?.[1];
  if (leftOut !== undefined) return [end('controller', { code: 'NotWatched', object: node.name, text: `the controller leaves ${leftOut} out (--kinds)` })];
  return [];
}

function crdName({ group, kind }: ObjectId): string {
  return Catalog.default().kind(group, kind)?.crdName ?? `${kind}.${group}`;
}

function turnWaits({ ready }: Related, { named }: WaitContext): Wait[] {
  const [, kind, namespace, name] = TURN_OF.exec(ready?.message ?? '') ?? [];
  if (kind === undefined || namespace === undefined || name === undefined) return [];
  const key = named(kind, namespace, name)[0];
  if (key === undefined) return [];
  return [{ for: 'turn', node: key, text: `Azure takes one write at a time, and ${kind} ${namespace}/${name} comes first` }];
}

function deletionWaits(node: Related, context: WaitContext): Wait[] {
  const { object, ready, name, key } = node;
  const finalizers = object.metadata.finalizers ?? [];
  if (!finalizers.includes(FINALIZER)) {
    if (finalizers.includes(FOREGROUND)) {
      const child = context.childrenOf(key).map((one) => context.node(one)).find((one) => one !== undefined);
      if (child) return [{ for: 'deletion', object: child.name, node: child.key, text: `it is deleted after what it owns, and ${objectTitleOf(child.name)} is still there` }];
    }
    const foreign = finalizers.filter((finalizer) => finalizer !== FOREGROUND);
    if (foreign.length === 0) return [];
    const text = `${objectTitleOf(name)} is kept by the ${plural(foreign.length, 'finalizer')} ${listed(foreign)}, of another program`;
    return [end('deletion', { code: 'ForeignFinalizer', object: name, text, details: { finalizer: foreign[0] ?? '' } })];
  }
  const { message = '' } = ready ?? {};
  if (ready && isTurn(ready)) return turnWaits(node, context);
  if (ready && (isNoCredential(ready) || ready.reason === 'CredentialInvalid')) return credentialWaits(node, context);
  const users = IN_USE.exec(message)?.[1];
  if (users !== undefined) return userWaits(node, users, context);
  const isIdle = ready?.severity !== 'Warning' && ready?.severity !== 'Error';
  const controller = isIdle ? controllerWait(node, context.index) : undefined;
  return controller ? [controller] : [];
}

/** The objects that a deletion waits for, as the condition names them. */
function userWaits({ name }: Related, users: string, { named, node }: WaitContext): Wait[] {
  const staying = NOT_DELETED.exec(users)?.[1];
  const found = [...(staying ?? users).matchAll(/\b([A-Z]\w+) ([a-z0-9][a-z0-9.-]*)/g)]
    .flatMap(([, kind, user]) => (kind === undefined || user === undefined ? [] : named(kind, name.namespace, user)))
    .map((key) => node(key)).filter((one) => one !== undefined);
  if (staying !== undefined) {
    const text = `${objectTitleOf(name)} is being deleted, and objects that are not still need it: ${staying}`;
    return [end('deletion', { code: 'StillInUse', object: found[0]?.name ?? name, text, details: { needed: objectTitleOf(name) } })];
  }
  return found.map((user) => ({ for: 'deletion', object: user.name, node: user.key, text: `it is deleted after ${objectTitleOf(user.name)}, which needs it for its own deletion` }));
}

function end(kind: Wait['for'], cause: CauseFacts): Wait {
  return { for: kind, object: cause.object, text: cause.text, cause };
}

