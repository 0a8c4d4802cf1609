/** `catalog/docs/<service>.json`. */
export interface DocsFacts {
  readonly group: string;
  readonly service: string;
  readonly types: ServiceDocs;
}

/** Type name → property → its documentation, the same for all versions. */
export type ServiceDocs = Readonly<Record<string, TypeDocs>>;
export type TypeDocs = Readonly<Record<string, PropertyDoc>>;

/** The documentation of a property. */
export interface PropertyDoc {
  /** The purpose of the property, in a sentence. */
  readonly text?: string;
  /** E.g. `days` or `GiB`. */
  readonly unit?: string;
  /** E.g. `ISO 8601 duration`. */
  readonly format?: string;
  /** The value that Azure takes when the property is left out. */
  readonly default?: string;
  /** Sentences about values that the property excludes or needs, or where it has no effect. */
  readonly excludes?: string;
  /** The property cannot be changed after creation; a sentence names the exception. */
  readonly immutable?: true | string;
  /** Address of a page about the property. */
  readonly see?: string;
}

/** Whether Azure alone writes a property, so that no one gives it: "Azure sets it; leave it out." */
export function isSetByAzure(doc: PropertyDoc | undefined): boolean {
  return doc?.excludes?.startsWith('Azure sets it; leave it out') === true;
}
