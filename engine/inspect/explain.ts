import { adviceFor } from './advice/advice';
import type { Advice } from './advice/context';
import { lastAnswerOf, type AzureAnswer } from './events';
import { nextTry, type NextTry } from './next-try';
import type { Cause, ControllerFacts, EventFacts, Inspection, InspectionNode, Wait } from './types';
import { LAST_VERSION_LABEL } from '../../src/azure/annotations';
import { objectKeyOf, objectTitleOf } from '../../src/object-id';

/** A link of the chain from an object to its root cause. */
export interface ChainLink {
  /** Undefined at the end, where the object is missing or is none of Azure's. */
  readonly node?: InspectionNode | undefined;
  readonly title: string;
  /** The wait that leads to the next link. */
  readonly wait?: Wait | undefined;
}

/** Why an object is as it is, and what to do. */
export interface Explanation {
  readonly node: InspectionNode;
  /** Its owners, the nearest first. */
  readonly owners: readonly InspectionNode[];
  /** From the object to the cause; the object alone if nothing stops it. */
  readonly chain: readonly ChainLink[];
  /** Undefined: it is settled. */
  readonly cause?: Cause | undefined;
  readonly advice?: Advice | undefined;
  readonly next?: NextTry | undefined;
  /** Of the object of the cause, if that is another node. */
  readonly nextOfCause?: NextTry | undefined;
  /** Azure's last failed answer: of the object, or of the object of the cause. */
  readonly answer?: { readonly of: InspectionNode; readonly answer: AzureAnswer } | undefined;
  /** The newest first. */
  readonly events: readonly EventFacts[];
  readonly controller: ControllerOfObject;
}

export interface ControllerOfObject {
  /** Annotation `operator-namespace`. */
  readonly namespace?: string | undefined;
  readonly facts?: ControllerFacts | undefined;
  /** The version that last reconciled it. */
  readonly version?: string | undefined;
}

/** A chain is never longer than its nodes; the limit ends one that leads into a cycle. */
const LONGEST_CHAIN = 100;
const MOST_OWNERS = 32;

/**
 * Explains one object of an inspection.
 * @param events by the uid of their object
 */
export function explain(
  inspection: Inspection, node: InspectionNode, events: ReadonlyMap<string, readonly EventFacts[]> = new Map(),
): Explanation {
  const cause = inspection.causes.find(({ id }) => id === node.cause);
  const eventsOf = ({ uid }: InspectionNode) => (uid === undefined ? undefined : events.get(uid)) ?? [];
  const ofCause = cause?.node === undefined || cause.node === node.key ? undefined : inspection.byKey.get(cause.node);
  const answer = answerOf([node, ofCause], eventsOf);
  const chain = chainOf(node, cause, inspection);
  const direct = chain.findLast((link) => link.node !== undefined && link.wait?.cause !== undefined);
  const nextOf = (one: InspectionNode) => nextTry(one, cause, inspection.now, answer?.of === one ? answer.answer.status : undefined);
  return {
    node,
    owners: ownersOf(node, inspection),
    chain,
    cause,
    advice: cause && adviceFor(asSeenFrom(cause, direct), inspection, direct?.node),
    next: cause && nextOf(node),
    nextOfCause: ofCause && ofCause.cause === cause?.id ? nextOf(ofCause) : undefined,
    answer,
    events: eventsOf(node),
    controller: controllerOf(node, inspection),
  };
}

/** Several objects may wait for one cause, each by a property of its own. */
function asSeenFrom(cause: Cause, direct: ChainLink | undefined): Cause {
  const details = direct?.wait?.cause?.details;
  return details === undefined ? cause : { ...cause, details };
}

/** An answer that is older than the success after it says nothing any more. */
function answerOf(
  nodes: readonly (InspectionNode | undefined)[], eventsOf: (node: InspectionNode) => readonly EventFacts[],
): Explanation['answer'] {
  for (const of of nodes) {
    if (of === undefined || of.state === 'Ready' || of.state === 'Suspended') continue;
    const answer = lastAnswerOf(eventsOf(of));
    if (answer) return { of, answer };
  }
  return undefined;
}

function ownersOf(node: InspectionNode, { byKey }: Inspection): InspectionNode[] {
  const owners: InspectionNode[] = [];
  for (let next = ownerOf(node, byKey); next && !owners.includes(next) && owners.length < MOST_OWNERS; next = ownerOf(next, byKey)) {
    owners.push(next);
  }
  return owners;
}

function ownerOf({ owner }: InspectionNode, byKey: ReadonlyMap<string, InspectionNode>): InspectionNode | undefined {
  return owner?.object && byKey.get(objectKeyOf(owner.object));
}

function chainOf(start: InspectionNode, cause: Cause | undefined, { byKey }: Inspection): ChainLink[] {
  const chain: ChainLink[] = [];
  const seen = new Set<string>();
  for (let node: InspectionNode | undefined = start; node && chain.length < LONGEST_CHAIN;) {
    const [wait]: readonly Wait[] = node.waits;
    chain.push({ node, title: objectTitleOf(node), wait });
    if (seen.has(node.key)) return chain;
    seen.add(node.key);
    node = wait?.cause === undefined && wait?.node !== undefined ? byKey.get(wait.node) : undefined;
  }
  const last = chain.at(-1);
  if (cause && cause.code !== 'Cycle' && last?.title !== objectTitleOf(cause.object)) chain.push({ title: objectTitleOf(cause.object) });
  return chain;
}

function controllerOf({ operatorNamespace, labels }: InspectionNode, { controllers = [] }: Inspection): ControllerOfObject {
  const all = controllers.filter(({ reconciles }) => reconciles);
  const facts = operatorNamespace === undefined
    ? (all.length === 1 ? all[0] : undefined)
    : all.find(({ namespace }) => namespace === operatorNamespace);
  return { namespace: operatorNamespace, facts, version: labels[LAST_VERSION_LABEL] };
}
