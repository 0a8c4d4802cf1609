import type { Entry } from './board';
import { GraphRole } from '../../src/core/graph/facts';
import type { Graph } from '../../src/core/graph/graph';
import { describeObject, namespaceOf } from '../manifests/manifests';
import { oneLine } from '../output/problem';

/** Whether it makes sense to go on. */
export type Verdict = 'ready' | 'stuck' | 'going';

/** A wait of this length without an event means that none will come: an event ends the wait at once. */
export const QUIET = 5_000;

/** The dependencies of an object of the files: keys of the board, and those of objects that the files do not have. */
export type DependenciesOf = (key: string) => readonly string[];

/**
 * `ready`: all are. `stuck`: every other one is in an error that is not retried, or waits for what does not come. What waits for objects
 * that are Ready goes on as soon as the controller has heard of it: however long that takes on a busy machine, it is not stuck.
 */
export function verdictOf(entries: readonly Entry[], quietFor: number, dependenciesOf: DependenciesOf = () => []): Verdict {
  const others = entries.filter(({ state }) => state !== 'ready');
  if (others.length === 0) return 'ready';
  const final = others.filter(({ state }) => state === 'error' || state === 'refused' || state === 'gone');
  if (final.length === others.length) return 'stuck';
  const waiting = others.filter(({ state }) => state === 'waiting');
  if (final.length + waiting.length < others.length) return 'going';
  const ready = new Set(entries.filter(({ state }) => state === 'ready').map(({ key }) => key));
  const goesOn = waiting.some(({ key }) => {
    const dependencies = dependenciesOf(key);
    return dependencies.length > 0 && dependencies.every((one) => ready.has(one));
  });
  return !goesOn && quietFor >= QUIET ? 'stuck' : 'going';
}

/**
 * Keys of what an object waits for: resources, and what is outside of the files. A Secret or ConfigMap comes with the resource that exports
 * it; one of the files is there from the start.
 */
export function neededBy(graph: Graph, key: string): string[] {
  return graph.dependenciesOf(key).flatMap((node) => (
    node.external || node.role === GraphRole.RESOURCE ? [node.key] : neededBy(graph, node.key)));
}

/**
 * For `--output json`.
 *
 * @param contrary seed of the simulator's contrary mode, where it is on
 */
export function jsonOf(entries: readonly Entry[], contrary?: string): unknown[] {
  return entries.map(({ object, state, reason, message }) => ({
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: namespaceOf(object),
    name: object.metadata.name,
    ready: state === 'ready',
    reason,
    message,
    ...(contrary !== undefined && { contrary }),
  }));
}

/** One line for each object that is not Ready: object, reason, message, what to do. */
export function reasonsOf(entries: readonly Entry[]): string[] {
  return entries
    .filter(({ state }) => state !== 'ready' && state !== 'refused')
    .map((entry) => oneLine(`${describeObject(entry.object)}: ${entry.reason}${entry.message ? `: ${entry.message.replace(/\.\s*$/, '')}` : ''}; ${adviceFor(entry)}`));
}

const ADVICE: Readonly<Record<string, string>> = {
  Pending: 'no controller has looked at it yet',
  Reconciling: 'it is still being worked on: give it more time (--timeout)',
  Deleting: 'it is being deleted',
  WaitingForOwner: 'add the owner to the files, or see why the owner is not Ready',
  ReferenceNotFound: 'add the object that it refers to, or use an armId',
  SecretNotFound: 'add the Secret and its key to the files, or see why the object that exports it is not Ready',
  ConfigMapNotFound: 'add the ConfigMap and its key to the files, or see why the object that exports it is not Ready',
  AzureResourceNotFound: 'the policy is "skip" and the resource is not there: make it known with --existing',
  SubscriptionMismatch: 'use a credential of the subscription that the resource is in',
  ResourceNotFound: 'in the sandbox only what the files make exists: add it, or make it known with --existing',
  ResourceGroupNotFound: 'in the sandbox only what the files make exists: add the resource group, or make it known with --existing',
  ParentResourceNotFound: 'in the sandbox only what the files make exists: add the owner, or make it known with --existing',
  Deleted: 'somebody deleted it',
};

function adviceFor({ reason, state }: Entry): string {
  const advice = Object.hasOwn(ADVICE, reason) ? ADVICE[reason] : undefined;
  if (advice !== undefined) return advice;
  return state === 'error' ? 'correct the object: this is not retried until it changes' : 'it is retried; --timeout gives it more time';
}
