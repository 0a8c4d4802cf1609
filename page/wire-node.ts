import { createHash } from 'node:crypto';
import type { WireLink, WireNode } from './wire';
import { type Inspection, type InspectionNode } from '../engine/inspect';
import { redactTokens } from '../engine/redact';
import { visibleText } from '../src/azure/visible-text';
import { type ObjectId, objectKeyOf, objectTitleOf } from '../src/object-id';
import { shortened } from '../src/util/words';

/** Longest message in the tree; the panel of a node has all of it. */
const LONGEST_MESSAGE = 240;
/** Longest message anywhere. */
const LONGEST_TEXT = 20_000;

/** A text of the cluster on one line, without secrets, and without characters that hide others. */
export function plainText(text: string, longest = LONGEST_TEXT): string {
  // Cut before the search for secrets, so that a long text costs no time; the rest of a secret that was cut is found as well.
  if (text === '') return '';
  return shortened(visibleText(redactTokens(shortened(text, LONGEST_TEXT)).replace(/\s+/g, ' ').trim()), longest);
}

export function wireNode(node: InspectionNode, { byKey }: Pick<Inspection, 'byKey'>): WireNode {
  const { key, group, kind, namespace, name, state, severity, reason, message, since, cause } = node;
  const owner = node.owner?.object === undefined ? undefined : objectKeyOf(node.owner.object);
  return {
    key,
    group,
    kind,
    namespace,
    name,
    state,
    severity,
    reason: plainText(reason, LONGEST_MESSAGE),
    message: state === 'Ready' ? '' : plainText(message, LONGEST_MESSAGE),
    since,
    owner: owner !== undefined && byKey.has(owner) ? owner : undefined,
    ...(cause === undefined ? {} : { cause: causeId(cause) }),
  };
}

/** The id of a cause, which quotes reasons of any length, as a short word for addresses. */
export function causeId(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16);
}

/** A link to a node by its name, where there is such a node. */
export function linkOf(name: ObjectId, { byKey }: Pick<Inspection, 'byKey'>, note?: string): WireLink {
  const node = byKey.get(objectKeyOf(name));
  if (node) return nodeLink(node, note);
  return { title: plainText(objectTitleOf(name)), ...(note === undefined ? {} : { note }) };
}

export function nodeLink(node: InspectionNode, note?: string): WireLink {
  return { title: plainText(objectTitleOf(node)), key: node.key, state: node.state, ...(note === undefined ? {} : { note }) };
}
