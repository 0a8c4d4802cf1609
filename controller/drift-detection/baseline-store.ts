import { createHash } from 'node:crypto';
import { changedPaths, contentOf, type Content } from './content';
import type { Shape } from '../../engine/compare';
import { resourceState } from '../../engine/kinds/resource-state';
import { EARLIEST_FULL_READ } from '../../engine/schedule';
import { armTypeOf } from '../../src/azure/arm-id';
import type { Struct } from '../../src/util/records';

/** The verdict of a row on an object, or why it has none. Only `confirmed` saves a reconcile. */
export type Verdict =
  | 'confirmed'
  /** No row is newer than the last check. */
  | 'ask'
  /** The row differs from that of the last read that found the resource in sync. */
  | 'changed'
  /** There was no row for the object. */
  | 'absent'
  /** No read has confirmed a row yet. */
  | 'noBaseline'
  /** The last PUT is so recent that rows may be older. */
  | 'tooNew'
  /** Rows do not show all members, so a full read of the resource is due. */
  | 'fullRead'
  /** The object has changed in the cluster, or this process has not read the resource yet. */
  | 'unknown';

/** The state of an object in the cluster. */
export interface ObservedState {
  readonly armId: string;
  /** Covers all objects in the cluster that a reconcile would read: an equal fingerprint means an equal result. */
  readonly fingerprint: string;
  /** Shape of the request body. */
  readonly shape: Shape;
  /** When the last recorded PUT of the object was sent. */
  readonly sentAt: number;
}

export interface ReconcileEnd {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether the resource was read and found in sync. */
  readonly isInOrder: boolean;
  /** Whether a request was sent to Azure, or an earlier operation ran until now. */
  readonly hasSent: boolean;
  /** Digest of the status after the reconcile. */
  readonly status: string;
  /** Milliseconds until the next check. */
  readonly nextIn?: number | undefined;
}

export interface BaselineStoreOptions {
  /** Milliseconds by which rows may lag behind the resource. */
  readonly lag: number;
  /** Milliseconds: the resource itself is read at least this often. */
  readonly fullReadPeriod: number;
  /** Milliseconds. */
  readonly syncPeriod: number;
}

interface SeenRow extends Content {
  /** When the row was requested: it shows a state at most the lag older than this. */
  readonly at: number;
  /** When the row arrived: it shows no later change. */
  readonly until: number;
  readonly isThere: boolean;
  /** Whether the row shows a resource that has failed: no row like it confirms anything, whatever was learnt. */
  readonly hasFailed?: boolean;
  /** Only for objects whose rows have changed without a drift. */
  readonly row?: Struct;
}

interface Entry {
  state: ObservedState;
  status: string;
  /** When a read last found the resource in sync. */
  readAt: number;
  changedAt: number;
  /** When the last state was checked: older rows add nothing. */
  seenAt: number;
  due: number;
  /** Begin of the running reconcile; undefined: none. */
  reconcileFrom?: number | undefined;
  baseline?: Content;
  seenRow?: SeenRow;
  /** Changes of each path of the row without a drift. */
  restless?: Map<string, number>;
  ignored?: Set<string>;
}

/** A path that changes this often without a drift is ignored. */
const MOST_SURPRISES = 2;
const MOST_IGNORED = 30;
/** A row is not used for an object whose next check is later than this fraction of the sync period. */
const LONGEST_USE = 0.5;

/**
 * Stores the baselines of objects between their reconciles. Pure: times and rows are passed in.
 *
 * A row confirms an object when it equals the *baseline*: a row taken after the last PUT had to be visible, and followed by a read of the
 * resource that found it in sync and its status unchanged. So a baseline never shows an earlier change by another party: the read would
 * have found it.
 */
export class BaselineStore {
  private readonly entries = new Map<string, Entry>();

  public constructor(private readonly options: BaselineStoreOptions) {}

  public get size(): number {
    return this.entries.size;
  }

  /** The verdict of the last row. `state`: the object's present state. */
  public judge(key: string, state: ObservedState, now: number): Verdict {
    const entry = this.entries.get(key);
    if (!entry || !sameState(entry.state, state)) return 'unknown';
    if (this.needsFullRead(key, entry, now)) return 'fullRead';
    if (now < entry.changedAt + this.options.lag) return 'tooNew';
    const { seenRow, baseline } = entry;
    if (!seenRow || !this.isUsable(entry, seenRow, now)) return 'ask';
    if (!seenRow.isThere) return 'absent';
    if (!baseline) return 'noBaseline';
    return !seenRow.hasFailed && seenRow.digest === baseline.digest ? 'confirmed' : 'changed';
  }

  /** A confirmation counts as a check. Returns the milliseconds until the next one, where a sync is due `period` after a check. */
  public confirmed(key: string, now: number, period: number): number {
    const entry = this.entries.get(key);
    if (!entry?.seenRow) return period;
    entry.seenAt = entry.seenRow.at;
    const next = Math.max(entry.seenRow.at + period - now, 0);
    entry.due = now + next;
    return next;
  }

  /** Records that a reconcile of the object begins. */
  public reconcileBegins(key: string, now: number): void {
    const entry = this.entries.get(key);
    if (entry) entry.reconcileFrom = now;
  }

  /** Records that a reconcile of the object has ended in this state. */
  public reconcileEnded(key: string, state: ObservedState, { now, isInOrder, hasSent, status, nextIn }: ReconcileEnd): void {
    const before = this.entries.get(key);
    const sentBefore = Math.max(state.sentAt, before?.changedAt ?? 0);
    const common = { state, status, due: now + (nextIn ?? Infinity), seenAt: now };
    if (!isInOrder || hasSent || !before || before.state.armId !== state.armId) {
      this.entries.set(key, { ...common, readAt: isInOrder ? now : -Infinity, changedAt: hasSent ? now : sentBefore });
      return;
    }
    const { restless, ignored } = before;
    const learnt = before.status === status ? this.learn(before, sentBefore) : undefined;
    const noise = { ...(restless ? { restless } : {}), ...(ignored ? { ignored } : {}) };
    this.entries.set(key, { ...common, readAt: now, changedAt: sentBefore, ...noise, ...learnt });
  }

  /** Records a row of an object, or that there is none. `at`: when the request was sent; `until`: when the answer arrived. */
  public sighted(key: string, row: Struct | undefined, at: number, until: number): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    if (!row) {
      entry.seenRow = { at, until, isThere: false, digest: '' };
      return;
    }
    const { shape } = entry.state;
    const content = contentOf(row, shape, entry.ignored, entry.restless !== undefined);
    if (!entry.restless && entry.baseline && entry.baseline.digest !== content.digest) entry.restless = new Map();
    const hasFailed = resourceState(armTypeOf(entry.state.armId), row, at).outcome === 'failed';
    const seen = { at, until, isThere: true, ...(hasFailed ? { hasFailed } : {}) };
    entry.seenRow = entry.restless ? { ...seen, row, ...contentOf(row, shape, entry.ignored, true) } : { ...seen, ...content };
  }

  /** A row is wanted now, before the next check is due. No reconcile of the object runs: a throttled one does not report its end. */
  public wanted(key: string, now: number): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.due = Math.min(entry.due, now);
    entry.reconcileFrom = undefined;
  }

  /** Whether the object may be included in a query for others. */
  public mayAsk(key: string, now: number): boolean {
    const entry = this.entries.get(key);
    if (!entry || entry.reconcileFrom !== undefined || this.needsFullRead(key, entry, now)) return false;
    if (now < entry.changedAt + this.options.lag || entry.due > now + LONGEST_USE * this.options.syncPeriod) return false;
    return !entry.seenRow || !this.isUsable(entry, entry.seenRow, now);
  }

  /** Whether the object was not seen for so long that it must be gone. */
  public isLost(key: string, now: number): boolean {
    const entry = this.entries.get(key);
    return !entry || (entry.reconcileFrom === undefined && entry.due < now - this.options.syncPeriod);
  }

  public armIdOf(key: string): string | undefined {
    return this.entries.get(key)?.state.armId;
  }

  public forget(key: string): void {
    this.entries.delete(key);
  }

  private isUsable({ seenAt }: Entry, { at }: SeenRow, now: number): boolean {
    return at > seenAt && at >= now - LONGEST_USE * this.options.syncPeriod;
  }

  private needsFullRead(key: string, { readAt }: Entry, now: number): boolean {
    const part = EARLIEST_FULL_READ + (1 - EARLIEST_FULL_READ) * spreadOf(key);
    return now - readAt >= this.options.fullReadPeriod * part;
  }

  /** The baseline after a read that found the resource in sync and its status unchanged. */
  private learn(entry: Entry, changedAt: number): Pick<Entry, 'baseline' | 'ignored'> {
    const { baseline, seenRow, reconcileFrom, restless, ignored, state } = entry;
    // A row that was taken while the reconcile ran may show later changes than its read.
    const isBefore = reconcileFrom !== undefined && seenRow !== undefined && seenRow.isThere && seenRow.until <= reconcileFrom;
    if (!isBefore || seenRow.at < changedAt + this.options.lag) return baseline ? { baseline } : {};
    const { at: _, until: __, isThere: ___, hasFailed: ____, row, ...content } = seenRow;
    if (!restless || !row || !baseline?.leaves || !seenRow.leaves) return { baseline: content };
    const surprising = changedPaths(baseline.leaves, seenRow.leaves);
    for (const path of surprising) restless.set(path, (restless.get(path) ?? 0) + 1);
    const known = surprising.filter((path) => restless.get(path)! >= MOST_SURPRISES);
    if (known.length === 0) return { baseline: content };
    const all = new Set([...(ignored ?? []), ...known].slice(0, MOST_IGNORED));
    return { ignored: all, baseline: contentOf(row, state.shape, all, true) };
  }
}

function sameState(a: ObservedState, b: ObservedState): boolean {
  return a.fingerprint === b.fingerprint && a.armId === b.armId;
}

/** In [0, 1), stable for each text: spreads the full reads of objects that were created together. */
function spreadOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
