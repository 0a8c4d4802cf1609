import type { View } from './view';

/** A claim of another member: by its view, or to everything. */
export interface Rival {
  readonly member: string;
  /** Absent: it is not known, so everything. */
  readonly view?: View;
}

/**
 * One list that was read after a publication. What all the own views since then give to this process, and no rival of the list claims, it
 * owns: those that claim it later see the claim of this process, and yield.
 */
export interface Proof {
  /** The views that others may have seen in the own Lease since the list. */
  readonly views: readonly View[];
  readonly rivals: readonly Rival[];
}

/** All that ownership depends on, apart from the fence: plain data, which can be sent to another thread. */
export interface Snapshot {
  readonly member: string;
  readonly epoch: number;
  readonly proofs: readonly Proof[];
  /** The views that others may see in the own Lease. One, except while it is being written. */
  readonly views: readonly View[];
  /** The view that is being prepared. */
  readonly next?: View;
}
