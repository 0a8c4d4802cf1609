import { MAX_MEMBERS, MAX_SPLIT, sorted, type Phase, type ShardCount } from './publication';
import type { LiveMember } from './roster';
import { EMPTY_VIEW, type View } from './view';

/** This process, as it takes part in a view. */
export interface Candidate {
  readonly member: string;
  readonly acquireTime: string;
  readonly phase: Phase;
  /** Its published view. */
  readonly view: View;
  readonly shards: ShardCount;
  readonly wantsSplit: readonly string[];
}

/** The state that this process should be in as soon as it can. */
export interface Target {
  readonly phase: 'active' | 'standby';
  readonly view: View;
}

/**
 * The view that follows from the members that are known. Replicas that know the same members get the same view of them, except that those
 * that are joining count each other already, so that three that start together do not each fill their caches for everything.
 */
export function targetOf(self: Candidate, others: readonly LiveMember[], missing: readonly string[] = []): Target {
  if (!isAmongFirst(self, others)) return { phase: 'standby', view: EMPTY_VIEW };
  const counted = others.filter(({ publication: { phase } }) => phase === 'active' || (phase === 'joining' && self.phase !== 'active'));
  // A member whose Lease was deleted stays in the view while it may act: so others that have never seen its Lease know of it.
  const acting = missing.filter((member) => self.view.members.includes(member));
  const members = sorted([self.member, ...sorted([...counted.map(({ member }) => member), ...acting]).slice(0, MAX_MEMBERS - 1)]);
  const split = sorted([...self.wantsSplit, ...counted.flatMap(({ publication }) => publication.wantsSplit)]).slice(0, MAX_SPLIT);
  return { phase: 'active', view: { members, split } };
}

/** Each replica judges for itself, by its own setting: the first of all is active under any. */
function isAmongFirst(self: Candidate, others: readonly LiveMember[]): boolean {
  const most = self.shards === 'auto' ? MAX_MEMBERS : Math.min(self.shards, MAX_MEMBERS);
  const before = others.filter((other) => other.publication.phase !== 'leaving' && isBefore(other, self));
  return before.length < most;
}

function isBefore(one: Pick<Candidate, 'acquireTime' | 'member'>, other: Pick<Candidate, 'acquireTime' | 'member'>): boolean {
  return one.acquireTime === other.acquireTime ? one.member < other.member : one.acquireTime < other.acquireTime;
}
