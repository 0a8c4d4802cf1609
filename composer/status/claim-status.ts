import { firstCause, type Readiness } from './readiness';
import type { OutputValue } from './values';
import type { Condition, KubernetesObject } from '../../engine/kubernetes';
import { type ObjectId, objectKeyOf, objectTitleOf } from '../../src/object-id';
import { isRecord, omitUndefined, text } from '../../src/util/records';
import { counted, firstOf, plural } from '../../src/util/words';
import type { Problem } from '../apply/decide';
import { safeText } from '../apply/failures';
import type { InventoryEntry } from '../apply/inventory';

/** The input of a claim's status. */
export interface StatusFacts {
  readonly now: number;
  readonly inventory: readonly InventoryEntry[];
  readonly readiness: readonly Readiness[];
  /** Revision of the definition that the objects are of, once all of them are applied. */
  readonly revision: string | undefined;
  /** Revision of the definition that this process has. */
  readonly tried: string;
  /** Generation of the claim that was composed; undefined: none this time. */
  readonly composedGeneration: number | undefined;
  readonly sync:
    | { readonly state: 'synced' }
    | { readonly state: 'failed'; readonly problem: Problem }
    /** Objects of the claim wait for others, or nothing was composed this time: the condition stays. */
    | { readonly state: 'unchanged' }
    | { readonly state: 'deleting'; readonly waitsFor: readonly ObjectId[] }
    /** The claim is to be deleted, and claims of other kinds need it. */
    | { readonly state: 'held'; readonly by: readonly ObjectId[] };
  /** Undefined: they stay. */
  readonly outputs?: Readonly<Record<string, OutputValue>> | undefined;
  readonly links?: Readonly<Record<string, string>> | undefined;
}

/** The pattern of `metav1.Condition`. */
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const MOST_NAMES = 3;

/** The status of a claim. Members of others stay. */
export function statusOf(claim: KubernetesObject, facts: StatusFacts): Record<string, unknown> {
  const { inventory, readiness, revision, composedGeneration, outputs, links } = facts;
  const before = isRecord(claim.status) ? claim.status : {};
  const byKey = new Map(readiness.map((one) => [objectKeyOf(one), one]));
  return omitUndefined({
    ...before,
    observedGeneration: composedGeneration ?? before.observedGeneration,
    definition: revision ?? before.definition,
    failedDefinition: failedDefinition(claim, facts),
    conditions: conditionsOf(claim, facts),
    outputs: outputs ?? before.outputs,
    links: links ?? before.links,
    objects: inventory.map((entry) => {
      const ready = byKey.get(objectKeyOf(entry));
      return omitUndefined({
        ...entry, ready: ready?.isReady, reason: ready === undefined || ready.isReady ? undefined : ready.reason,
      });
    }),
  });
}

/**
 * The revision with which a claim began to fail, by which a rollout knows that it is not to blame. A failure after a change of the spec is
 * the user's, as if the claim had failed with the revision before.
 */
function failedDefinition({ metadata: { generation }, status }: KubernetesObject, { sync, tried }: StatusFacts): string | undefined {
  const before = text(status, 'failedDefinition');
  if (sync.state !== 'failed') return sync.state === 'synced' ? undefined : before;
  return before ?? (generation === status?.observedGeneration ? tried : text(status, 'definition') ?? tried);
}

function conditionsOf(claim: KubernetesObject, facts: StatusFacts): Condition[] {
  const known: readonly Condition[] = Array.isArray(claim.status?.conditions) ? claim.status.conditions : [];
  const generation = claim.metadata.generation;
  const next = [syncedOf(facts), readyOf(facts)].filter((one) => one !== undefined);
  const conditions = next.map(({ type, status, reason, message }): Condition => {
    const before = known.find((one) => one.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : wholeSeconds(facts.now);
    return omitUndefined({ type, status, lastTransitionTime, observedGeneration: generation, reason, message: message.slice(0, 4096) });
  });
  const types = new Set<string>(conditions.map(({ type }) => type));
  return [...known.filter(({ type }) => !types.has(type)), ...conditions].sort((a, b) => (a.type < b.type ? 1 : -1));
}

type Verdict = Pick<Condition, 'type' | 'status' | 'reason'> & { readonly message: string };

function syncedOf({ sync, inventory }: StatusFacts): Verdict | undefined {
  switch (sync.state) {
    case 'unchanged': return undefined;
    case 'synced': return { type: 'Synced', status: 'True', reason: 'Applied', message: `${counted(inventory.length, 'object')} applied` };
    case 'failed': return { type: 'Synced', status: 'False', reason: sync.problem.reason, message: sync.problem.message };
    case 'held': return {
      type: 'Synced',
      status: 'False',
      reason: 'InUse',
      message: `${waitText(sync.by)}: delete ${plural(sync.by.length, 'it', 'them')} first; nothing of this claim is deleted until then`,
    };
    default: return { type: 'Synced', status: 'False', reason: 'Deleting', message: waitText(sync.waitsFor) };
  }
}

function readyOf({ sync, readiness, inventory }: StatusFacts): Verdict {
  if (sync.state === 'deleting') return { type: 'Ready', status: 'False', reason: 'Deleting', message: waitText(sync.waitsFor) };
  if (sync.state === 'failed' && inventory.length === 0) {
    return { type: 'Ready', status: 'False', reason: 'NotSynced', message: 'nothing is composed: see the condition Synced' };
  }
  const cause = firstCause(readiness);
  if (!cause) return { type: 'Ready', status: 'True', reason: 'Ready', message: `${counted(readiness.length, 'object')} ready` };
  const waiting = readiness.filter(({ isReady }) => !isReady).length;
  const others = waiting > 1 ? ` (${waiting} of ${readiness.length} objects are not ready)` : '';
  return { type: 'Ready', status: 'False', reason: REASON.test(cause.reason) ? cause.reason : 'NotReady', message: `${safeText(cause.text)}${others}` };
}

function waitText(names: readonly ObjectId[]): string {
  if (names.length === 0) return 'the objects of the claim are being deleted';
  return `waits until ${firstOf(names.map(objectTitleOf), MOST_NAMES)} ${plural(names.length, 'is', 'are')} gone`;
}

function wholeSeconds(now: number): string {
  return `${new Date(now).toISOString().slice(0, -'.000Z'.length)}Z`;
}
