import type { ComposeLimits, PolicyRule, PrintColumn } from '../../src/platform-api';
import type { Struct } from '../../src/util/records';

/** A kind that a definition may compose or read. */
export interface ComposedKindFacts {
  /** Group; empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Plural, as in URLs and in RBAC rules. Undefined if neither the definition nor the tables of this package know it. */
  readonly plural?: string;
  /** Whether its objects belong to a namespace. Undefined if that is not known. */
  readonly namespaced?: boolean;
}

/** A version of a kind. */
export interface ApiVersionFacts {
  /** Name, e.g. `v1`. */
  readonly name: string;
  /** OpenAPI 3.0 schema of `spec`, as the schema library gives it. */
  readonly schema: Struct;
  /** A warning for users of the version. */
  readonly deprecationWarning?: string;
}

/** A definition without its functions: all that is known of a kind outside of the worker threads. */
export interface ApiFacts {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly description?: string;
  /** The definition's columns of `kubectl get`. */
  readonly columns: readonly PrintColumn[];
  /** All served versions. The first is the definition's own: claims are stored and composed in it. */
  readonly versions: readonly [ApiVersionFacts, ...ApiVersionFacts[]];
  readonly composes: readonly ComposedKindFacts[];
  /** Kinds whose objects `compose` may read. */
  readonly reads: readonly ComposedKindFacts[];
  /** Whether outputs may be keys of ConfigMaps. */
  readonly configMapOutputs: boolean;
  /** Kinds of the same bundle whose claims hold up a deletion. */
  readonly heldBy?: readonly Pick<ComposedKindFacts, 'group' | 'kind'>[];
  /** Further rights of the composer. */
  readonly rights?: readonly PolicyRule[];
  readonly limits: Required<ComposeLimits>;
}
