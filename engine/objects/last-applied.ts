import { annotation, withAnnotations } from './annotations';
import { PUT_RECORD } from '../../src/azure/annotations';
import { isRecord, struct } from '../../src/util/records';
import type { KubernetesObject } from '../kubernetes/types';

/** A difference that was corrected by a PUT: its last mark, how often it was corrected, and when last (milliseconds since the epoch). */
export interface Correction {
  readonly mark: string;
  readonly times: number;
  readonly at: number;
}

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
export interface LastApplied {
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

export function lastAppliedOf(object: KubernetesObject): LastApplied | undefined {
  const text = annotation(object, PUT_RECORD);
  if (text === undefined) return undefined;
  // Every decision asks several times.
  if (text !== last.text) last = { text, record: recordIn(text) };
  return last.record;
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

export function withLastApplied(object: KubernetesObject, record: LastApplied): KubernetesObject {
  // In one order, so that the same record is the same text.
  const { digest, at, generation, answered, found, hidden, shown, known, corrected } = record;
  const inTexts = ([path, correction]: [string, Correction]) => [path, { ...correction, at: new Date(correction.at).toISOString() }] as const;
  const kept = corrected && Object.fromEntries(Object.entries(corrected).map(inTexts));
  const text = JSON.stringify({ digest, at, generation, answered, found, hidden, shown, known, corrected: kept });
  return withAnnotations(object, { [PUT_RECORD]: text });
}

function parsed(text: string | undefined): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
