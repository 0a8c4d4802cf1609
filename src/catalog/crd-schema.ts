import type { JsonSchema } from './crd-types';
import type { PropertyFacts, TypeExpression, TypeFacts, Validations } from './facts';
import type { KindVersion } from './kind';
import { isArray, isCommon, isConstrained, isMap, isRef } from './type-expression';

/** Allows any value: only a node without a type may be a scalar, a list or an object. */
const ANYTHING: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true };

const SCALAR_VALIDATIONS = [
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'default',
] as const;

/** Formats of the shared types that the catalog lacks, because they are Kubernetes conventions. */
const COMMON_FORMATS: Record<string, Record<string, JsonSchema>> = {
  Condition: { lastTransitionTime: { format: 'date-time' }, observedGeneration: { format: 'int64' } },
};

/** The OpenAPI schema of a kind version: structural, as a CRD of `apiextensions.k8s.io/v1` requires. */
export function openApiSchema(version: KindVersion): JsonSchema {
  return {
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: new SchemaWriter(version, (name) => version.type(name)).object(version.specType),
      status: new SchemaWriter(version, (name) => version.statusTypeNamed(name)).object(version.statusType),
    },
  };
}

/** Writes types as schemas. CRDs have no references, so a type that is used twice is written twice. */
class SchemaWriter {
  /** Schemas are immutable, so all uses of a type share one object. */
  private readonly written = new Map<string, JsonSchema>();

  public constructor(private readonly version: KindVersion, private readonly typeNamed: (name: string) => TypeFacts) {}

  public object(type: TypeFacts, formats: Record<string, JsonSchema> = {}): JsonSchema {
    const properties = Object.entries(type.props);
    const required = properties.flatMap(([name, facts]) => (facts.required ? [name] : []));
    return {
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && {
        properties: Object.fromEntries(properties.map(([name, facts]) => [name, { ...this.property(facts), ...formats[name] }])),
      }),
    };
  }

  private property(facts: PropertyFacts): JsonSchema {
    return { ...this.expression(facts.type), ...validations(facts) };
  }

  private expression(type: TypeExpression): JsonSchema {
    if (type === 'json') return ANYTHING;
    if (typeof type === 'string') return { type };
    if (isArray(type)) return { type: 'array', items: this.expression(type.array) };
    if (isMap(type)) return { type: 'object', additionalProperties: this.expression(type.map) };
    if (isRef(type)) return this.once(`ref:${type.ref}`, () => this.object(this.typeNamed(type.ref)));
    if (isCommon(type)) {
      return this.once(`common:${type.common}`, () => this.object(this.version.commonType(type.common), COMMON_FORMATS[type.common]));
    }
    if (isConstrained(type)) return { ...this.expression(type.type), ...validations(type) };
    throw new Error(`catalog: ${this.version.apiVersion} ${this.version.kind.kind} has a type that is none of those in catalog/README.md: ${JSON.stringify(type)}`);
  }

  private once(key: string, write: () => JsonSchema): JsonSchema {
    const known = this.written.get(key);
    if (known) return known;
    const schema = write();
    this.written.set(key, schema);
    return schema;
  }
}

function validations(facts: Validations): JsonSchema {
  return Object.fromEntries(
    SCALAR_VALIDATIONS.filter((name) => facts[name] !== undefined).map((name) => [name, facts[name]]),
  ) as JsonSchema;
}
