import { type Explanation, type Inspection } from '../../engine/inspect';
import { objectTitleOf } from '../../src/object-id';
import { causeJson, isoTime, nodeJson } from '../status/status-json';

/** The explanation for programs. Times are in ISO 8601. */
export function whyJson(explanation: Explanation, inspection: Inspection): object {
  const { node, owners, chain, cause, advice, next, nextOfCause, answer, events, controller } = explanation;
  return {
    time: isoTime(inspection.now),
    object: nodeJson(node),
    cause: cause && causeJson(cause, inspection),
    chain: chain.map(({ title, node: link, wait }) => ({
      object: title, state: link?.state, reason: link?.reason, waits: wait && { for: wait.for, text: wait.text },
    })),
    next: next && { ...next, before: isoTime(next.before) },
    nextOfCause: nextOfCause && { ...nextOfCause, before: isoTime(nextOfCause.before) },
    advice,
    owners: owners.map((owner) => ({ object: objectTitleOf(owner), state: owner.state, reason: owner.reason })),
    controller,
    answer: answer && { of: objectTitleOf(answer.of), ...answer.answer, at: isoTime(answer.answer.at) },
    events: events.map((event) => ({ ...event, last: isoTime(event.last) })),
    unread: inspection.unread,
  };
}
