import { CLIENT_ID, writeAnnotations, writeData, type FeedWrite } from './contents';
import { labelsOf, markFor, markOf, markText, type Mark } from './marks';
import { idsOf, missingFor } from './values';
import type { KubernetesObject } from '../../engine/kubernetes/types';
import { ACCEPTS_CREDENTIALS_FROM, acceptsFeed, feedSources, FEEDS, feedTargetText, type FeedTarget } from '../../src/azure/credential-feeds';

/** What is known about one target of an identity. */
export interface FeedView {
  readonly identity: KubernetesObject;
  readonly target: FeedTarget;
  /** Whether the controller sees the namespace of the target (`AZURE_TARGET_NAMESPACES`). */
  readonly isWatched: boolean;
  /** Metadata of the target's Namespace. */
  readonly namespace: KubernetesObject | undefined;
  /** The target as it is. */
  readonly existing: KubernetesObject | undefined;
  /** Whether somebody else whose mark the target carries still feeds it. */
  readonly isFedBy: (mark: Mark) => boolean;
}

export type Verdict =
  | FeedWrite
  /** Something is missing that will come, or not; its event starts the next look. `isUsual`: the identity's own condition tells enough. */
  | { readonly do: 'wait'; readonly why: string; readonly isUsual?: boolean }
  /** Somebody has to do something. `isRevoked`: one of both sides does not want it (any more), so what was fed is taken back. */
  | { readonly do: 'refuse'; readonly why: string; readonly isRevoked?: boolean };

/** What to do about one target. Total, and without side effects. */
export function decideFeed(view: FeedView): Verdict {
  const { identity, target, namespace, existing, isWatched } = view;
  if (!isWatched) return refuse(view, `this controller does not watch namespace ${target.namespace}: add it to AZURE_TARGET_NAMESPACES`);
  const refusal = consentMissing(identity, target, namespace);
  if (refusal !== undefined) return { ...refuse(view, refusal), isRevoked: true };
  if (!namespace && identity.metadata.namespace !== target.namespace) return wait(view, `namespace ${target.namespace} does not exist yet`);
  const ids = idsOf(identity);
  const missing = missingFor(target.kind, ids);
  if (missing.length > 0) return { ...wait(view, `the identity has no ${missing.join(', ')} yet`), isUsual: true };
  if (!existing && namespace?.metadata.deletionTimestamp) return wait(view, `namespace ${target.namespace} is being deleted`);
  const mark = markFor(identity);
  const inTheWay = existing ? othersObject(view, mark, existing) : undefined;
  if (inTheWay !== undefined) return refuse(view, inTheWay);
  if (target.kind !== 'ServiceAccount') return writeData(target, ids, mark, existing);
  return existing ? writeAnnotations(ids, mark, existing) : wait(view, 'the service account does not exist yet');
}

/** Whether both sides want it; otherwise which annotation is missing where. An identity's own namespace need not be asked. */
export function consentMissing(identity: KubernetesObject, target: FeedTarget, namespace: KubernetesObject | undefined): string | undefined {
  const { namespace: from = '', name } = identity.metadata;
  if (from === target.namespace || !namespace) return undefined;
  const text = namespace.metadata.annotations?.[ACCEPTS_CREDENTIALS_FROM] ?? '';
  const { entries, problems } = feedSources(text);
  if (acceptsFeed(entries, { namespace: from, name })) return undefined;
  const wrong = problems.length > 0 ? ` (of what its annotation says, ${problems.join('; ')})` : '';
  return `namespace ${target.namespace} does not accept it${wrong}: whoever owns the namespace annotates it with ${ACCEPTS_CREDENTIALS_FROM}: `
    + `"${[...(text ? [text] : []), `${from}/${name}`].join(',')}"`;
}

/** Why an existing object is not to be touched. */
function othersObject({ identity, target, isFedBy }: FeedView, own: Mark, existing: KubernetesObject): string | undefined {
  const mark = markOf(existing);
  if (mark && markText(mark) !== markText(own)) {
    // Of an identity that is gone, or feeds it no more, it is taken over: that is how one identity follows another.
    return isFedBy(mark) ? `identity ${markText(mark)} feeds it already: take it out of the annotation ${FEEDS} of one of the two` : undefined;
  }
  if (target.kind === 'ServiceAccount') {
    const there = existing.metadata.annotations?.[CLIENT_ID];
    if (mark || !there || there === idsOf(identity).clientId) return undefined;
    return `the service account names another identity in its annotation ${CLIENT_ID}: remove that annotation where the service account is written`;
  }
  const labels = Object.entries(labelsOf(own)).map(([key, value]) => `${key}=${value}`).join(' ');
  if (!mark) return `it exists and was not written by this controller: label it ${labels} to hand it over with what it holds now, or feed another name`;
  if (target.kind === 'Secret' && existing.type !== 'Opaque') return `it has the type ${existing.type}, which cannot be changed: delete it`;
  return undefined;
}

function wait({ target }: FeedView, why: string): Verdict & { readonly do: 'wait' } {
  return { do: 'wait', why: `${feedTargetText(target)} waits: ${why}` };
}

function refuse({ target }: FeedView, why: string): Verdict & { readonly do: 'refuse' } {
  return { do: 'refuse', why: `${feedTargetText(target)} is not fed: ${why}` };
}
