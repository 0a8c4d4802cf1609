import type { StoredObject } from '../objects';
import type { Resolved } from '../resources/registry';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** The target of a write, from its path and query. */
export interface Target extends Resolved {
  /** '' for cluster-scoped resources. */
  readonly namespace: string;
  /** '' when a collection is meant. */
  readonly name: string;
  readonly subresource?: 'status';
}

export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: FieldValidation;
  readonly fieldManager?: string | undefined;
  readonly force: boolean;
}

export interface Written {
  readonly object: StoredObject;
  readonly created?: boolean;
  /** For the `Warning` header. */
  readonly warnings: readonly string[];
}

export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}
