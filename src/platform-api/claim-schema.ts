/** A problem that the schema found in a value. */
export interface SchemaIssue {
  /** The problem in words. */
  readonly message: string;
  /** Members and indices that lead to the value, e.g. `['queues', 0, 'name']`. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** The result of a check of a value: the value with its defaults, or the problems. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<SchemaIssue> };

/**
 * A schema of a library that implements Standard Schema and Standard JSON Schema, e.g. Zod 4.2 or newer: one source for the TypeScript
 * type, the check of a claim, and the OpenAPI schema of the CustomResourceDefinition.
 *
 * @see https://standardschema.dev/json-schema
 */
export interface ClaimSchema<Output> {
  readonly '~standard': {
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema: {
      /** The schema of values before their defaults are set: what a user writes. */
      readonly input: (options: { readonly target: 'openapi-3.0' }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}
