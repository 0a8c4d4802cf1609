import { objectYaml } from './object-yaml';
import type { PageSource, ReadEvents, SentRequest } from './source';
import type { WireCondition, WireDetail, WireEvent, WireLink, WireRequest } from './wire';
import { linkOf, nodeLink, plainText, wireNode } from './wire-node';
import {
  controllerOfText,
  credentialText,
  deletionText,
  explain,
  operationText,
  ownerNote,
  policyText,
  referenceNote,
  referenceTarget,
  stateText,
  unreadTexts,
  type EventFacts,
  type Explanation,
  type Inspection,
  type InspectionNode,
  type ReferenceFacts,
  type Wait,
} from '../engine/inspect';
import type { KubernetesObject } from '../engine/kubernetes/types';
import { documentation } from '../src/documentation';
import { objectKeyOf, objectTitleOf } from '../src/object-id';
import { isRecord } from '../src/util/records';
import { asText, capitalized } from '../src/util/words';

/** Links that are sent; of the others the number. */
const MOST_LINKS = 200;
const MOST_EVENTS = 100;
const MOST_CONDITIONS = 50;

/**
 * All that is known about a node; undefined: there is no such node.
 * @param paced runs what takes the processor's time, which may be long for a large object
 */
export async function wireDetail(
  source: PageSource, key: string, paced: <T>(work: () => T) => Promise<T>,
): Promise<WireDetail | undefined> {
  const { inspection } = source;
  const node = inspection?.byKey.get(key);
  if (!inspection || !node) return undefined;
  const ofCause = inspection.causes.find(({ id }) => id === node.cause)?.node;
  const causeNode = ofCause === undefined || ofCause === key ? undefined : inspection.byKey.get(ofCause);
  const events = await source.events([node, ...(causeNode ? [causeNode] : [])]);
  return paced(() => detailOf(source, node, inspection, events));
}

function detailOf(source: PageSource, node: InspectionNode, inspection: Inspection, { events, unread }: ReadEvents): WireDetail {
  const explanation = explain(inspection, node, events);
  const object = source.object(node);
  const usedBy = usersOf(node, inspection);
  return {
    node: wireNode(node, inspection),
    message: plainText(node.message),
    ...causeOf(explanation, inspection),
    waits: node.waits.slice(1, 1 + MOST_LINKS).map((wait) => waitLink(wait, inspection)),
    conditions: conditionsOf(object),
    facts: factsOf(explanation, inspection),
    owners: ownersOf(explanation),
    children: node.children.slice(0, MOST_LINKS).flatMap((child) => links(inspection.byKey.get(child))),
    moreChildren: Math.max(0, node.children.length - MOST_LINKS),
    references: node.references.slice(0, MOST_LINKS).map((reference) => referenceLink(reference, inspection)),
    usedBy: usedBy.slice(0, MOST_LINKS),
    moreUsedBy: Math.max(0, usedBy.length - MOST_LINKS),
    events: explanation.events.slice(0, MOST_EVENTS).map(wireEvent),
    requests: source.requests ? source.requests(node).slice(0, MOST_EVENTS).map(wireRequest) : requestsOf(explanation.events),
    ...(source.requests ? { hasAllRequests: true } : {}),
    unread: unreadTexts(unread).map((line) => plainText(line)),
    yaml: object ? objectYaml(object) : '',
  };
}

function waitLink({ object, text }: Wait, inspection: Inspection): WireLink {
  return object ? linkOf(object, inspection, plainText(text)) : { title: plainText(text) };
}

function links(node: InspectionNode | undefined): WireLink[] {
  return node ? [nodeLink(node, plainText(stateText(node)))] : [];
}

function causeOf(
  { node, cause, chain, next, advice }: Explanation, inspection: Inspection,
): Pick<WireDetail, 'cause' | 'chain' | 'next' | 'advice'> {
  if (!cause) return { chain: [] };
  const waiting = cause.nodes.filter((key) => key !== cause.node && key !== node.key).length;
  return {
    cause: { text: plainText(capitalized(cause.text)), waiting },
    chain: chain.length < 2 ? [] : chain.map((link) => {
      const note = link.wait ? plainText(link.wait.text) : link.node ? plainText(stateText(link.node)) : undefined;
      return link.node ? nodeLink(link.node, note) : linkOf(cause.object, inspection, 'is not one of the objects that were read');
    }),
    ...(next ? { next: { text: plainText(next.text), ...(next.before === undefined ? {} : { before: next.before }) } } : {}),
    ...(advice ? { advice: adviceOf(advice) } : {}),
  };
}

function adviceOf({ text, commands, document }: NonNullable<Explanation['advice']>): NonNullable<WireDetail['advice']> {
  return {
    text: plainText(text),
    commands: commands.map((command) => plainText(command)),
    ...(document === undefined ? {} : { document: { title: document, url: documentation(document) } }),
  };
}

function conditionsOf(object: KubernetesObject | undefined): WireCondition[] {
  const conditions: unknown = object?.status?.conditions;
  if (!Array.isArray(conditions)) return [];
  return conditions.filter(isRecord).slice(0, MOST_CONDITIONS).map((condition) => {
    const text = (member: string) => (condition[member] === undefined ? '' : plainText(asText(condition[member])));
    const { observedGeneration } = condition;
    return {
      type: text('type'),
      status: text('status'),
      severity: text('severity'),
      reason: text('reason'),
      message: text('message'),
      since: text('lastTransitionTime'),
      ...(typeof observedGeneration === 'number' ? { observedGeneration } : {}),
    };
  });
}

function factsOf({ node, controller, answer }: Explanation, inspection: Inspection): WireDetail['facts'] {
  const { now } = inspection;
  const facts: (readonly [label: string, text: string | undefined])[] = [
    ['ARM id', node.armId],
    ['Version', node.apiVersion],
    ['Policy', policyText(node.policy)],
    ['Credential', node.credential && credentialText(node.credential)],
    ['Controller', controllerOfText(controller, inspection)],
    ['Operation', node.operation && operationText(node.operation, now)],
    ['Deletion', node.deletion && deletionText(node.deletion, now)],
    ['Generation', generationOf(node)],
    ['Azure', answer && answerText(answer, node)],
  ];
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text: plainText(text) }]));
}

function generationOf({ generation, observedGeneration }: InspectionNode): string | undefined {
  if (generation === undefined) return undefined;
  return observedGeneration === undefined || observedGeneration >= generation ? String(generation) : `${generation}; the condition is of ${observedGeneration}`;
}

function answerText({ of, answer }: NonNullable<Explanation['answer']>, node: InspectionNode): string {
  const { code, status, requestId, message } = answer;
  const whose = of.key === node.key ? '' : `of ${objectTitleOf(of)}: `;
  return `${whose}${status === undefined ? '' : `HTTP ${status} `}${code}: ${message}${requestId === undefined ? '' : ` (request id ${requestId})`}`;
}

function ownersOf({ node, owners }: Explanation): WireLink[] {
  if (owners.length > 0 || !node.owner) return owners.flatMap(links);
  const { object, armId } = node.owner;
  return [{ title: plainText(object ? objectTitleOf(object) : armId ?? ''), note: object ? ownerNote(node.owner) : 'by ARM id' }];
}

function referenceLink(reference: ReferenceFacts, inspection: Inspection): WireLink {
  const note = `${reference.path}: ${referenceNote(reference, inspection.byKey)}`;
  if (reference.object && inspection.byKey.has(objectKeyOf(reference.object))) return linkOf(reference.object, inspection, plainText(note));
  return { title: plainText(referenceTarget(reference)), note: plainText(note) };
}

/** The objects that refer to a node, or take a value that it writes. */
function usersOf({ key }: InspectionNode, { nodes }: Inspection): WireLink[] {
  return nodes.flatMap((node) => {
    const path = node.references.find(({ object, writers }) => (object && objectKeyOf(object) === key) || writers.includes(key))?.path;
    return path === undefined || node.key === key ? [] : [nodeLink(node, plainText(path))];
  });
}

function wireEvent({ type, reason, message, count, last, source }: EventFacts): WireEvent {
  return {
    type: plainText(type),
    reason: plainText(reason),
    message: plainText(message),
    count,
    last,
    ...(source === undefined ? {} : { source: plainText(source) }),
  };
}

function wireRequest({ method, action = '', at, status, requestId }: SentRequest): WireRequest {
  return { at, method: `${method}${action}`, status, requestId, count: 1 };
}

/** Failed requests, as events have them. */
function requestsOf(events: readonly EventFacts[]): WireRequest[] {
  return events.slice(0, MOST_EVENTS).flatMap(({ requestId, status, code, last, count }): WireRequest[] => {
    if (requestId === undefined && status === undefined) return [];
    return [{ at: last, status, code: plainText(code ?? ''), requestId: requestId === undefined ? undefined : plainText(requestId), count }];
  });
}
