import { durationText } from './duration-text';
import type { ControllerOfObject } from './explain';
import type {
  ControllerFacts,
  CredentialFacts,
  Inspection,
  InspectionNode,
  OperationFacts,
  PolicyFacts,
  ReferenceFacts,
  Unread,
} from './types';
import { objectKeyOf, objectTitleOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { groupBy } from '../../src/util/group-by';
import { counted, firstOf, listed } from '../../src/util/words';

// Texts quote what clusters hold: whoever prints them takes control characters out.

/** State and reason in few words: `Ready`, `Waiting (WaitingForOwner)`, `Warning (AuthorizationFailed)`. */
export function stateText({ state, reason, severity }: Pick<InspectionNode, 'state' | 'reason' | 'severity'>): string {
  const isClear = state === 'Ready' || state === 'Suspended' || state === 'Unclaimed' || state === 'Stale' || reason === state || reason === '';
  if (isClear) return state === 'Deleting' && severity !== undefined && severity !== 'Info' ? `${state} (${reason})` : state;
  return `${state} (${reason})`;
}

/** `cdk8s-aso 1.2.0 in azureserviceoperator-system, 1 pod ready` */
function controllerText({ namespace, product, version, readyReplicas, leader, isRunning, reconciles }: ControllerFacts): string {
  const name = [product ?? 'a controller', version].filter(Boolean).join(' ');
  const pods = readyReplicas === undefined ? [] : [readyReplicas === 0 ? 'no pod ready' : `${counted(readyReplicas, 'pod')} ready`];
  const state = [
    ...pods,
    ...(leader === undefined || leader === '' ? [] : [`leader ${leader}`]),
    ...(isRunning === false ? ['not running'] : []),
    ...(reconciles ? [] : ['webhooks only']),
  ];
  return `${name} in ${namespace}${state.length > 0 ? `, ${state.join(', ')}` : ''}`;
}

/** A text for all kinds that could not be read for the same cause. */
export function unreadTexts(unread: readonly Unread[]): string[] {
  const byCause = groupBy(unread, ({ why, group }) => `${mayBeInCatalog(group) ? 'azure' : ''} ${withoutKind(why)}`);
  return [...byCause.values()].map((alike) => {
    const [{ why, namespace } = { why: '' }] = alike;
    const kinds = [...new Set(alike.map(({ kind, group }) => (group === '' ? kind : `${kind}.${group}`)))];
    const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
    return `not read: ${firstOf(kinds, 3)}${where}: ${why}`;
  });
}

/** The cause without the names that it quotes, so that equal ones are told once. */
function withoutKind(why: string): string {
  return why.replace(/"[^"]*"|(?<![\w.])[\w.]{1,100}\.(azure\.com|aso\.cdk8s\.io)/g, '');
}

/** The state of the target of a reference in words: `does not exist`; with the objects that write the value. */
export function referenceNote({ object, armId, state, writers }: ReferenceFacts, byKey: Inspection['byKey']): string {
  const node = object === undefined ? undefined : byKey.get(objectKeyOf(object));
  const note = {
    resolved: node === undefined ? 'is there' : `has an id, ${stateText(node)}`,
    external: armId === undefined ? 'is a known name' : 'is an ARM id',
    missing: 'does not exist',
    unclaimed: 'has no ARM id yet',
    keyMissing: 'has no such key',
    notServed: 'cannot exist: the cluster does not serve its kind',
    unknown: 'was not read',
  }[state];
  const by = writers.map((writer) => byKey.get(writer)).filter((writer) => writer !== undefined);
  return by.length === 0 ? note : `${note}; written by ${firstOf(by.map((writer) => `${writer.kind} ${writer.name} (${stateText(writer)})`), 2)}`;
}

/** The target of a reference: `Secret shop/login, key password`, or an ARM id. */
export function referenceTarget({ object, armId, wellKnownName, key }: ReferenceFacts): string {
  return object === undefined ? armId ?? wellKnownName ?? '' : `${objectTitleOf(object)}${key === undefined ? '' : `, key ${key}`}`;
}

/** The reason why an owner is not among the nodes: `does not exist`. */
export function ownerNote({ state }: NonNullable<InspectionNode['owner']>): string {
  return { missing: 'does not exist', notServed: 'cannot exist: the cluster does not serve its kind', unreadable: 'could not be read', found: '', external: '' }[state];
}

/** The controller of an object, with the version that last reconciled it. */
export function controllerOfText({ namespace, facts, version }: ControllerOfObject, { controllers }: Pick<Inspection, 'controllers'>): string {
  const by = version === undefined ? '' : `; last reconciled by version ${version}`;
  if (facts) return `${controllerText(facts)}${by}`;
  if (namespace === undefined) return controllers === undefined ? 'not known: Deployments and Leases could not be read' : 'none has looked at it';
  const seen = controllers === undefined ? 'whether it runs is not known' : 'no Deployment or Lease of it is in the cluster';
  return `the one of namespace ${namespace} (annotation operator-namespace); ${seen}${by}`;
}

/** The controllers of a cluster, a text each; one about their absence if there is none. */
export function controllerTexts(controllers: Inspection['controllers']): string[] {
  if (controllers === undefined) return ['not known, since neither Deployments nor Leases may be read'];
  if (controllers.length === 0) return ['none in the cluster, as far as Deployments and Leases show'];
  return controllers.map(controllerText);
}

export function credentialText({ scope, secret, state, missingKeys, mode, subscriptionId }: CredentialFacts): string {
  const name = secret === undefined ? '' : ` Secret ${secret.namespace}/${secret.name}`;
  const from = {
    object: `of the object (annotation credential-from):${name}`,
    namespace: `of the namespace:${name}`,
    controller: `of the controller${name === '' ? '' : `:${name}`}`,
  }[scope];
  const facts = [mode, subscriptionId === undefined ? undefined : `subscription ${subscriptionId}`].filter((fact) => fact !== undefined);
  const note = {
    found: `is there, with all required keys${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`,
    incomplete: `has no ${listed(missingKeys.map((key) => `key ${key}`))}`,
    missing: 'does not exist',
    deleting: 'is being deleted',
    unknown: 'was not read',
    given: 'is not read here',
  }[state];
  return `${from} ${note}`;
}

export function policyText({ policy, from, invalid, isAssumed }: PolicyFacts): string {
  const origin = { object: 'annotation of the object', namespace: 'annotation of the namespace', controller: 'the default; the controller may have another (DEFAULT_RECONCILE_POLICY)' }[from];
  const wrong = invalid === undefined ? '' : `; '${invalid}' is no policy`;
  return `${policy} (${origin}${wrong}${isAssumed ? '; the namespace could not be read' : ''})`;
}

export function operationText({ method, since, longestMs, timeoutMs }: OperationFacts, now: number): string {
  const age = since === undefined ? '' : `, since ${durationText(now - since)}`;
  const usual = longestMs === undefined ? 'no such operation was recorded' : `the longest that was recorded took ${durationText(longestMs)}`;
  return `a ${method} is under way in Azure${age}; ${usual}, overdue after ${durationText(timeoutMs)}`;
}

export function deletionText({ since, finalizers }: NonNullable<InspectionNode['deletion']>, now: number): string {
  const age = since === undefined ? '' : `since ${durationText(now - since)}, `;
  return `${age}${finalizers.length === 0 ? 'no finalizer is left' : `kept by ${listed(finalizers)}`}`;
}
