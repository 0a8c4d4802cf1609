import { annotation, withAnnotations } from './annotations';
import { LATEST_GENERATION, PUT_RECORD } from '../../src/azure/annotations';
import { isRecord, struct } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';

/**
 * A difference that PUTs corrected: its last mark, the number of corrections, and the time of the last one (milliseconds since the epoch).
 */
export interface Correction {
  readonly mark: string;
  readonly times: number;
  readonly at: number;
  /** The user's own object that describes this part of the resource as well: `ManagedClustersAgentPool team/pool`. */
  readonly alsoIn?: string;
}

/**
 * The record of an object's last PUT, so that a restarted controller repeats nothing.
 *
 * The rule:
 * 1. Before the first PUT of an object is sent, a record with `answered: false` is stored, in the same write as the finalizer. Each further
 *    try stores it again, until Azure has accepted one.
 * 2. When Azure has accepted a PUT, the record gets `answered: true` and the digest of the body, in the same write as the poll token. When
 *    Azure refuses a PUT or its operation fails, the digest is removed.
 * 3. If Azure's answer to the PUT differs from the body, the differences are recorded with the acceptance (`shown`). When a later read
 *    shows the same, they become `known`: Azure stores the value that way, so they cause no further PUT. A difference that only the read
 *    shows may be the change of another client; a later sync corrects it like any other difference.
 * 4. A process that does not know the outcome of the last PUT (it has just started, or the answer was lost) reads the resource before it
 *    sends anything, and acts on the result (`afterReading`).
 */
export interface LastApplied {
  /** Digest of the body that Azure has accepted; empty after a refusal. */
  readonly digest: string;
  /** Time of the PUT (ISO 8601). */
  readonly at: string;
  readonly generation: number;
  /** False: a PUT may have been sent, but no answer to any PUT of this object was ever stored. */
  readonly answered: boolean;
  /**
   * The state at the id when the intent was stored, if it was read: after `nothing`, a resource at the id was created by this object; a
   * `resource` proves nothing about a PUT whose answer was lost.
   */
  readonly found?: 'nothing' | 'resource';
  /** Digest of the versions of the Secrets whose values were sent; empty: none. Absent in records of older versions of this controller. */
  readonly hidden?: string;
  /** True: no PUT of this controller has sent the values of Secrets; Azure may have others, which no read shows. */
  readonly unsent?: boolean;
  /** The annotation `send-secrets` at the last PUT. */
  readonly sendSecrets?: string;
  /** Differences between Azure's answer to the PUT and the body: path → mark. Kept until a read after the PUT has confirmed them. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Values that Azure stores differently than they were sent: path → mark of the difference. */
  readonly known?: Readonly<Record<string, string>>;
  /** True: `known` comes from the answer to the PUT. A later read that shows the same does not change the record. */
  readonly unread?: boolean;
  /** Corrections of each difference, until no client has changed it for a long time (see `repeated-drift.ts`). */
  readonly corrected?: Readonly<Record<string, Correction>>;
}

export function lastAppliedOf(object: KubernetesObject): LastApplied | undefined {
  const text = annotation(object, PUT_RECORD);
  if (text === undefined) return undefined;
  // Cached, because every decision reads the record several times.
  if (text !== last.text) last = { text, record: recordIn(text) };
  return last.record;
}

/** ASO keeps no record, but the generation that it has sent. */
export function wasSentByAso(object: KubernetesObject): boolean {
  return lastAppliedOf(object) === undefined && Number(annotation(object, LATEST_GENERATION) ?? 0) > 0;
}

let last: { readonly text: string; readonly record: LastApplied | undefined } = { text: '', record: undefined };

function recordIn(text: string): LastApplied | undefined {
  const value = struct(parsed(text)) as Partial<LastApplied> | undefined;
  if (typeof value?.digest !== 'string' || typeof value.at !== 'string' || Number.isNaN(Date.parse(value.at))) return undefined;
  const found = value.found === 'nothing' || value.found === 'resource' ? { found: value.found } : {};
  return {
    digest: value.digest,
    at: value.at,
    generation: typeof value.generation === 'number' ? value.generation : 0,
    answered: value.answered === true,
    ...(value.unread === true ? { unread: true } : {}),
    ...found,
    ...(typeof value.hidden === 'string' ? { hidden: value.hidden } : {}),
    ...(value.unsent === true ? { unsent: true } : {}),
    ...(typeof value.sendSecrets === 'string' ? { sendSecrets: value.sendSecrets } : {}),
    ...(isRecord(value.shown) ? { shown: onlyTexts(value.shown) } : {}),
    ...(isRecord(value.known) ? { known: onlyTexts(value.known) } : {}),
    ...(isRecord(value.corrected) ? { corrected: onlyCorrections(value.corrected, Date.parse(value.at)) } : {}),
  };
}

function onlyTexts(value: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Converts times from text. Records of older versions have none: the corrections then have the time of the record's PUT. */
function onlyCorrections(value: Readonly<Record<string, unknown>>, sentAt: number): Record<string, Correction> {
  const entries = Object.entries(value).flatMap(([path, correction]): [string, Correction][] => {
    const { mark, times, at, alsoIn } = isRecord(correction) ? correction : {};
    if (typeof mark !== 'string' || typeof times !== 'number') return [];
    const time = typeof at === 'string' ? Date.parse(at) : NaN;
    return [[path, { mark, times, at: Number.isNaN(time) ? sentAt : time, ...(typeof alsoIn === 'string' ? { alsoIn } : {}) }]];
  });
  return Object.fromEntries(entries);
}

export function withLastApplied(object: KubernetesObject, record: LastApplied): KubernetesObject {
  // A fixed order of members, so that equal records give equal text.
  const { digest, at, generation, answered, found, hidden, unsent, sendSecrets, shown, known, unread, corrected } = record;
  const inTexts = ([path, correction]: [string, Correction]) =>
    [path, { ...correction, at: new Date(correction.at).toISOString() }] as const;
  const kept = corrected && Object.fromEntries(Object.entries(corrected).map(inTexts));
  const ordered = { digest, at, generation, answered, found, hidden, unsent, sendSecrets, shown, known, unread, corrected: kept };
  return withAnnotations(object, { [PUT_RECORD]: JSON.stringify(ordered) });
}

function parsed(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
