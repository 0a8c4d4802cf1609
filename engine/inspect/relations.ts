import type { ObjectFacts } from './object-facts';
import type { SnapshotIndex } from './snapshot-index';
import type { CredentialFacts, OperationFacts, OwnerFacts, PolicyFacts, ReferenceFacts, StoreAnswer } from './types';
import { CREDENTIAL_FROM, OPERATOR_NAMESPACE, POLLER_ID, POLLER_TOKEN, RECONCILE_POLICY, RESOURCE_ID } from '../../src/azure/annotations';
import { requiresCredential } from '../../src/azure/credential-required';
import type { SpecReference } from '../../src/catalog/spec-references';
import { configMapIdOf, type ObjectId, objectKeyOf, secretIdOf } from '../../src/object-id';
import { shortened } from '../../src/util/words';
import { GLOBAL_SECRET, NAMESPACE_SECRET, REQUIRED_KEYS } from '../credentials/credential-keys';
import { longestOperationMs, operationTimeoutMs } from '../kinds/operation-times';
import { DELETE_POLLER } from '../objects/annotations';
import { effectivePolicy } from '../objects/reconcile-policy';
import { waitingOf } from '../objects/waiting';
import { redactTokens } from '../redact';

/** The owner that the spec names. */
export function ownerFacts({ owner, name: { namespace } }: ObjectFacts, index: SnapshotIndex): OwnerFacts | undefined {
  if (!owner) return undefined;
  if (owner.by === 'armId') return { armId: owner.armId, state: 'external' };
  const { group, kind, name } = owner;
  const object = { group, kind, namespace, name };
  return { object, state: existence(object, index) };
}

/** Whether an Azure object is there. */
export function existence(object: ObjectId, index: SnapshotIndex): 'found' | 'missing' | 'unreadable' | 'notServed' {
  if (index.byKey.has(objectKeyOf(object))) return 'found';
  if (index.snapshot.serves(object.group, object.kind) === false) return 'notServed';
  return index.unreadOf(object.group, object.kind, object.namespace) ? 'unreadable' : 'missing';
}

export function referenceFacts({ references, name: { namespace } }: ObjectFacts, index: SnapshotIndex): ReferenceFacts[] {
  return references.map((reference) => referenceFact(reference, namespace, index));
}

function referenceFact(reference: SpecReference, namespace: string, index: SnapshotIndex): ReferenceFacts {
  const { path } = reference;
  if (reference.to === 'resource') {
    const { group, kind, name, armId, wellKnownName } = reference;
    if (!group || !kind || !name) return { path, to: 'resource', armId, wellKnownName, state: 'external', writers: [] };
    const object = { group, kind, namespace, name };
    const found = existence(object, index);
    const id = index.byKey.get(objectKeyOf(object))?.object.metadata.annotations?.[RESOURCE_ID];
    const state = found === 'found' ? (id ? 'resolved' : 'unclaimed') : found === 'unreadable' ? 'unknown' : found;
    return { path, to: 'resource', object, state, writers: [] };
  }
  const { name } = reference;
  const key = reference.to === 'secretMap' ? undefined : reference.key;
  const isConfigMap = reference.to === 'configMap';
  const object = isConfigMap ? configMapIdOf(namespace, name) : secretIdOf(namespace, name);
  const answer = isConfigMap ? index.snapshot.stores.configMap(namespace, name) : index.snapshot.stores.secret(namespace, name);
  return {
    path,
    to: isConfigMap ? 'configMap' : 'secret',
    object,
    key,
    state: stateOfValue(answer, key),
    writers: index.writersOf(isConfigMap ? 'ConfigMap' : 'Secret', namespace, name, key),
  };
}

function stateOfValue(answer: StoreAnswer, key: string | undefined): ReferenceFacts['state'] {
  if (answer === 'unknown') return 'unknown';
  if (answer === 'absent') return 'missing';
  return key === undefined || answer.keys.includes(key) ? 'resolved' : 'keyMissing';
}

/** Of a value that is no policy: an annotation may have 256 KiB. */
const LONGEST_POLICY = 100;

/** The policy of the object's annotation, else of its Namespace's, else the controller's default. */
export function policyFacts({ object, name: { namespace } }: ObjectFacts, index: SnapshotIndex): PolicyFacts {
  const read = index.namespace(namespace);
  const own = object.metadata.annotations?.[RECONCILE_POLICY];
  const inherited = read?.metadata.annotations?.[RECONCILE_POLICY];
  const { policy, unknown } = effectivePolicy(object, read, index.snapshot.defaultPolicy ?? 'manage');
  const from = unknown !== undefined ? 'controller' : own ? 'object' : inherited ? 'namespace' : 'controller';
  return {
    policy,
    from,
    ...(unknown === undefined ? {} : { invalid: redactTokens(shortened(unknown, LONGEST_POLICY)) }),
    ...(own || read ? {} : { isAssumed: true }),
  };
}

/** The credential that applies, in the order of docs/spec/credentials.md#selection. Undefined for kinds without Azure. */
export function credentialFacts({ object, name: { namespace } }: ObjectFacts, index: SnapshotIndex): CredentialFacts {
  const annotated = object.metadata.annotations?.[CREDENTIAL_FROM];
  if (annotated !== undefined) return ofSecret('object', namespace, annotated, index);
  const answer = index.snapshot.stores.secret(namespace, NAMESPACE_SECRET);
  const mayUseController = answer === 'absent' && !requiresCredential(index.namespace(namespace)?.metadata.annotations);
  if (!mayUseController) return ofSecret('namespace', namespace, NAMESPACE_SECRET, index);
  const operator = object.metadata.annotations?.[OPERATOR_NAMESPACE];
  return {
    scope: 'controller',
    ...(operator === undefined ? {} : { secret: { namespace: operator, name: GLOBAL_SECRET } }),
    state: 'given',
    missingKeys: [],
    writers: index.writersOf('Secret', namespace, NAMESPACE_SECRET),
  };
}

function ofSecret(scope: 'object' | 'namespace', namespace: string, name: string, index: SnapshotIndex): CredentialFacts {
  const answer = index.snapshot.stores.secret(namespace, name);
  const base = { scope, secret: { namespace, name }, writers: index.writersOf('Secret', namespace, name) };
  if (answer === 'unknown' || answer === 'absent') {
    return { ...base, state: answer === 'absent' ? 'missing' : 'unknown', missingKeys: [] };
  }
  const missingKeys = REQUIRED_KEYS.filter((key) => !answer.keys.includes(key));
  return {
    ...base,
    state: missingKeys.length > 0 ? 'incomplete' : answer.isDeleting ? 'deleting' : 'found',
    missingKeys,
    mode: modeOf(answer.keys, answer.authMode),
    subscriptionId: answer.subscriptionId,
  };
}

/** docs/spec/credentials.md#modes */
function modeOf(keys: readonly string[], authMode: string | undefined): string {
  if (keys.includes('AZURE_CLIENT_SECRET')) return 'client secret';
  if (keys.includes('AZURE_CLIENT_CERTIFICATE')) return 'certificate';
  if (keys.includes('AZURE_USER_ASSIGNED_IDENTITY_CREDENTIALS')) return 'identity file';
  return authMode === 'podidentity' ? 'managed identity' : 'workload identity';
}

/** The operation in Azure that the object's annotations record. */
export function operationFacts({ object, version }: ObjectFacts): OperationFacts | undefined {
  const { annotations } = object.metadata;
  if (!annotations?.[POLLER_TOKEN]) return undefined;
  const method = annotations[POLLER_ID] === DELETE_POLLER ? 'DELETE' : 'PUT';
  const armType = version?.facts.arm?.type ?? '';
  return {
    method,
    since: waitingOf(object, method === 'PUT' ? 'put' : 'delete')?.since,
    longestMs: longestOperationMs(armType, method),
    timeoutMs: operationTimeoutMs(armType, method),
  };
}
