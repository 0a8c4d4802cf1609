/**
 * The types of the files in `catalog/`, as its README describes them. Facts only: derived values are in `kind.ts` and in the packages that
 * read the catalog.
 */

import type { Quantity } from './quantity';

/** HTTP methods that an ARM resource type supports. */
export type Operation = 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

/** `catalog/<service>.json`. */
export interface ServiceFacts {
  readonly group: string;
  readonly service: string;
  readonly kinds: Record<string, KindFacts>;
  /** Version → type name → type. */
  readonly types: Record<string, Record<string, TypeFacts>>;
}

/** `catalog/status/<service>.json`. */
export interface StatusFacts {
  readonly group: string;
  readonly service: string;
  readonly statusTypes: Record<string, Record<string, TypeFacts>>;
}

export interface KindFacts {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: string[];
  readonly categories?: string[];
  readonly latest: string;
  readonly storageVersion: string;
  readonly extensions?: string[];
  readonly secretSources?: SecretSources;
  /** Values for ConfigMaps by name: those beyond the operator's own exports, and the documentation of these. */
  readonly outputs?: Readonly<Record<string, NamedOutputFacts>>;
  /** The same for Secrets. */
  readonly secretOutputs?: Readonly<Record<string, NamedOutputFacts>>;
  /** Newest first. */
  readonly versions: Record<string, VersionFacts>;
}

/** A value of a kind that users ask for by name. */
export interface NamedOutputFacts {
  /** A text with `${status.…}`, `${spec.…}`, `${metadata.…}` or `${secret.…}` in it. Absent for an export of the operator's own. */
  readonly value?: string;
  /** A sentence about the value. */
  readonly text: string;
}

export interface SecretSources {
  readonly calls?: Record<string, { readonly method: string; readonly path: string; readonly apiVersion?: string }>;
  readonly values: Record<string, string>;
  readonly base64?: string[];
}

export interface VersionFacts {
  /** Set if the facts come from a CRD, not from the catalog; facts that a CRD lacks are absent. */
  readonly imported?: true;
  readonly sameAs?: string;
  readonly since?: string;
  readonly deprecated?: boolean;
  readonly handwritten?: boolean;
  readonly arm?: { readonly type: string; readonly apiVersion: string; readonly uri: string };
  readonly scope?: 'resourcegroup' | 'extension' | 'tenant' | 'location';
  readonly operations?: Operation[];
  readonly owner?: { readonly group: string; readonly kind: string } | 'any' | null;
  readonly name?: 'azureName' | { readonly fixed: string } | null;
  readonly nameInBody?: boolean;
  readonly spec?: string;
  readonly status?: string;
  readonly exports?: ExportFacts;
  readonly bodyChanges?: BodyChange[];
}

export interface ExportFacts {
  /** Property of `operatorSpec.configMaps` → dotted path in status; `null` if custom code determines the value. */
  readonly configMaps?: Record<string, string | null>;
  /** Name of the property with the ConfigMap destinations, if it is not `configMaps`. */
  readonly configMapsProperty?: string;
  readonly secrets?: string[];
  readonly expressions?: boolean;
}

export interface BodyChange {
  readonly arm: string;
  readonly how: 'keepExisting' | 'mergeByName' | 'wellKnownRole' | 'recoverOrCreate';
  readonly shape?: BodyShape;
}

/** Properties of an existing element that are kept; `1` keeps the value unchanged. */
export interface BodyShape {
  readonly [property: string]: 1 | BodyShape;
}

/** Azure's rules for the names of an ARM type, beyond the patterns of the schema. */
export interface NameRuleFacts {
  /** The scope in which a name has to be unique. */
  readonly scope?: 'global' | 'tenant' | 'subscription' | 'region' | 'resourceGroup' | 'parent';
  readonly min?: number;
  readonly max?: number;
  /** A JavaScript regular expression. */
  readonly pattern?: string;
  readonly flags?: string;
  /** The pattern in words, after the lengths: `3 to 24` + ` ` + `letters and digits`. */
  readonly text?: string;
}

export interface TypeFacts {
  /** `false`: objects of this type are not sent to ARM as such. */
  readonly arm?: false;
  readonly oneOf?: true;
  readonly discriminator?: string;
  readonly order?: string[];
  readonly props: Record<string, PropertyFacts>;
}

/** Validations as in the CRD. */
export interface Validations {
  readonly enum?: (string | number | boolean)[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
}

export type Role =
  | 'owner'
  | 'azureName'
  | 'operatorSpec'
  | 'armReference'
  | 'wellKnownReference'
  | 'secret'
  | 'secretMap'
  | 'configMap'
  | 'userAssignedIdentities'
  | 'conditions';

export interface PropertyFacts extends Validations {
  /** The measure of the value, with its form or unit. */
  readonly quantity?: Quantity;
  /** The CRD's description of the property, for doc comments. The catalog has none. */
  readonly description?: string;
  readonly type: TypeExpression;
  readonly required?: true;
  readonly role?: Role;
  /** Path inside the ARM object, segments separated by `/`; `null`: not sent; absent: the property's own name. */
  readonly arm?: string | null;
  readonly inline?: true;
  readonly when?: string;
  readonly alternativeTo?: string;
  readonly emit?: 'null' | 'empty';
  readonly mapKeyFromReference?: string;
  /** Azure refuses another value once the resource exists: without exception, or but for some changes. */
  readonly immutable?: true | ChangeFacts;
  /** Which texts mean the same, where the form of the text does not say it. Of lists and maps: that of their elements. */
  readonly spelling?: Spelling;
  /** The order of the elements has a meaning. Absent: Azure may answer with another order. */
  readonly ordered?: true;
  /** Keys that differ by their case are two keys. Absent: Azure ignores the case of keys. */
  readonly caseSensitiveKeys?: true;
  /** Members in ARM that tell the elements of a list apart. */
  readonly identity?: readonly string[];
  /** Azure keeps or fills in entries of its own where an empty list or map, or null, is sent. Absent: that removes all entries. */
  readonly filledByAzure?: true;
  /** ARM type of which the elements are resources of their own as well. */
  readonly childType?: string;
  /** Entries that Azure adds: regular expressions for keys of a map, names or texts of a list. */
  readonly addedByAzure?: readonly string[];
}

/** The changes of a property that Azure takes once the resource exists. It refuses all others. */
export interface ChangeFacts {
  /**
   * The changes that Azure takes; absent: none. `up`: to a greater number or version, or to a later value of `order`. `added`: of a list,
   * more elements. `elements`: of a list, other elements, unless one of the lists is empty.
   */
  readonly takes?: readonly ('up' | 'added' | 'elements' | TakenValues)[];
  /** Least first. A change from or to a value that is not in it is not up. */
  readonly order?: readonly string[];
  /** Azure's value where the property is left out at creation; absent: not known, so that setting the property is no change. */
  readonly leftOut?: string | number | boolean | readonly [];
  /** Leaving out the property of an existing resource means `leftOut`; absent: it keeps the value. */
  readonly resets?: true;
  /** Of a list, the names of the elements that may not come or go; absent: all. */
  readonly elements?: readonly string[];
  /** Siblings with the values that lift the refusal, by their name in specs and bodies. */
  readonly unless?: Readonly<Record<string, string | number | boolean>>;
  /** When Azure refuses the change, as it continues "Azure refuses this change"; absent: always. */
  readonly when?: string;
  /** The kinds that it is about, of those with the type; absent: all. */
  readonly kinds?: readonly string[];
  /** Azure's code of the refusal; absent: PropertyChangeNotAllowed. */
  readonly code?: string;
}

/** Changes between values: texts that end with `*` stand for all that begin so. An absent side stands for any value. */
export interface TakenValues {
  readonly from?: readonly (string | number | boolean)[];
  readonly to?: readonly (string | number | boolean)[];
}

/** `catalog/README.md` describes the spellings. */
export const SPELLINGS = ['region', 'caseless', 'hostName', 'shortVersion', 'exact', 'byForm'] as const;

export type Spelling = (typeof SPELLINGS)[number];

export type Scalar = 'string' | 'integer' | 'number' | 'boolean' | 'json';

export type TypeExpression =
  | Scalar
  | { readonly array: TypeExpression }
  | { readonly map: TypeExpression }
  | { readonly ref: string }
  | { readonly common: string }
  | ConstrainedType;

/** An element type with separate validations; only inside `array` and `map`. */
export interface ConstrainedType extends Validations {
  readonly type: TypeExpression;
}
