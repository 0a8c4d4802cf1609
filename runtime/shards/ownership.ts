/**
 * A piece of the cluster that one replica looks after at a time: a namespace, a tree of owners in it, or the work of the whole cluster.
 * Made by `namespaceKey` and `treeKey`.
 */
export type ShardKey = string;

/** The work that exists once in the cluster: CRDs, certificates of webhooks, garbage of Leases. */
export const CLUSTER_KEY: ShardKey = '';

/** A namespace. Where the namespace is split, only the work on the namespace itself: its objects have the keys of their trees. */
export function namespaceKey(namespace: string): ShardKey {
  return namespace;
}

/**
 * The tree of an owner without an owner, and all below it. Where the namespace is not split, it belongs to the owner of the namespace: a
 * caller that always asks for the tree need not know what is split.
 * @param root unique in the namespace and the same in every replica, for example the uid of the root
 */
export function treeKey(namespace: string, root: string): ShardKey {
  return `${namespace}/${root}`;
}

export function isNamespace(key: ShardKey): boolean {
  return key !== CLUSTER_KEY && !key.includes('/');
}

/** The part of the cluster that this process looks after. */
export interface Ownership {
  /** Whether this process may write for the key now. Synchronous; to be asked directly before every write. */
  owns(key: ShardKey): boolean;
  /** Whether the process owns, or is about to own, any key of the namespace: its objects are kept in memory. */
  watches(namespace: string): boolean;
  /** Namespaces that are split by owner tree in the published view. */
  isSplit(namespace: string): boolean;
}

/** The part of the cluster that a view gives to this process, whether it may write for it already or not. */
export interface Assignment extends Ownership {
  /** Identities of the replicas that share the work, sorted. Empty: this process gets nothing. */
  readonly members: readonly string[];
}

/** The rest of the process, as the protocol sees it. */
export interface ShardHost {
  /**
   * Before a view is published: begins to fill caches for what `next` gains, and ends the work on what it loses. Resolves when both are
   * done. From the call on, until the next one, no work begins that `next` does not give. What is lost is owned until the call resolves, so
   * that work can end in good order. When the signal aborts, the time is over: that work has to end at once. A call that rejects before is
   * made again. Another call may come before this one has resolved; then only that one counts.
   */
  prepare(next: Assignment, signal: AbortSignal): Promise<void>;
  /**
   * A member seems to be gone: `next` comes if it is. Caches may be filled for what `next` gains; nothing else changes. Undefined: the view
   * stays as it is. A call of `prepare` ends an expectation, too.
   */
  expect(next: Assignment | undefined): void;
  /** Owned keys may have changed. */
  changed(): void;
}

/** Owns everything: a process without shards. */
export const SOLE_OWNERSHIP: Ownership = { owns: () => true, watches: () => true, isSplit: () => false };
