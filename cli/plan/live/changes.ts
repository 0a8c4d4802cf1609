import type { Refusal } from '../../diff/changes';
import type { Manifest } from '../../manifests/manifests';

/** The action of the controller on a resource. */
export type Fate = 'create' | 'update' | 'noChange' | 'delete' | 'unknown';

/** One place at which Azure has something else than the files want. */
export interface PropertyDifference {
  /**
   * JSON pointer into the request body, as in the controller's event `Drift`. An element of a list that only Azure has is named in
   * brackets: `/properties/accessPolicies/[objectId=…]`.
   */
  readonly path: string;
  /** The path with the names of elements in the place of their numbers. Absent where `path` has no numbers. */
  readonly named?: string;
  /** Only Azure has an entry, or so many elements, and the files do not want it: sending the resource takes it away. */
  readonly onlyInAzure?: number;
  /** The value in Azure; absent where it has nothing, or where it must not be shown. */
  readonly old?: string;
  /** The value in the files; absent where they want nothing, or where it must not be shown. */
  readonly new?: string;
  /** Which value has to be there first: then it is not known whether anything differs. */
  readonly unknown?: string;
  /** Azure refuses the change. */
  readonly refusal?: Refusal;
}

/** The planned change of one object's resource. */
export interface LiveChange {
  readonly manifest: Manifest;
  readonly fate: Fate;
  /** Absent where it depends on what does not exist yet, and for objects that are no ARM resources. */
  readonly armId?: string | undefined;
  readonly armApiVersion?: string;
  /** Of an update, and of what is unknown because a value is. */
  readonly properties: readonly PropertyDifference[];
  /** Why it is unknown. */
  readonly reason?: string;
  /** Azure gave no answer: nothing else in this plan explains it. */
  readonly unreadable?: true;
  /** Further notes. */
  readonly notes: readonly string[];
}
