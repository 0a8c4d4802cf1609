import type { Catalog, KindVersion, PropertyFacts, Validations } from '../src/catalog';

/** Where code generation reads kinds: the catalog, or what was imported. */
export type KindSource = Pick<Catalog, 'kind' | 'kindsOf' | 'service'>;

/** What is written for a service, worked out but not yet put into words. */
export interface ServiceModel {
  /** `network.frontdoor` */
  readonly service: string;
  /** `networkfrontdoor` */
  readonly submodule: string;
  readonly kinds: KindModel[];
  /** Types and enums that more than one kind uses, sorted by name. */
  readonly shared: Declared[];
  /** Struct → where it stands, as `StorageAccountProps.sku`. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
}

export interface KindModel {
  readonly version: KindVersion;
  readonly className: string;
  readonly fileName: string;
  readonly owner: OwnerModel;
  readonly spec: StructModel;
  /** Types and enums that only this kind uses, in the order in which they are met. */
  readonly own: Declared[];
  readonly outputs: OutputModel[];
  readonly secretOutputs: OutputModel[];
}

export type OwnerModel =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  /** There is one, but of which kind nobody knows, or no class is for that kind: only imported kinds have such an owner. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'known'; readonly submodule: string; readonly className: string; readonly fileName: string; readonly byNameOnly: boolean };

/** A value or secret that Azure gives: a getter of the outputs class. */
export interface OutputModel {
  readonly specName: string;
  readonly propName: string;
  /** Dotted path in the status, or how else the value is found. */
  readonly source?: string;
}

export type Declared = StructModel | EnumModel;

export interface StructModel {
  readonly is: 'struct';
  readonly name: string;
  /** Name in the catalog. */
  readonly specName: string;
  readonly oneOf: boolean;
  /** Whether objects of the type go to ARM. */
  readonly arm: boolean;
  readonly properties: PropertyModel[];
}

export interface PropertyModel {
  readonly specName: string;
  readonly propName: string;
  readonly type: TypeModel;
  readonly facts: PropertyFacts;
  /** Validations of the elements of a list or map. */
  readonly elements?: Validations;
}

export interface EnumModel {
  readonly is: 'enum';
  readonly name: string;
  /** Where it stands: the struct and the property. */
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
