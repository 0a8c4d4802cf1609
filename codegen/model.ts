import type { Catalog, KindVersion, PropertyFacts, Validations } from '../src/catalog';

/** Source of the kinds: the catalog, or imported kinds. */
export type KindSource = Pick<Catalog, 'kind' | 'kindsOf' | 'service'>;

/** The content of a service's files, without their wording. */
export interface ServiceModel {
  /** Name of the service, e.g. `network.frontdoor`. */
  readonly service: string;
  /** Name of the jsii submodule, e.g. `networkfrontdoor`. */
  readonly submodule: string;
  readonly kinds: KindModel[];
  /** Types and enums that more than one kind uses, sorted by name. */
  readonly shared: Declared[];
  /** Struct → the properties that use it, e.g. `StorageAccountProps.sku`. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
}

export interface KindModel {
  readonly version: KindVersion;
  readonly className: string;
  readonly fileName: string;
  readonly owner: OwnerModel;
  readonly spec: StructModel;
  /** Types and enums that only this kind uses, in the order of first use. */
  readonly own: Declared[];
  readonly outputs: OutputModel[];
  readonly secretOutputs: OutputModel[];
}

export type OwnerModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  /** The kind has an owner, but its kind is unknown or has no class; only for imported kinds. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'known'; readonly submodule: string; readonly className: string; readonly fileName: string; readonly byNameOnly: boolean };

/** A value or secret from Azure: a getter of the outputs class. */
export interface OutputModel {
  readonly specName: string;
  readonly propName: string;
  /** Dotted path in the status, or another source of the value. */
  readonly source: string | undefined;
}

export type Declared = StructModel | EnumModel;

export interface StructModel {
  readonly is: 'struct';
  readonly name: string;
  /** Name in the catalog. */
  readonly specName: string;
  readonly oneOf: boolean;
  /** Whether objects of the type are sent to ARM. */
  readonly arm: boolean;
  readonly properties: PropertyModel[];
}

export interface PropertyModel {
  readonly specName: string;
  readonly propName: string;
  readonly type: TypeModel;
  readonly facts: PropertyFacts;
  /** Validations of the elements of a list or map. */
  readonly elements?: Validations | undefined;
}

export interface EnumModel {
  readonly is: 'enum';
  readonly name: string;
  /** The struct of the property that uses the enum. */
  readonly structName: string;
  readonly propName: string;
  readonly members: { readonly name: string; readonly value: string }[];
}

export type TypeModel =
  | { readonly is: 'scalar'; readonly text: 'string' | 'number' | 'boolean' | 'any' }
  | { readonly is: 'array' | 'map'; readonly of: TypeModel }
  /** A struct or enum of this service. */
  | { readonly is: 'declared'; readonly name: string }
  /** A type of core. */
  | { readonly is: 'core'; readonly name: string }
  /** The reference interface of the owner's kind. */
  | { readonly is: 'owner' };
