import type { Chart } from 'cdk8s';
import type { Claim } from './claim';
import type { ClaimSchema } from './claim-schema';
import type { Composition } from './composition';
import type { OlderVersion } from './older-version';
import type { PolicyRule } from './policy-rule';

/** A kind of objects that `compose` creates or reads. */
export interface ComposedKind {
  /** Group; empty for the core group. */
  readonly group: string;
  /** The kind, e.g. `StorageAccount`. */
  readonly kind: string;
  /**
   * Plural, as in URLs, e.g. `certificates`. Required for kinds that are not Azure's, not Kubernetes' own and not of the same bundle.
   * @default - known for the kinds above
   */
  readonly plural?: string;
  /**
   * Whether its objects belong to a namespace.
   * @default - known for kinds of Azure and Kubernetes, true for others
   */
  readonly namespaced?: boolean;
}

/** A column of `kubectl get`. */
export interface PrintColumn {
  /** The heading. */
  readonly name: string;
  /** Path to the value in the object, e.g. `.spec.size`. */
  readonly jsonPath: string;
  /**
   * Type of the value.
   * @default string
   */
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /**
   * Whether only `kubectl get -o wide` shows the column.
   * @default false
   */
  readonly isWide?: boolean;
}

/** Limits of the composition of one claim. */
export interface ComposeLimits {
  /**
   * Maximum number of composed objects, 1 to 1000.
   * @default 200
   */
  readonly objects?: number;
  /**
   * Maximum duration of `compose` in seconds of work, 0.1 to 60. On a busy machine they may take five times as long.
   * @default 10
   */
  readonly seconds?: number;
  /**
   * Maximum heap of the thread of `compose` in MiB, 64 to 2048.
   * @default 256
   */
  readonly memoryMb?: number;
}

/** Properties of a kind of the platform's own. */
export interface ApiDefinitionProps<Spec> {
  /** API group, a domain of your own, e.g. `platform.example.com`. Not one of Kubernetes or Azure. */
  readonly group: string;
  /** The kind, e.g. `Service`. */
  readonly kind: string;
  /** Version in which claims are stored and composed, e.g. `v1`. */
  readonly version: string;
  /** Schema of `spec`. */
  readonly schema: ClaimSchema<Spec>;
  /**
   * Builds constructs for a claim, as in any chart, and answers what the status of the claim shows.
   *
   * The same claim must give the same objects: there is no network, no environment, no randomness, and the clock stands at the claim's
   * creation. All that it may know of the cluster besides is what `claim.read` gives. An error that it throws is the claim's condition
   * `Synced`.
   */
  readonly compose: (scope: Chart, claim: Claim<Spec>) => Composition | void;
  /**
   * The kinds that `compose` may create. The composer gets rights for these, and an object of any other kind is an error.
   *
   * A kind that `compose` no longer creates stays in the list until no claim has such objects, so that the composer can remove them. Empty
   * for a kind that composes nothing, e.g. one that other claims read.
   */
  readonly composes: readonly ComposedKind[];
  /**
   * The kinds whose objects `compose` may read with `claim.read`. The composer watches all objects of these in all namespaces. Not Secrets.
   * @default - none
   */
  readonly reads?: readonly ComposedKind[];
  /**
   * Whether outputs may be keys of ConfigMaps (`ComposedValue.fromConfigMap`), which gives the composer the right to get ConfigMaps.
   * Without it such an output is an error, unless `composes` or `reads` names ConfigMaps.
   * @default false
   */
  readonly configMapOutputs?: boolean;
  /**
   * Kinds of the same module whose claims hold up the deletion of a claim of this cluster-scoped kind: as long as there is one in the
   * namespace of the claim's name, nothing of the claim is deleted, and its condition Synced names them with the reason `InUse`.
   * @default - none
   */
  readonly heldBy?: readonly Pick<ComposedKind, 'group' | 'kind'>[];
  /**
   * Further rights of the composer: those that composed roles give, because the API server lets nobody give rights that he has not.
   * @default - none
   */
  readonly rights?: readonly PolicyRule[];
  /**
   * Whether claims belong to a namespace.
   * @default true
   */
  readonly namespaced?: boolean;
  /**
   * Plural, in lower case.
   * @default - the kind in lower case, with an `s` or what English asks for
   */
  readonly plural?: string;
  /**
   * Short names for kubectl.
   * @default - none
   */
  readonly shortNames?: readonly string[];
  /**
   * Categories of kubectl, e.g. `all`.
   * @default - none
   */
  readonly categories?: readonly string[];
  /**
   * The kind in a sentence, for `kubectl explain`.
   * @default - none
   */
  readonly description?: string;
  /**
   * Columns of `kubectl get`, before Synced, Ready, Reason and Age.
   * @default - none
   */
  readonly columns?: readonly PrintColumn[];
  /**
   * Older versions that are still served.
   * @default - none
   */
  readonly olderVersions?: readonly OlderVersion<Spec>[];
  /**
   * Limits of the composition of one claim.
   * @default - 200 objects, 10 s, 256 MiB
   */
  readonly limits?: ComposeLimits;
}

/** A kind of the platform's own, made by `defineApi`. The default export of a definition's module is one, or a list of them. */
export interface ApiDefinition extends Omit<ApiDefinitionProps<never>, 'compose' | 'olderVersions' | 'schema'> {
  readonly schema: ClaimSchema<unknown>;
  readonly reads: readonly ComposedKind[];
  readonly plural: string;
  readonly namespaced: boolean;
  readonly limits: Required<ComposeLimits>;
  readonly olderVersions: readonly OlderVersion<never>[];
  readonly compose: (scope: Chart, claim: Claim<never>) => Composition | void;
}
