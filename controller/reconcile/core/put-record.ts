import { annotation, CREATE_POLLER, DELETE_POLLER, LATEST_GENERATION, PUT_RECORD, POLLER_ID, POLLER_TOKEN, withAnnotations } from './annotations';
import type { Correction, Existing, Observed } from './observed';
import { outcomeOf } from '../../azure/operation-status';
import { decodeToken, encodeToken } from '../../azure/operation-token';
import type { OperationState } from '../../azure/types';
import type { Drift } from '../../compare';
import type { KubernetesObject } from '../../kubernetes/types';

/**
 * What the object remembers of its last PUT, so that a controller that was killed repeats nothing.
 *
 * The rule:
 * 1. Before the first PUT of an object is sent, a record with `answered: false` is stored, in the same write as the finalizer. Each further
 *    try stores it again, until Azure has accepted one.
 * 2. When Azure has accepted a PUT, the record gets `answered: true` and the digest of what was sent, in the same write as the poll token.
 *    When Azure refuses a PUT or its operation fails, the digest is forgotten.
 * 3. Where Azure's answer to the PUT itself differs from what was sent, that is recorded with the acceptance (`shown`). When a read after it shows
 *    the same, it becomes `known`: that is how Azure is, and no reason for another PUT. What only the read shows may be the work of somebody who
 *    came in between; it is corrected by a later sync like any other difference.
 * 4. A process that does not know how the last PUT ended (it was just started, or the answer was lost) reads the resource before it sends
 *    anything, and acts on what it finds (`afterReading`).
 */
export interface PutRecord {
  /** Of what Azure has accepted; empty when it has refused. */
  readonly digest: string;
  /** When it was sent (ISO 8601). */
  readonly at: string;
  readonly generation: number;
  /** False: a PUT may have been sent, but no answer to any PUT of this object was ever stored. */
  readonly answered: boolean;
  /**
   * What was at the id when the intent was stored, where that was looked at: after `nothing`, what is found there comes from this object; a
   * `resource` proves nothing about a PUT whose answer was lost.
   */
  readonly found?: 'nothing' | 'resource';
  /** Of the versions of the Secrets whose values were sent; empty: of none. Absent in records of older versions of this controller. */
  readonly hidden?: string;
  /** Where Azure's answer to the PUT differed from what was sent: path → mark. Until a read after the PUT has confirmed it. */
  readonly shown?: Readonly<Record<string, string>>;
  /** What Azure shows otherwise than it was sent: path → mark of the difference. */
  readonly known?: Readonly<Record<string, string>>;
  /** How often each difference was corrected, until nobody has changed it for long (see `repeated-drift.ts`). */
  readonly corrected?: Readonly<Record<string, Correction>>;
}

export function putRecordOf(object: KubernetesObject): PutRecord | undefined {
  const text = annotation(object, PUT_RECORD);
  if (text === undefined) return undefined;
  // Every decision asks several times.
  if (text !== last.text) last = { text, record: recordIn(text) };
  return last.record;
}

let last: { readonly text: string; readonly record: PutRecord | undefined } = { text: '', record: undefined };

function recordIn(text: string): PutRecord | undefined {
  const value = parsed(text) as Partial<PutRecord> | undefined;
  if (typeof value?.digest !== 'string' || typeof value.at !== 'string' || Number.isNaN(Date.parse(value.at))) return undefined;
  const found = value.found === 'nothing' || value.found === 'resource' ? { found: value.found } : {};
  return {
    digest: value.digest,
    at: value.at,
    generation: typeof value.generation === 'number' ? value.generation : 0,
    answered: value.answered === true,
    ...found,
    ...(typeof value.hidden === 'string' ? { hidden: value.hidden } : {}),
    ...(isRecord(value.shown) ? { shown: onlyTexts(value.shown) } : {}),
    ...(isRecord(value.known) ? { known: onlyTexts(value.known) } : {}),
    ...(isRecord(value.corrected) ? { corrected: onlyCorrections(value.corrected, Date.parse(value.at)) } : {}),
  };
}

function onlyTexts(value: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Times are kept as texts. Records of older versions have none: then the corrections were made with the PUT of the record. */
function onlyCorrections(value: Readonly<Record<string, unknown>>, sentAt: number): Record<string, Correction> {
  const entries = Object.entries(value).flatMap(([path, correction]): [string, Correction][] => {
    const { mark, times, at } = isRecord(correction) ? correction : {};
    const time = typeof at === 'string' ? Date.parse(at) : NaN;
    return typeof mark === 'string' && typeof times === 'number' ? [[path, { mark, times, at: Number.isNaN(time) ? sentAt : time }]] : [];
  });
  return Object.fromEntries(entries);
}

export function withPutRecord(object: KubernetesObject, record: PutRecord): KubernetesObject {
  // In one order, so that the same record is the same text.
  const { digest, at, generation, answered, found, hidden, shown, known, corrected } = record;
  const inTexts = ([path, correction]: [string, Correction]) => [path, { ...correction, at: new Date(correction.at).toISOString() }] as const;
  const kept = corrected && Object.fromEntries(Object.entries(corrected).map(inTexts));
  const text = JSON.stringify({ digest, at, generation, answered, found, hidden, shown, known, corrected: kept });
  return withAnnotations(object, { [PUT_RECORD]: text });
}

/** The object, remembering that a PUT is about to be sent for the first time. */
export function withIntent(observed: Observed): KubernetesObject {
  const { object, now, desired, present } = observed;
  const at = new Date(now).toISOString();
  const generation = object.metadata.generation ?? 0;
  // Azure has answered a PUT of this object, but not of ours: what is found in Azure is none that has arrived.
  if (wasSentByAso(object)) return withPutRecord(object, { digest: '', at, generation, answered: true });
  const record = { digest: desired?.digest ?? '', at, generation, answered: false, hidden: desired?.hidden ?? '' };
  return withPutRecord(object, { ...record, ...(present === undefined ? {} : { found: present ? 'resource' : 'nothing' }) });
}

/** An answer that differs in more places shows nothing of the resource. */
const MOST_SHOWN = 40;

/**
 * The object, remembering that Azure has accepted the PUT of this pass.
 * @param shown where Azure's answer differs from what was sent
 */
export function withAcceptance(observed: Observed, shown: readonly Drift[] = []): KubernetesObject {
  const { object, now, desired } = observed;
  const old = putRecordOf(object);
  // A PUT of the same spec whose answer was lost is no new start.
  const corrected = observed.corrected ?? (old?.generation === object.metadata.generation ? old?.corrected : undefined);
  const record: PutRecord = {
    digest: desired?.digest ?? '',
    at: new Date(now).toISOString(),
    generation: object.metadata.generation ?? 0,
    answered: true,
    hidden: desired?.hidden ?? '',
  };
  // What is known of Azure's own spelling counts until Azure has shown what became of this PUT; of what is made anew, nothing is known.
  const known = observed.present === false ? undefined : old?.known;
  return withPutRecord(object, {
    ...record,
    ...(shown.length > 0 && shown.length <= MOST_SHOWN ? { shown: Object.fromEntries(shown.map(({ path, mark }) => [path, mark])) } : {}),
    ...(known ? { known } : {}),
    ...(corrected ? { corrected } : {}),
  });
}

/** The object, remembering that what it meant to send was found in Azure. */
export function withArrival(object: KubernetesObject, record: PutRecord): KubernetesObject {
  return withPutRecord(object, { ...record, answered: true });
}

/** The object, no longer counting on what was sent: Azure has refused it. */
export function withRefusal(object: KubernetesObject): KubernetesObject {
  const record = putRecordOf(object);
  if (!record?.digest) return object;
  // What is found at the id from now on may be another's again.
  const { found: _, shown: __, known: ___, corrected: ____, ...kept } = record;
  return withPutRecord(object, { ...kept, digest: '' });
}

/** Whether an intent is to be stored before the next PUT: the object has no record, or the PUT of its intent was refused. */
export function needsIntent(object: KubernetesObject): boolean {
  const record = putRecordOf(object);
  return !record || (!record.answered && record.digest === '');
}

/** ASO keeps no record, but the generation that it has sent. */
export function wasSentByAso(object: KubernetesObject): boolean {
  return putRecordOf(object) === undefined && Number(annotation(object, LATEST_GENERATION) ?? 0) > 0;
}

/** Clocks differ: what is older than the intent by no more than this may have come from it. */
const CLOCK_SKEW = 10 * 60 * 1000;

/**
 * What to do after a restart or a lost answer, by what a read found:
 * - `put`: the resource is absent, failed, was there before us (or nothing tells that it was not), or something else was asked for since; or the
 *   sync is due. Whether it is sent then depends on the comparison of what was read with what is wanted (`drift.ts`).
 * - `resume`: an operation runs; follow it by the resource's own provisioning state.
 * - `settled`: Azure has what was asked for.
 */
export function afterReading(observed: Observed, existing: Existing | undefined): 'put' | 'resume' | 'settled' {
  if (!existing) return 'put';
  const record = putRecordOf(observed.object);
  const outcome = outcomeOf(existing.provisioningState ?? 'Succeeded');
  if (outcome === 'running') return 'resume';
  if (!record || outcome === 'failed' || !hasArrived(existing, record)) return 'put';
  // What was meant to be made is there; if the spec is newer, the generation check sends it.
  if (!record.answered) return 'settled';
  const due = observed.syncPeriod !== undefined && Date.parse(record.at) + observed.syncPeriod <= observed.now;
  return record.digest === observed.desired?.digest && !due ? 'settled' : 'put';
}

/**
 * Whether Azure has got what the record tells of. That a resource is there is no proof: it may have been there before, or have come with its
 * parent (the services of a storage account). Without proof the PUT is sent, a second time if need be: the same body changes nothing.
 */
export function hasArrived(existing: Existing, record: PutRecord): boolean {
  if (record.digest === '') return false;
  return record.answered || record.found === 'nothing' || (record.found === undefined && wasMadeSince(existing, record));
}

function wasMadeSince(existing: Existing, record: PutRecord): boolean {
  const created = Date.parse(existing.createdAt ?? '');
  return !Number.isNaN(created) && created >= Date.parse(record.at) - CLOCK_SKEW;
}

export interface Poller {
  readonly of: 'create' | 'delete';
  /** Undefined: a token that this controller cannot read, e.g. of ASO. */
  readonly state?: OperationState;
}

/** The running operation that the object remembers. */
export function pollerOf(object: KubernetesObject): Poller | undefined {
  const token = annotation(object, POLLER_TOKEN);
  if (!token) return undefined;
  const of = annotation(object, POLLER_ID) === DELETE_POLLER ? 'delete' : 'create';
  try {
    return { of, state: decodeToken(token) };
  } catch {
    return { of };
  }
}

export function withPoller(object: KubernetesObject, of: Poller['of'], state: OperationState): KubernetesObject {
  return withAnnotations(object, { [POLLER_TOKEN]: encodeToken(state), [POLLER_ID]: of === 'create' ? CREATE_POLLER : DELETE_POLLER });
}

/** An operation that is followed by the provisioning state of the resource itself. */
export function bodyOperation(armId: string, apiVersion: string): OperationState {
  const url = `${armId}?api-version=${apiVersion}`;
  return { style: 'body', method: 'PUT', originalUrl: url, pollUrl: url, state: 'InProgress' };
}

function parsed(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
