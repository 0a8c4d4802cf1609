import type { Catalog, KindVersion, PropertyDoc, PropertyFacts, Validations } from '../src/catalog';

/** Source of the kinds: the catalog, or imported kinds. */
export type KindSource = Pick<Catalog, 'kind' | 'kindsOf' | 'service' | 'docs'>;

/** The content of a service's files, without their wording. */
export interface ServiceModel {
  /** Name of the service, e.g. `network.frontdoor`. */
  readonly service: string;
  /** Name of the jsii submodule, e.g. `networkfrontdoor`. */
  readonly submodule: string;
  readonly kinds: KindModel[];
  /** The kinds that each owner creates, by the owner's class. */
  readonly children: ReadonlyMap<string, readonly ChildModel[]>;
  /** Types and enums that more than one kind uses, sorted by name. */
  readonly shared: Declared[];
  /** Struct → the properties that use it, e.g. `StorageAccountProps.sku`. */
  readonly uses: ReadonlyMap<string, readonly string[]>;
}

export interface KindModel {
  readonly version: KindVersion;
  readonly className: string;
  readonly fileName: string;
  /** Name of the jsii submodule of its service. */
  readonly submodule: string;
  readonly owner: OwnerModel;
  readonly spec: StructModel;
  /** Types and enums that only this kind uses, in the order of first use. */
  readonly own: Declared[];
  readonly outputs: OutputModel[];
  readonly secretOutputs: OutputModel[];
}

/** A kind that an owner creates by a method. */
export interface ChildModel {
  readonly kind: KindModel;
  /** Its name within the owner: `Container` for `addContainer`. */
  readonly name: string;
  /** The property of the owner that has the child, for a singleton with children of its own: `blobService`. */
  readonly property: string | undefined;
  /** The singleton between the owner and the child. */
  readonly through?: ChildModel;
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
  /** A sentence about the value. */
  readonly about?: string | undefined;
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
  /** Whether the props may leave out what the schema requires, because a scope may give it. */
  readonly byScope?: true;
  /** Validations of the elements of a list or map. */
  readonly elements?: Validations | undefined;
  /** The hand-kept documentation. */
  readonly doc?: PropertyDoc | undefined;
  /** First release of the operator with the property, if what contains the property is older. */
  readonly since?: string | undefined;
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
  | {
    readonly is: 'scalar';
    readonly text: 'string' | 'number' | 'boolean' | 'any';
    /** The class of cdk8s that stands for the value as well. */
    readonly or?: 'Duration' | 'Size' | undefined;
  }
  | { readonly is: 'array' | 'map'; readonly of: TypeModel }
  /** A struct or enum of this service. */
  | { readonly is: 'declared'; readonly name: string }
  /** A type of core. */
  | { readonly is: 'core'; readonly name: string }
  /** The reference interface of the owner's kind. */
  | { readonly is: 'owner' };
