import type { StoredObject } from '../objects';

/** One write, as watches see it. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The resource, e.g. `secrets` or `storageaccounts.storage.azure.com`. */
  readonly resource: string;
  readonly resourceVersion: number;
  /** For DELETED: the last state, with the resourceVersion of the deletion. */
  readonly object: StoredObject;
  readonly previous?: StoredObject | undefined;
}
