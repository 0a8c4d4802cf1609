import { createHash } from 'node:crypto';
import { changedPaths, contentOf, type Content, type Json } from './content';
import type { Shape } from '../../engine/compare';
import { EARLIEST_FULL_READ } from '../../engine/schedule';

/** What a row says of an object, or why it says nothing. Only `confirmed` saves a reconcile. */
export type Verdict =
  | 'confirmed'
  /** There is no row that is newer than the last look. */
  | 'ask'
  /** The row is another one than that of the last read which found everything in order. */
  | 'changed'
  /** There was no row for it. */
  | 'absent'
  /** No read has found everything in order behind a row yet. */
  | 'noBaseline'
  /** The last PUT is so new that rows may be older. */
  | 'tooNew'
  /** Rows do not show everything, so the resource itself is read now and then. */
  | 'fullRead'
  /** Something has changed in the cluster, or this process has not read the resource yet. */
  | 'unknown';

/** An object as it is in the cluster. */
export interface ObservedState {
  readonly armId: string;
  /** Of all in the cluster that a reconcile would look at: the same text means that a reconcile would find the same. */
  readonly fingerprint: string;
  /** Of the request body. */
  readonly shape: Shape;
  /** When the last PUT that the object remembers was sent. */
  readonly sentAt: number;
}

export interface ReconcileEnd {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The resource was read and was as it should be. */
  readonly isInOrder: boolean;
  /** Something was sent to Azure, or what was sent before was at work until now. */
  readonly hasSent: boolean;
  /** Of the status that the reconcile has left. */
  readonly status: string;
  /** Milliseconds until the next look. */
  readonly nextIn?: number;
}

export interface BaselineStoreOptions {
  /** Milliseconds by which rows may be older than the resource. */
  readonly lag: number;
  /** Milliseconds: the resource itself is read at least this often. */
  readonly fullReadPeriod: number;
  /** Milliseconds. */
  readonly syncPeriod: number;
}

interface SeenRow extends Content {
  /** When it was asked for: it is at most so much older than this as rows lag. */
  readonly at: number;
  /** When it was there: it shows nothing that has happened later. */
  readonly until: number;
  readonly isThere: boolean;
  /** Only of objects whose rows have changed without a reason. */
  readonly row?: Json;
}

interface Entry {
  state: ObservedState;
  status: string;
  /** When the resource itself was last found as it should be. */
  readAt: number;
  changedAt: number;
  /** Of the state of the last look: what is older tells nothing new. */
  seenAt: number;
  due: number;
  /** Begin of the reconcile that runs; undefined: none. */
  reconcileFrom?: number;
  baseline?: Content;
  sight?: SeenRow;
  /** How often a path of the row has changed though nothing was wrong. */
  restless?: Map<string, number>;
  ignored?: Set<string>;
}

/** A path that changes so often for no reason is not looked at any more. */
const MOST_SURPRISES = 2;
const MOST_IGNORED = 30;
/** A row is no use for an object that is due later than this part of the sync period. */
const LONGEST_USE = 0.5;

/**
 * What is known of objects between their reconciles. Pure: times and rows come from outside.
 *
 * A row says that nothing has changed when it is the same as the *baseline*: a row that was taken after the last PUT had to be visible, and
 * after which a read of the resource itself found everything in order and the status as before. So a baseline never shows what somebody has
 * changed before: the read would have seen it.
 */
export class BaselineStore {
  private readonly entries = new Map<string, Entry>();

  public constructor(private readonly options: BaselineStoreOptions) {}

  public get size(): number {
    return this.entries.size;
  }

  /** What the last row says of an object. `state`: as it is now. */
  public judge(key: string, state: ObservedState, now: number): Verdict {
    const entry = this.entries.get(key);
    if (!entry || !sameState(entry.state, state)) return 'unknown';
    if (this.needsFullRead(key, entry, now)) return 'fullRead';
    if (now < entry.changedAt + this.options.lag) return 'tooNew';
    const { sight, baseline } = entry;
    if (!sight || !this.isUsable(entry, sight, now)) return 'ask';
    if (!sight.isThere) return 'absent';
    if (!baseline) return 'noBaseline';
    return sight.digest === baseline.digest ? 'confirmed' : 'changed';
  }

  /** A confirmation is a look at the resource. Answers in how many milliseconds the next one is due, where a sync is due `period` after one. */
  public confirmed(key: string, now: number, period: number): number {
    const entry = this.entries.get(key);
    if (!entry?.sight) return period;
    entry.seenAt = entry.sight.at;
    const next = Math.max(entry.sight.at + period - now, 0);
    entry.due = now + next;
    return next;
  }

  /** A reconcile of the object begins. */
  public reconcileBegins(key: string, now: number): void {
    const entry = this.entries.get(key);
    if (entry) entry.reconcileFrom = now;
  }

  /** A reconcile of the object has ended, and has left it like this. */
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

  /** The answer to a question: the row of an object, or that there is none. `at`: when the question was sent; `until`: when the answer came. */
  public sighted(key: string, row: Json | undefined, at: number, until: number): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    if (!row) {
      entry.sight = { at, until, isThere: false, digest: '' };
      return;
    }
    const { shape } = entry.state;
    const content = contentOf(row, shape, entry.ignored, entry.restless !== undefined);
    if (!entry.restless && entry.baseline && entry.baseline.digest !== content.digest) entry.restless = new Map();
    entry.sight = entry.restless
      ? { at, until, isThere: true, row, ...contentOf(row, shape, entry.ignored, true) }
      : { at, until, isThere: true, ...content };
  }

  /** Its row is wanted now, whenever its next look was thought to be due. No reconcile of it runs: one that found no room has not told its end. */
  public wanted(key: string, now: number): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.due = Math.min(entry.due, now);
    entry.reconcileFrom = undefined;
  }

  /** Whether the object may as well be asked for, together with others. */
  public mayAsk(key: string, now: number): boolean {
    const entry = this.entries.get(key);
    if (!entry || entry.reconcileFrom !== undefined || this.needsFullRead(key, entry, now)) return false;
    if (now < entry.changedAt + this.options.lag || entry.due > now + LONGEST_USE * this.options.syncPeriod) return false;
    return !entry.sight || !this.isUsable(entry, entry.sight, now);
  }

  /** Whether the object has not been seen for so long that it must be gone. */
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

  /** The baseline after a read that has found everything in order and the same status as the read before. */
  private learn(entry: Entry, changedAt: number): Pick<Entry, 'baseline' | 'ignored'> {
    const { baseline, sight, reconcileFrom, restless, ignored, state } = entry;
    // A row that was taken while the reconcile ran may show what has happened after its read.
    const isBefore = reconcileFrom !== undefined && sight !== undefined && sight.isThere && sight.until <= reconcileFrom;
    if (!isBefore || sight.at < changedAt + this.options.lag) return baseline ? { baseline } : {};
    const { at: _, until: __, isThere: ___, row, ...content } = sight;
    if (!restless || !row || !baseline?.leaves || !sight.leaves) return { baseline: content };
    const surprising = changedPaths(baseline.leaves, sight.leaves);
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

/** In [0, 1), the same for the same text: so full reads of objects that were made together do not come together. */
function spreadOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}
