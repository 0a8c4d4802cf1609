import type { PropertyNotes } from './read-property-notes';
import type {
  BodyChange, NamedOutputFacts, NameRuleFacts, PropertyFacts, Quantity, SecretSources, ServiceFacts, StatusFacts,
} from '../../src/catalog';

/** A hand-kept fact, with its reason. */
export interface Kept {
  /** Why the fact is needed or true although the source does not contain it. */
  readonly reason: string;
  /** The evidence: files of ASO's source, issues, recorded responses. */
  readonly evidence?: readonly string[];
}

/** A hand-kept fact of a kind, by group and name: `storage.azure.com/StorageAccount`. */
export interface KeptOfKind extends Kept {
  readonly kind: string;
}

export interface BodyChangeOverlay extends KeptOfKind {
  readonly arm: string;
  readonly how: BodyChange['how'];
}

export interface SecretSourceOverlay extends KeptOfKind {
  readonly calls?: SecretSources['calls'];
  /** `null` if the destination is never filled. */
  readonly values: Readonly<Record<string, string | null>>;
  readonly base64?: readonly string[];
}

/** Rules for names that share a reason. */
export interface NameRuleOverlay extends Kept {
  /** ARM type in lower case → rule. */
  readonly rules: Readonly<Record<string, NameRuleFacts>>;
}

/** Values of a kind that people need beyond the operator's own exports. */
export interface OutputOverlay extends KeptOfKind {
  readonly outputs?: Readonly<Record<string, NamedOutputFacts>>;
  readonly secretOutputs?: Readonly<Record<string, NamedOutputFacts>>;
}

/** Measures of properties: by the end of their names, or by service, type and name. */
export interface QuantityOverlay extends Kept {
  readonly suffixes?: Readonly<Record<string, Quantity>>;
  readonly properties?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Quantity>>>>>>;
}

/** Facts of a property for comparisons of a resource with its spec. `false` is a decision for the default. */
export type ComparisonFacts = Pick<
  PropertyFacts, 'spelling' | 'ordered' | 'caseSensitiveKeys' | 'identity' | 'childType' | 'addedByAzure'
> & { readonly filledByAzure?: boolean };

/** Facts for comparisons; those of later entries replace those of earlier ones. */
export interface ComparisonOverlay extends Kept {
  readonly facts?: ComparisonFacts;
  /** Names of properties, in all types, that are texts or lists of texts. */
  readonly names?: readonly string[];
  /** Service → type → names of properties. */
  readonly properties?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Whether the facts are those of tags, in all types. */
  readonly tags?: true;
  /** Members that identify the elements of any list: the first one that the type of the elements has. */
  readonly identities?: readonly string[];
}

/** A service whose kinds ASO has not: the facts of the catalog's files, kept by hand. */
export interface OwnService extends Kept {
  readonly facts: ServiceFacts;
  readonly status: StatusFacts;
}

/** All hand-kept facts. */
export interface Overlays {
  readonly leftOut: readonly KeptOfKind[];
  readonly bodyChanges: readonly BodyChangeOverlay[];
  readonly secretSources: readonly SecretSourceOverlay[];
  readonly nameRules: readonly NameRuleOverlay[];
  readonly properties: PropertyNotes;
  readonly outputs: readonly OutputOverlay[];
  readonly quantities: readonly QuantityOverlay[];
  readonly comparison: readonly ComparisonOverlay[];
  /** The kinds that ASO has not. */
  readonly ownKinds: readonly OwnService[];
}

export const NO_OVERLAYS: Overlays = {
  leftOut: [],
  bodyChanges: [],
  secretSources: [],
  nameRules: [],
  properties: new Map(),
  outputs: [],
  quantities: [],
  comparison: [],
  ownKinds: [],
};
