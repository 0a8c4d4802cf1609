import { about, durationText, expectedTimeOf, READ_SECONDS } from './expected-time';
import { withSerialWrites, type SerialNode } from './serial-times';
import { CredentialSelection } from '../../src/core/credentials/scopes/credential-selection';
import { longestPath } from '../../src/core/graph/critical-path';
import { dependencyOrder } from '../../src/core/graph/dependency-order';
import { GraphRole, type GraphNode } from '../../src/core/graph/facts';
import type { Graph } from '../../src/core/graph/graph';
import { graphKeyOf } from '../../src/core/graph/graph-object';
import type { ObjectSet } from '../../src/core/rules/object-set';
import { isAzure, type AzureObject } from '../../src/core/rules/set-object';
import { elementAt } from '../../src/util/elements';
import { graphOfManifests } from '../graph/manifest-graph';
import type { Manifest } from '../manifests/manifests';
import { objectSetOf } from '../manifests/object-set';

/** When the resources of files are expected to be Ready, counted from the moment when all are applied and none is in Azure yet. */
export interface ReadyTimes {
  /** Until the last one is. */
  readonly seconds: number;
  /** The chain of resources that takes longest, first to last. */
  readonly path: readonly GraphNode[];
  /** Key of a node → seconds until it is Ready. A node that waits for ever is not in it. */
  readonly readyAfter: ReadonlyMap<string, number>;
  /** How many resources are of a type of which no time was recorded. */
  readonly guessed: number;
}

const DEFAULT_NAMESPACE = 'default';

/** The key that the graph of files has for an object. */
export function nodeKeyOf({ group, kind, namespace, name }: Pick<AzureObject, 'group' | 'kind' | 'namespace' | 'name'>): string {
  return graphKeyOf(group, kind, namespace ?? DEFAULT_NAMESPACE, name);
}

/**
 * Adds up what Azure takes along the chains of resources that wait for each other; the controller and the limits of Azure cost nothing
 * here.
 */
export function readyTimes(
  manifests: readonly Manifest[], given?: Graph, set: ObjectSet = objectSetOf(manifests),
): ReadyTimes {
  const graph = given ?? graphOfManifests(manifests, {}, set).graph;
  const nodes = graph.nodes.filter(({ role, external }) => role === GraphRole.RESOURCE && !external);
  const indexes = new Map(nodes.map(({ key }, index) => [key, index]));
  const onlyRead = new Set(set.azure.filter((object) => set.policyOf(object) === 'skip').map(nodeKeyOf));
  const waits = nodes.map(({ key }) => new Set(graph.dependenciesOf(key).flatMap((other) => indexes.get(other.key) ?? [])));
  const weights = nodes.map(({ key, armType }) =>
    onlyRead.has(key) || armType === undefined ? READ_SECONDS : expectedTimeOf(armType).seconds,
  );
  const waiting = ordered(waits, credentialWriters(set, indexes));
  const serial = serialNodes(nodes, set, indexes, onlyRead);
  const { order, dependencies } = withSerialWrites(serial, waiting.order, waiting.dependencies, weights);

  const readyAfter = new Map<string, number>();
  const ends = new Map<number, number>();
  for (const index of order) {
    const end = Math.max(0, ...[...elementAt(dependencies, index)].map((other) => ends.get(other) ?? 0)) + elementAt(weights, index);
    ends.set(index, end);
    readyAfter.set(elementAt(nodes, index).key, end);
  }
  const path = longestPath(order, dependencies, weights);
  return {
    seconds: path.reduce((sum, index) => sum + elementAt(weights, index), 0),
    path: path.map((index) => elementAt(nodes, index)),
    readyAfter,
    guessed: nodes.filter(({ key, armType }) => !onlyRead.has(key) && armType !== undefined && !expectedTimeOf(armType).isRecorded).length,
  };
}

/**
 * `Ready after about 5 min 33 s: ResourceGroup shop → …`; empty where there is nothing to wait for.
 * @param limited the time with Azure's limits of requests, which may be longer
 */
export function readyText(
  { seconds, path, guessed }: ReadyTimes, limited?: { readonly seconds: number; readonly boundBy?: string }, most = MOST_NAMED,
): string {
  if (path.length === 0) return '';
  const all = Math.max(seconds, limited?.seconds ?? 0);
  const bound = all > seconds && limited?.boundBy ? `, as Azure takes no more ${limited.boundBy}; without limits ${durationText(seconds)}` : '';
  const names = path.map(({ kind, name }) => `${kind} ${name}`);
  const named = names.length <= most ? names : [...names.slice(0, most - 2), `… ${names.length - most + 1} more …`, names.at(-1)!];
  const caveat = guessed === 0 ? '' : ` (${guessed} of a type of which no time is known)`;
  return `Ready after ${about(all)}${bound}: ${named.join(' → ')}${caveat}.`;
}

const MOST_NAMED = 8;

/** Objects whose credential other objects of the set write wait for those. Key's index → indexes of the writers. */
function credentialWriters(set: ObjectSet, indexes: ReadonlyMap<string, number>): Map<number, number[]> {
  const selection = new CredentialSelection(set);
  const found = new Map<number, number[]>();
  for (const object of set.azure) {
    const index = indexes.get(nodeKeyOf(object));
    const { credential } = selection.of(object);
    if (index === undefined || !credential) continue;
    const writers = [credential.propagatedFrom, ...credential.sources.flatMap(({ object: writer }) => writer ?? [])];
    const others = writers.flatMap((writer) => (writer && isAzure(writer) ? indexes.get(nodeKeyOf(writer)) ?? [] : []));
    if (others.length > 0) found.set(index, others.filter((other) => other !== index));
  }
  return found;
}

/** A resource that is only read needs no write lock. */
function serialNodes(
  nodes: readonly GraphNode[],
  set: ObjectSet,
  indexes: ReadonlyMap<string, number>,
  onlyRead: ReadonlySet<string>,
): SerialNode[] {
  const objects = new Map(set.azure.map((object) => [nodeKeyOf(object), object]));
  return nodes.map(({ key, armType }) => {
    const object = objects.get(key);
    const owner = object && set.ownerOf(object);
    const index = owner && indexes.get(nodeKeyOf(owner));
    return { ...(onlyRead.has(key) ? {} : { armType }), owner: index ?? object?.facts.owner?.armId?.toLowerCase() };
  });
}

interface Waiting {
  readonly order: readonly number[];
  readonly dependencies: readonly ReadonlySet<number>[];
}

/** Where a credential's writer needs that credential itself, somebody else has to have written it before: nothing waits for it. */
function ordered(waits: readonly Set<number>[], writers: ReadonlyMap<number, readonly number[]>): Waiting {
  const without = dependencyOrder(waits).order;
  const all = waits.map((some, index) => new Set([...some, ...(writers.get(index) ?? [])]));
  const { order } = dependencyOrder(all);
  return order.length < without.length ? { order: without, dependencies: waits } : { order, dependencies: all };
}
