import type { ApiFacts, ApiVersionFacts } from './api-facts';
import { composedKinds } from './composed-kinds';
import type { ApiDefinition, ClaimSchema } from '../../src/platform-api';
import { isRecord, omitUndefined, type Struct } from '../../src/util/records';
import { messageOf } from '../message-of';

/** The facts of a bundle's definitions. */
export function factsOf(definitions: readonly ApiDefinition[]): ApiFacts[] {
  return definitions.map((definition) => {
    const { group, kind, plural, namespaced, version, olderVersions, limits } = definition;
    const { shortNames = [], categories = [], columns = [], description } = definition;
    const schemaOf = (name: string, schema: ClaimSchema<unknown>) => openApiOf(schema, `kind '${kind}', version ${name}`);
    const older = olderVersions.map(({ version: name, schema, deprecationWarning }): ApiVersionFacts =>
      omitUndefined({ name, schema: schemaOf(name, schema), deprecationWarning }));
    return omitUndefined({
      group,
      kind,
      plural,
      shortNames,
      categories,
      namespaced,
      description,
      columns,
      versions: [{ name: version, schema: schemaOf(version, definition.schema) }, ...older] as const,
      composes: composedKinds(definition.composes, definitions),
      reads: composedKinds(definition.reads, definitions),
      configMapOutputs: definition.configMapOutputs ?? false,
      heldBy: holdersOf(definition, definitions),
      rights: definition.rights,
      limits,
    });
  });
}

/** @throws when a kind is none of the bundle: the composer has no list of its objects, and could not say that there are none */
function holdersOf({ kind, heldBy }: ApiDefinition, definitions: readonly ApiDefinition[]): ApiFacts['heldBy'] {
  return heldBy?.map(({ group, kind: holder }) => {
    const found = definitions.find((one) => one.group === group && one.kind === holder);
    if (found?.namespaced) return { group, kind: holder };
    throw new Error(`kind '${kind}': heldBy: '${holder}' of group '${group}' is no namespaced kind of this module. Export its definition too`);
  });
}

/** @throws when the library cannot express the schema as OpenAPI, e.g. because it has a transformation */
function openApiOf(schema: ClaimSchema<unknown>, title: string): Struct {
  let made: unknown;
  try {
    made = schema['~standard'].jsonSchema.input({ target: 'openapi-3.0' });
  } catch (error) {
    throw new Error(`${title}: the schema has no OpenAPI form: ${messageOf(error)}`);
  }
  if (!isRecord(made)) throw new Error(`${title}: the schema library gave no OpenAPI schema`);
  // A plain copy: libraries add functions and accessors.
  return JSON.parse(JSON.stringify(made)) as Struct;
}
