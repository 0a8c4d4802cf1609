import { Claims } from '../../../../runtime/shards/claims';
import { Fence, type TermName } from '../../../../runtime/shards/fence';
import { GroupLease } from '../../../../runtime/shards/group-lease';
import { OwnershipUpdater } from '../../../../runtime/shards/ownership-updater';
import { Roster } from '../../../../runtime/shards/roster';
import type { Rival } from '../../../../runtime/shards/snapshot';
import { ViewMap } from '../../../../runtime/shards/view';
import { ViewChanges } from '../../../../runtime/shards/view-changes';
import { replaced, type Undo } from '../../../simulation/replaced';

type Acts = () => Undo;

/** Members that are private to the protocol. */
const inside = <T>(target: unknown) => target as T;
const rosterParts = inside<{
  observed(lease: { spec?: Record<string, unknown> }, requestedMs: number, answeredMs: number): Record<string, unknown>;
  valid(): readonly { publication?: unknown; isGone: boolean }[];
}>(Roster.prototype);

/** The rivals of the last list, by process. */
function lastRivals(use: (rivalsOf: (claims: Claims) => readonly Rival[]) => Undo): Undo {
  const known = new WeakMap<Claims, readonly Rival[]>();
  const undoProve = replaced(Claims.prototype, 'prove', (real) => function prove(this: Claims, serial, rivals) {
    known.set(this, rivals);
    real.call(this, serial, rivals);
  });
  const undo = use((claims) => known.get(claims) ?? []);
  return () => {
    undo();
    undoProve();
  };
}

const ofTerm = (name: TermName, change: (real: (term: TermName) => boolean, fence: Fence) => boolean): Acts => () => (
  replaced(Fence.prototype, 'isCurrent', (real) => function isCurrent(this: Fence, term) {
    const whole = (asked: TermName) => real.call(this, asked);
    return term === name ? change(whole, this) : whole(term);
  })
);

const both = (...acts: readonly Acts[]): Acts => () => {
  const undo = acts.map((act) => act());
  return () => undo.reverse().forEach((back) => back());
};

/** Plausible mistakes in the protocol. Each has to be found by some seed. */
export const MUTANTS: Readonly<Record<string, Acts>> = {
  'no list is read after a publication': () => lastRivals((rivalsOf) => (
    replaced(Claims.prototype, 'acknowledged', (real) => function acknowledged(this: Claims, publication) {
      const before = this.serial;
      real.call(this, publication);
      if (this.serial !== before) this.prove(this.serial, rivalsOf(this));
    })
  )),

  'what is sent counts as published': () => lastRivals((rivalsOf) => (
    replaced(Claims.prototype, 'sending', (real) => function sending(this: Claims, publication) {
      const isNew = this.narrows(publication.view);
      real.call(this, publication);
      if (!isNew) return;
      this.acknowledged(publication);
      this.prove(this.serial, rivalsOf(this));
    })
  )),

  'a view is published before the host is prepared': () => (
    replaced(ViewChanges.prototype, 'prepare', (real) => async function prepare(this: ViewChanges, next) {
      void real.call(this, next);
    })
  ),

  'the end of the own term is not checked': both(
    ofTerm('own', () => true),
    () => replaced(Fence.prototype, 'hasEnded', () => () => false),
    () => replaced(Fence.prototype, 'left', () => () => 5_000),
  ),

  'the wall clock is not checked': ofTerm('own', (_, fence) => !fence.hasEnded('own')),

  'a suspended process trusts its old lists': () => replaced(Claims.prototype, 'forget', () => () => undefined),

  'a process may come back without new lists': both(
    () => replaced(Claims.prototype, 'forget', () => () => undefined),
    () => replaced(Fence.prototype, 'hasEnded', () => () => false),
    () => replaced(Fence.prototype, 'left', () => () => 5_000),
  ),

  'the Lease of the group is not checked': ofTerm('group', () => true),

  'reads of the group\'s Lease renew the term': () => (
    replaced(GroupLease.prototype, 'turn', (real) => async function turn(this: GroupLease) {
      const parts = inside<{ seen?: object; fence: Fence; clocks: { now(): number; elapsed(): number } }>(this);
      if (parts.seen === undefined) return real.call(this);
      parts.fence.renew('group', { now: parts.clocks.now(), elapsed: parts.clocks.elapsed() });
      return '';
    })
  ),

  'the last but one gives up the group\'s Lease': () => (
    replaced(GroupLease.prototype, 'release', (real) => function release(this: GroupLease) {
      return real.call(this, async () => false);
    })
  ),

  'a view that is not understood counts as none': () => (
    replaced(rosterParts, 'valid', (real) => function valid(this: unknown) {
      return real.call(inside(this)).filter(({ publication, isGone }) => publication !== undefined || isGone);
    })
  ),

  'a Lease that has disappeared counts as released': () => (
    replaced(rosterParts, 'valid', (real) => function valid(this: unknown) {
      return real.call(inside(this)).filter(({ isGone }) => !isGone);
    })
  ),

  'the end of a Lease is judged by its renewTime': () => (
    replaced(rosterParts, 'observed', (real) => function observed(this: unknown, lease, requestedMs, answeredMs) {
      const wall = 1_700_000_000_000 + answeredMs - 1_000_000;
      return { ...real.call(inside(this), lease, requestedMs, answeredMs), unchangedMs: wall - Date.parse(String(lease.spec?.renewTime)) };
    })
  ),

  'a Lease ends after 5 s': () => (
    replaced(rosterParts, 'observed', (real) => function observed(this: unknown, lease, requestedMs, answeredMs) {
      return { ...real.call(inside(this), lease, requestedMs, answeredMs), durationMs: 5_000 };
    })
  ),

  'a new view does not end what was proven for the last': () => (
    replaced(Claims.prototype, 'sending', (real) => function sending(this: Claims, publication) {
      const parts = inside<{ proofs: unknown }>(this);
      const { proofs } = parts;
      real.call(this, publication);
      parts.proofs = proofs;
    })
  ),

  'a thread that hangs keeps what it owned': () => (
    replaced(OwnershipUpdater.prototype, 'narrow', (real) => async function narrow(this: OwnershipUpdater, publication) {
      const { fence } = inside<{ options: { fence: Fence } }>(this).options;
      const { epoch } = fence;
      await real.call(this, publication);
      fence.epoch = epoch;
    })
  ),

  'a tree does not overlap with its namespace': () => (
    replaced(ViewMap.prototype, 'overlaps', () => function overlaps(this: ViewMap, member, key) {
      return this.gives(member, key);
    })
  ),

  'claims of others do not count': () => replaced(Roster.prototype, 'rivals', () => () => []),
};
