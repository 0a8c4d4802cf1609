import type { ClaimSchema } from './claim-schema';

/** An older version of a kind that is still served. */
export interface OlderVersion<NewSpec> {
  /** Name of the version, e.g. `v1alpha1`. */
  readonly version: string;
  readonly schema: ClaimSchema<unknown>;
  /** Converts a spec of this version to the definition's version. */
  readonly upgrade: (spec: never) => NewSpec;
  /** Converts a spec of the definition's version to this version. */
  readonly downgrade: (spec: NewSpec) => unknown;
  /**
   * A warning for users of the version, which kubectl shows.
   * @default - the version is not deprecated
   */
  readonly deprecationWarning?: string;
}

/**
 * An older version of a kind, with its conversions. A spec that is converted to the newer version and back has to be the same.
 *
 * @param older name, schema and conversions
 */
export function olderVersion<OldSpec, NewSpec>(older: {
  readonly version: string;
  readonly schema: ClaimSchema<OldSpec>;
  readonly upgrade: (spec: OldSpec) => NewSpec;
  readonly downgrade: (spec: NewSpec) => OldSpec;
  readonly deprecationWarning?: string;
}): OlderVersion<NewSpec> {
  return older as OlderVersion<NewSpec>;
}
