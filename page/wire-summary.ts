import type { PageSource } from './source';
import type { WireCause, WireSummary } from './wire';
import { causeId, plainText } from './wire-node';
import { controllerTexts, unreadTexts, type Cause, type Inspection } from '../engine/inspect';
import { objectTitleOf } from '../src/object-id';

/** Causes that the page lists. */
const MOST_CAUSES = 200;
const LONGEST_CAUSE = 300;

export function wireSummary({ title, problem }: Pick<PageSource, 'title' | 'problem'>, inspection: Inspection): WireSummary {
  const { causes, controllers, now } = inspection;
  // An object that is being worked on and stops no other needs nothing.
  const urgent = causes.filter(({ severity, nodes, node }) => severity !== 'Info' || nodes.some((key) => key !== node));
  return {
    title,
    asOf: now,
    ...(problem === undefined ? {} : { problem: plainText(problem) }),
    controllers: controllerTexts(controllers).map((text) => plainText(text, LONGEST_CAUSE)),
    unread: unreadTexts(inspection.unread).map((line) => plainText(line, LONGEST_CAUSE)),
    causes: urgent.slice(0, MOST_CAUSES).map((cause) => wireCause(cause, inspection)),
    moreCauses: Math.max(0, urgent.length - MOST_CAUSES),
  };
}

function wireCause({ id, severity, object, text, code, node: key, nodes, reason }: Cause, { byKey }: Inspection): WireCause {
  const node = key === undefined ? undefined : byKey.get(key);
  const told = code === 'Condition' && node ? [reason, node.message].filter(Boolean).join(': ') : text;
  return {
    id: causeId(id),
    severity: node?.state === 'Error' ? 'Error' : severity,
    title: plainText(objectTitleOf(object), LONGEST_CAUSE),
    text: plainText(told, LONGEST_CAUSE),
    node: key,
    count: nodes.length,
  };
}
