import type { BodyChange, NameRuleFacts, SecretSources } from '../../src/catalog';

/** Every hand-kept fact says why it is kept. */
export interface Kept {
  /** Why the source does not say it, or why it is so. */
  readonly reason: string;
  /** Where it was seen: files of ASO's source, issues, recorded answers. */
  readonly evidence?: readonly string[];
}

/** A fact of a kind, by its group and name: `storage.azure.com/StorageAccount`. */
export interface KeptOfKind extends Kept {
  readonly kind: string;
}

export interface BodyChangeOverlay extends KeptOfKind {
  readonly arm: string;
  readonly how: BodyChange['how'];
}

export interface SecretSourceOverlay extends KeptOfKind {
  readonly calls?: SecretSources['calls'];
  /** `null`: the destination is never filled. */
  readonly values: Readonly<Record<string, string | null>>;
  readonly base64?: readonly string[];
}

/** Rules for names that have one reason. */
export interface NameRuleOverlay extends Kept {
  /** ARM type in lower case → rule. */
  readonly rules: Readonly<Record<string, NameRuleFacts>>;
}

/** All that is kept by hand. */
export interface Overlays {
  readonly leftOut: readonly KeptOfKind[];
  readonly bodyChanges: readonly BodyChangeOverlay[];
  readonly secretSources: readonly SecretSourceOverlay[];
  readonly nameRules: readonly NameRuleOverlay[];
}

export const NO_OVERLAYS: Overlays = { leftOut: [], bodyChanges: [], secretSources: [], nameRules: [] };
