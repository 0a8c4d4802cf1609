import { rootCauses, type Causes } from './causes';
import { credentialFacts, operationFacts, ownerFacts, policyFacts, referenceFacts } from './relations';
import { SnapshotIndex } from './snapshot-index';
import { isBehind, stateOf } from './state';
import { NODE_STATES, type Inspection, type InspectionNode, type NodeState, type PolicyFacts, type Snapshot, type Wait } from './types';
import { waitsOf, type Related, type WaitContext } from './waits';
import { OPERATOR_NAMESPACE, RESOURCE_ID } from '../../src/azure/annotations';
import { objectKeyOf } from '../../src/object-id';

/**
 * The state of all objects of a cluster, their waits, and the one cause of each wait. Pure: everything comes from the snapshot.
 * The time is linear in the number of objects and references.
 */
export function inspect(snapshot: Snapshot): Inspection {
  const index = new SnapshotIndex(snapshot);
  const policies = new Map<string, PolicyFacts>();
  const related = index.facts.map((facts): Related => {
    const policy = policyFacts(facts, index);
    policies.set(facts.key, policy);
    return {
      ...facts,
      state: stateOf(facts, policy),
      ownerFacts: ownerFacts(facts, index),
      referenceFacts: referenceFacts(facts, index),
      credential: facts.version && credentialFacts(facts, index),
    };
  });
  related.sort(byName);
  const context = contextOf(related, index);
  const waits = new Map(related.map((node) => [node.key, waitsOf(node, context)]));
  const causes = rootCauses(related.map((one) => ({ related: one, waits: waits.get(one.key) ?? [] })));
  const nodes = related.map((node) => nodeOf(node, policies.get(node.key)!, waits.get(node.key) ?? [], causes, context));
  return {
    now: snapshot.now,
    nodes,
    byKey: new Map(nodes.map((node) => [node.key, node])),
    roots: rootsOf(nodes),
    causes: causes.all,
    states: statesOf(nodes),
    controllers: snapshot.controllers,
    unread: snapshot.unread,
  };
}

function contextOf(related: readonly Related[], index: SnapshotIndex): WaitContext {
  const byKey = new Map(related.map((one) => [one.key, one]));
  const children = new Map<string, string[]>();
  const names = new Map<string, string[]>();
  for (const { key, name, ownerFacts: owner } of related) {
    push(names, `${name.kind}/${name.namespace}/${name.name}`, key);
    if (owner?.object && owner.state === 'found') push(children, objectKeyOf(owner.object), key);
  }
  return {
    index,
    node: (key) => byKey.get(key),
    childrenOf: (key) => children.get(key) ?? [],
    named: (kind, namespace, name) => names.get(`${kind}/${namespace}/${name}`) ?? [],
  };
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

function nodeOf(node: Related, policy: PolicyFacts, waits: readonly Wait[], causes: Causes, { childrenOf }: WaitContext): InspectionNode {
  const { name, key, object, version, ready, state } = node;
  const { annotations, labels, uid, generation, creationTimestamp, deletionTimestamp, finalizers } = object.metadata;
  const since = isBehind(node) ? undefined : time(ready?.lastTransitionTime);
  // Member by member: a spread would triple the time.
  return {
    group: name.group,
    kind: name.kind,
    namespace: name.namespace,
    name: name.name,
    key,
    apiVersion: object.apiVersion,
    uid,
    labels: labels ?? {},
    armId: annotations?.[RESOURCE_ID],
    armType: version?.facts.arm?.type,
    state,
    severity: ready?.status === 'True' ? undefined : ready?.severity,
    reason: ready?.reason ?? '',
    message: ready?.message ?? '',
    since: since ?? (state === 'Deleting' ? time(deletionTimestamp) : undefined) ?? time(creationTimestamp),
    createdAt: time(creationTimestamp),
    generation,
    observedGeneration: ready?.observedGeneration,
    isClaimed: node.isClaimed,
    owner: node.ownerFacts,
    children: childrenOf(key),
    references: node.referenceFacts,
    policy,
    credential: node.credential,
    operatorNamespace: annotations?.[OPERATOR_NAMESPACE],
    operation: operationFacts(node),
    deletion: deletionTimestamp === undefined ? undefined : { since: time(deletionTimestamp), finalizers: finalizers ?? [] },
    waits,
    cause: causes.of.get(key),
  };
}

/** Nodes without an owner among the nodes, and one of each cycle of owners. */
function rootsOf(nodes: readonly InspectionNode[]): string[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const roots = nodes.filter(({ owner }) => owner?.state !== 'found').map(({ key }) => key);
  const reached = new Set<string>();
  reach(roots, byKey, reached);
  for (const { key } of nodes) {
    if (reached.has(key)) continue;
    roots.push(key);
    reach([key], byKey, reached);
  }
  return roots;
}

function reach(start: readonly string[], byKey: ReadonlyMap<string, InspectionNode>, reached: Set<string>): void {
  const open = [...start];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    for (const child of byKey.get(key)?.children ?? []) open.push(child);
  }
}

function statesOf(nodes: readonly InspectionNode[]): Record<NodeState, number> {
  const states = Object.fromEntries(NODE_STATES.map((state) => [state, 0])) as Record<NodeState, number>;
  for (const { state } of nodes) states[state] += 1;
  return states;
}

function time(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? undefined : at;
}

function byName({ name: a }: Related, { name: b }: Related): number {
  return compare(a.namespace, b.namespace) || compare(a.kind, b.kind) || compare(a.name, b.name) || compare(a.group, b.group);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
