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
  /** A request to Azure is sent at most so long after the owners of its object were read, by the clock of its process. */
  confirmed: 2_000,
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

const MOST_REMEMBERED = 20_000;
const owners = new Map<string, string | undefined>();

/** Of all members the one with the greatest hash. */
function ownerOf(members: readonly string[], key: string): string | undefined {
  const text = `${members.join()}\n${key}`;
  if (owners.size > MOST_REMEMBERED) owners.clear();
  if (!owners.has(text)) owners.set(text, greatest(members, key));
  return owners.get(text);
}

function greatest(members: readonly string[], key: string): string | undefined {
  const hashed = members.map((member) => [createHash('sha256').update(`${member}\n${key}`).digest('hex'), member] as const);
  return hashed.sort(([one], [other]) => (one < other ? 1 : -1))[0]?.[1];
}

/** An object of a namespace, with its root; or what concerns the namespace as a whole. */
export interface Share {
  readonly namespace: string;
  readonly root?: string | undefined;
}

export function isSplitIn({ split }: PublishedView, namespace: string): boolean {
  return split.includes(namespace);
}

/** Whether a view gives a share to a replica: trees count in the namespaces that it splits. */
export function gives(view: PublishedView, replica: string, { namespace, root }: Share): boolean {
  const key = root !== undefined && isSplitIn(view, namespace) ? `${namespace}/${root}` : namespace;
  return view.members.includes(replica) && ownerOf(view.members, key) === replica;
}

/** Whether a replica's view claims any of what a share is in another view. */
export function claims(view: PublishedView, replica: string, share: Share, other: PublishedView): boolean {
  const { namespace, root } = share;
  const isPart = root === undefined && isSplitIn(view, namespace) && !isSplitIn(other, namespace);
  return view.members.includes(replica) && (isPart || gives(view, replica, share));
}
