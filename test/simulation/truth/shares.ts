import { createHash } from 'node:crypto';

/** The annotation that a replica publishes on its Lease (docs/sharding.md). */
export interface PublishedView {
  readonly phase: string;
  readonly members: readonly string[];
  readonly split: readonly string[];
}

export const VIEW = 'aso.cdk8s.io/shard-view';
export const MEMBER_LEASE = 'cdk8s-aso-shard-';
export const GROUP_MEMBERS = 'cdk8s-aso-shards';

/** Milliseconds by a clock of true time, as the documents have them. */
export const RULES = {
  /** A replica writes for so long after it has sent its last renewal. */
  term: 10_000,
  /** By so much the clocks of a process may differ from true time before the term is in doubt. */
  drift: 2_000,
  /** Others take a replica for dead when its Lease has been unchanged for so long. */
  lease: 15_000,
};

/** The view of a Lease; undefined: it cannot be read. */
export function viewOf(annotation: string | undefined): PublishedView | undefined {
  try {
    const { phase, members, split } = JSON.parse(annotation ?? '') as PublishedView;
    return { phase, members, split };
  } catch {
    return undefined;
  }
}

/** Of all members the one with the greatest hash. */
export function ownerOf(members: readonly string[], key: string): string | undefined {
  const hashed = members.map((member) => [createHash('sha256').update(`${member}\n${key}`).digest('hex'), member] as const);
  return hashed.sort(([one], [other]) => (one < other ? 1 : -1))[0]?.[1];
}

/** Whether a view gives a namespace to a replica. */
export function gives(view: PublishedView, replica: string, namespace: string): boolean {
  return view.members.includes(replica) && ownerOf(view.members, namespace) === replica;
}
