import { setMaxListeners } from 'node:events';
import { BaselineStore, type Verdict } from './baseline-store';
import { statusDigestOf } from './content';
import { Fallbacks } from './fallbacks';
import type { Source, Subject, CredentialOfQuery } from './observed-state';
import { rowsOfList, rowsOfTable } from './queries';
import { ArmError, type ArmClient } from '../../engine/arm/types';
import type { Clock } from '../../engine/clock';
import { FULL_READ_PERIOD_MS, MOST_IDS_OF_QUERY } from '../../engine/schedule';
import type { ObjectId } from '../../src/object-id';
import type { Struct } from '../../src/util/records';
import { sharedKeyOf } from '../reconcile/object-key';
import type { ReconcileReport } from '../reconcile/reconciler-options';

export interface BatchDriftDetectionOptions {
  readonly clock: Clock;
  /** The object's state in the cluster; undefined where it needs a reconcile. */
  readonly subjectOf: (key: ObjectId) => Subject | undefined;
  /** Milliseconds. */
  readonly syncPeriod: number;
  /** Milliseconds: each resource is read by itself at least this often. Default: 24 h. */
  readonly fullReadPeriod?: number;
  /** Milliseconds by which rows may be older than the resource. Default: 5 min. */
  readonly lag?: number;
  /** The client of a credential, e.g. with a budget. Default: the credential's own. */
  readonly clientFor?: ((credential: CredentialOfQuery) => ArmClient) | undefined;
  readonly observer?: DriftDetectionObserver;
}

/** Gets the events of the drift detection, for metrics and logs. */
export interface DriftDetectionObserver {
  /** A request was answered. */
  onRequest?(source: Source['of'], rows: number): void;
  /** A request failed. `stays`: it is not retried for an hour. */
  onFailure?(source: Source, subscriptionId: string, error: unknown, stays: boolean): void;
  /** The verdict on an object. */
  onVerdict?(verdict: Verdict): void;
}

/** Objects whose rows come in one answer. */
interface Group {
  readonly source: Source;
  readonly credential: CredentialOfQuery;
  /** By the text of their keys. */
  readonly members: Set<string>;
  /** Key for failures: Resource Graph for a credential and subscription as a whole, and the query of this group. */
  readonly way: string;
  readonly own: string;
  /** Resolves when the pending query, still collecting objects or already sent, was answered. */
  asking?: Promise<void> | undefined;
}

const LAG = 5 * 60_000;
/**
 * Milliseconds during which objects are collected into one query. The answer covers all objects that are due soon, so the delay does not
 * add up.
 */
const WINDOW = 200;
/** Milliseconds for which a worker waits for an answer; then its object is reconciled. */
const LONGEST_WAIT = 5_000;
/** A list costs as much as the read of one resource. */
const FEWEST_LISTED = 2;

/**
 * Checks many objects at once: a sync of an object needs no reconcile if its row of Azure Resource Graph, or of a list, is the same as
 * when a read of the resource found it in sync. Any difference or doubt leads to a reconcile; a row never decides about a PUT.
 */
export class BatchDriftDetection {
  private readonly baselines: BaselineStore;
  private readonly fallbacks = new Fallbacks();
  private readonly groups = new Map<string, Group>();
  private readonly groupOf = new Map<string, string>();
  private readonly clients = new WeakMap<ArmClient, number>();
  private readonly stopping = new AbortController();
  private clientCount = 0;

  public constructor(private readonly options: BatchDriftDetectionOptions) {
    const { syncPeriod, fullReadPeriod = FULL_READ_PERIOD_MS, lag = LAG } = options;
    // One listener for each pending query of a group.
    setMaxListeners(0, this.stopping.signal);
    this.baselines = new BaselineStore({ syncPeriod, fullReadPeriod, lag });
  }

  /**
   * Whether the object is known to be in sync in Azure. False in doubt: then a reconcile has to check, and `reconcileEnded` must be
   * called after it.
   */
  public async confirms(key: ObjectId): Promise<boolean> {
    const verdict = await this.verdictOf(key);
    this.options.observer?.onVerdict?.(verdict);
    if (verdict !== 'confirmed') this.baselines.reconcileBegins(sharedKeyOf(key), this.options.clock.now());
    return verdict === 'confirmed';
  }

  /** Milliseconds until the next check of a confirmed object, where a sync is due `period` after a check: rows lag behind the resource. */
  public nextIn(key: ObjectId, period: number): number {
    return this.baselines.confirmed(sharedKeyOf(key), this.options.clock.now(), period);
  }

  /** Called when a reconcile has ended. */
  public reconcileEnded({ key, object, actions, result, nextIn }: ReconcileReport): void {
    const name = sharedKeyOf(key);
    const subject = result.kind === 'success' ? this.options.subjectOf(key) : undefined;
    if (!subject) return this.forget(name);
    this.baselines.reconcileEnded(name, subject, {
      now: this.options.clock.now(),
      // A reconcile that is complete has the resource from a read, or from the answer to its PUT or poll.
      isInOrder: actions.includes('read') || actions.includes('complete'),
      hasSent: actions.some((action) => action === 'put' || action === 'poll'),
      status: statusDigestOf((object.status ?? {}) as Struct),
      nextIn,
    });
    this.place(name, subject);
  }

  /** Called when a reconcile has ended without a result: it may have sent a PUT of which no record tells, so older rows prove nothing. */
  public reconcileFailed(key: ObjectId): void {
    this.forget(sharedKeyOf(key));
  }

  /** Sends no more queries. */
  public stop(): void {
    this.stopping.abort(new Error('the detection has been stopped'));
  }

  private async verdictOf(key: ObjectId): Promise<Verdict> {
    const name = sharedKeyOf(key);
    const before = this.options.subjectOf(key);
    if (!before) return 'unknown';
    const verdict = this.baselines.judge(name, before, this.options.clock.now());
    if (verdict !== 'ask') return verdict;
    this.baselines.wanted(name, this.options.clock.now());
    const group = this.place(name, before);
    if (!this.isWorthAsking(group)) return 'ask';
    await this.inTime(this.ask(group));
    // The object may have changed during the wait.
    const after = this.options.subjectOf(key);
    return after ? this.baselines.judge(name, after, this.options.clock.now()) : 'unknown';
  }

  private isWorthAsking({ source, members, way, own }: Group): boolean {
    const now = this.options.clock.now();
    if (this.stopping.signal.aborted || !this.fallbacks.isOpen(way, now) || !this.fallbacks.isOpen(own, now)) return false;
    if (source.of === 'table') return true;
    let due = 0;
    for (const member of members) if (this.baselines.mayAsk(member, now) && ++due >= FEWEST_LISTED) return true;
    return false;
  }

  /** Collects the queries of a short time into one. */
  private ask(group: Group): Promise<void> {
    group.asking ??= this.options.clock.sleep(WINDOW, this.stopping.signal)
      .then(() => this.answered(group))
      .catch((error: unknown) => this.failed(group, error))
      .finally(() => (group.asking = undefined));
    return group.asking;
  }

  private async answered(group: Group): Promise<void> {
    const now = this.options.clock.now();
    const asked = new Map<string, string>();
    for (const member of [...group.members]) {
      if (this.baselines.isLost(member, now)) this.forget(member);
      else if (this.baselines.mayAsk(member, now)) asked.set(this.baselines.armIdOf(member)!.toLowerCase(), member);
    }
    const ids = [...asked.keys()];
    const { source } = group;
    if (source.of === 'list') return this.take(asked, ids, await this.rowsOf(group, ids), now);
    for (let from = 0; from < ids.length; from += MOST_IDS_OF_QUERY) {
      const at = this.options.clock.now();
      const some = ids.slice(from, from + MOST_IDS_OF_QUERY);
      this.take(asked, some, await this.rowsOf(group, some), at);
    }
  }

  private rowsOf({ source, credential }: Group, ids: readonly string[]): Promise<Struct[]> {
    const { clientFor = ({ client }) => client, observer } = this.options;
    const onAnswer = (rows: number) => observer?.onRequest?.(source.of, rows);
    const { signal } = this.stopping;
    return source.of === 'table'
      ? rowsOfTable(clientFor(credential), source.table, source.subscriptionId, ids, onAnswer, signal)
      : rowsOfList(clientFor(credential), source.url, source.apiVersion, onAnswer, signal);
  }

  private take(asked: ReadonlyMap<string, string>, ids: readonly string[], rows: readonly Struct[], at: number): void {
    const byId = new Map(rows.map((row) => [typeof row.id === 'string' ? row.id.toLowerCase() : '', row]));
    const until = this.options.clock.now();
    for (const id of ids) this.baselines.sighted(asked.get(id)!, byId.get(id), at, until);
  }

  private failed(group: Group, error: unknown): void {
    if (this.stopping.signal.aborted) return;
    // A refused query says something about its table only.
    const way = error instanceof ArmError && error.status === 400 ? group.own : group.way;
    const stays = this.fallbacks.close(way, error, this.options.clock.now());
    this.options.observer?.onFailure?.(group.source, group.credential.client.subscriptionId, error, stays);
  }

  /** A query without an answer must not block a worker. */
  private async inTime(answer: Promise<void>): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => (cancel = this.options.clock.schedule(LONGEST_WAIT, resolve)));
    await Promise.race([answer, late]);
    cancel();
  }

  private place(name: string, { source, credential }: Subject): Group {
    const number = this.numberOf(credential.client);
    const where = `${number} ${JSON.stringify(source).toLowerCase()}`;
    const way = source.of === 'table' ? `${number} ${source.subscriptionId}` : where;
    if (this.groupOf.get(name) !== where) this.leave(name);
    let group = this.groups.get(where);
    if (!group) this.groups.set(where, (group = { source, credential, members: new Set(), way, own: where }));
    group.members.add(name);
    this.groupOf.set(name, where);
    return group;
  }

  private leave(name: string): void {
    const where = this.groupOf.get(name);
    const group = where === undefined ? undefined : this.groups.get(where);
    this.groupOf.delete(name);
    if (!group) return;
    group.members.delete(name);
    if (group.members.size === 0) this.groups.delete(where!);
  }

  private forget(name: string): void {
    this.baselines.forget(name);
    this.leave(name);
  }

  private numberOf(client: ArmClient): number {
    let number = this.clients.get(client);
    if (number === undefined) this.clients.set(client, (number = ++this.clientCount));
    return number;
  }
}
