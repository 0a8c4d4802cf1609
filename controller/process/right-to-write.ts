import type { Supervision } from '../supervisor';

/** The right of this process to change anything, among its replicas. */
export interface RightToWrite {
  /** Whether this process may change anything in Azure now. */
  readonly mayWrite: boolean;
  /** Whether this process does the work that exists once in the cluster. */
  readonly mayWriteForCluster: boolean;
  /** Aborts when the right is lost; undefined: this process has not had it. */
  readonly lost: AbortSignal | undefined;
  /** Resolves when this process may begin: it leads, or is one of those that share the work. */
  lead(supervision: Supervision, signal: AbortSignal): Promise<void>;
  /** Lets another replica have it at once. */
  release(): Promise<void>;
}
