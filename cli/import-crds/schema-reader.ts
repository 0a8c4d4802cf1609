import { SchemaError } from './schema-error';
import { ownerTypeOf, sharedTypeOf } from './shared-types';
import { typeWord, elementName, type TypeNames } from './type-names';
import type { PropertyFacts, Role, TypeExpression, TypeFacts, Validations } from '../../src/catalog';
import type { JsonSchema } from '../../src/catalog/crd';
import { propertyNameOf } from '../../src/catalog/property-names';
import { isRecord } from '../../src/util/records';

/** Schemas of real kinds nest some fifteen levels deep. */
const MAX_DEPTH = 64;

const VALIDATIONS = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'multipleOf', 'minItems', 'maxItems'] as const;

/** Where a schema stands. */
interface Place {
  /** `spec.sku.name` */
  readonly path: string;
  readonly property: string;
  /** The type around it, in the words of its name. */
  readonly parent: string;
  readonly depth: number;
  readonly part: 'spec' | 'status';
  readonly operatorSpec: boolean;
}

/** OpenAPI schema → facts of the catalog's shape: what `crd-schema.ts` does, the other way round. */
export class SchemaReader {
  /**
   * @param prefix what the names of types begin with: the kind
   * @param suffix what they end with: statuses are no specs
   */
  public constructor(private readonly names: TypeNames, private readonly prefix: string, private readonly suffix: string) {}

  /** Reads `spec` or `status`; the name of its type. */
  public root(schema: JsonSchema, part: 'spec' | 'status', name: string): string {
    const at: Place = { path: part, property: part, parent: '', depth: 0, part, operatorSpec: false };
    if (schema.type !== 'object' || !schema.properties) {
      throw new SchemaError(
        part,
        `the schema says nothing about the properties of ${part}`,
        "take the CRD from the operator's release, not one that was stripped of its schema",
      );
    }
    return this.names.add([name], this.struct(schema, at));
  }

  private struct(schema: JsonSchema, at: Place): TypeFacts {
    const entries = Object.entries(schema.properties ?? {});
    refuseNamesakes(entries.map(([name]) => name), at);
    const props = Object.fromEntries(entries.map(([name, property]) => {
      const place: Place = {
        ...at,
        path: `${at.path}.${name}`,
        property: name,
        parent: at.depth === 0 ? '' : at.property,
        depth: at.depth + 1,
        operatorSpec: at.operatorSpec || (at.part === 'spec' && at.depth === 0 && name === 'operatorSpec'),
      };
      return [name, this.property(property, schema.required?.includes(name) ?? false, place)];
    }));
    return { ...(at.operatorSpec && { arm: false as const }), props: withAlternatives(props) };
  }

  private property(schema: JsonSchema, required: boolean, at: Place): PropertyFacts {
    const description = schema.description === undefined ? {} : { description: schema.description };
    const rules = { ...(required && { required: true as const }), ...validations(schema, at) };
    const special = at.part === 'spec' && at.depth === 1 ? this.rootProperty(schema, at) : undefined;
    if (special) return { ...special, ...rules, ...description };
    const { type, role } = this.expression(schema, at);
    return {
      type,
      ...rules,
      ...(role && { role }),
      ...(role === 'userAssignedIdentities' && { mapKeyFromReference: 'reference' }),
      ...description,
    };
  }

  /** The three properties that are the operator's own, not Azure's. */
  private rootProperty(schema: JsonSchema, at: Place): PropertyFacts | undefined {
    switch (at.property) {
      case 'azureName':
        return schema.type === 'string' ? { type: 'string', role: 'azureName', arm: null } : undefined;
      case 'operatorSpec':
        return schema.type === 'object' ? { ...this.expression(schema, at), role: 'operatorSpec', arm: null } : undefined;
      case 'owner': {
        const common = schema.type === 'object' ? ownerTypeOf(schema) : undefined;
        return common === undefined ? undefined : { type: { common }, role: 'owner', arm: null };
      }
      default:
        return undefined;
    }
  }

  private expression(schema: JsonSchema, at: Place): { type: TypeExpression; role?: Role } {
    if (at.depth > MAX_DEPTH) {
      throw new SchemaError(at.path, `the schema nests more than ${MAX_DEPTH} levels deep`, 'this is no schema of Azure Service Operator');
    }
    refuseUnstructural(schema, at);
    if (schema['x-kubernetes-int-or-string'] || schema.type === undefined) return { type: 'json' };
    if (schema.type === 'array') return this.array(schema, at);
    if (schema.type !== 'object') return { type: schema.type };
    if (schema['x-kubernetes-preserve-unknown-fields']) return { type: 'json' };
    if (schema.additionalProperties !== undefined) return this.map(schema.additionalProperties, at);
    return this.object(schema, at);
  }

  private array({ items }: JsonSchema, at: Place): { type: TypeExpression; role?: Role } {
    if (items === undefined || Array.isArray(items)) {
      throw new SchemaError(at.path, 'the list has no schema for its elements', 'give items a schema');
    }
    const { type, role } = this.expression(items, { ...at, path: `${at.path}[]`, property: elementName(at.property), depth: at.depth + 1 });
    const rules = validations(items, at);
    const element = Object.keys(rules).length > 0 ? { type, ...rules } : type;
    const identities = /^userAssignedIdentities$/i.test(at.property) && isIdentity(items);
    return { type: { array: element }, ...(identities ? { role: 'userAssignedIdentities' as const } : role && { role }) };
  }

  private map(values: JsonSchema | boolean, at: Place): { type: TypeExpression; role?: Role } {
    if (values === true) return { type: { map: 'json' } };
    if (values === false) return { type: 'json' };
    const { type, role } = this.expression(values, {
      ...at,
      path: `${at.path}[]`,
      property: elementName(at.property),
      depth: at.depth + 1,
    });
    const rules = validations(values, at);
    return { type: { map: Object.keys(rules).length > 0 ? { type, ...rules } : type }, ...(role && { role }) };
  }

  private object(schema: JsonSchema, at: Place): { type: TypeExpression; role?: Role } {
    const shared = at.part === 'spec' ? sharedTypeOf(schema, at.property, at.operatorSpec) : undefined;
    if (shared?.common === 'Destination') {
      return { type: { common: /\.secrets\.[^.]+$/.test(at.path) ? 'SecretDestination' : 'ConfigMapDestination' } };
    }
    if (shared) return { type: { common: shared.common }, ...(shared.role && { role: shared.role }) };
    if (at.part === 'status' && /^status\.conditions\[\]$/.test(at.path)) return { type: { common: 'Condition' }, role: 'conditions' };
    const own = typeWord(at.property);
    const candidates = [`${this.prefix}${own}`, `${this.prefix}${typeWord(at.parent || 'spec')}${own}`];
    const facts = this.struct(schema, at);
    const type = isIdentity(schema) && /^userAssignedIdentit(y|ies)$/i.test(at.property) ? { arm: false as const, ...facts } : facts;
    return { type: { ref: this.names.add(candidates.map((name) => `${name}${this.suffix}`), type) } };
  }
}

function isIdentity({ properties }: JsonSchema): boolean {
  const reference = properties?.reference;
  if (reference === undefined || Object.keys(properties!).length !== 1) return false;
  return sharedTypeOf(reference, 'reference', false)?.role === 'armReference';
}

/** `fooFromConfig` and `fooFromSecret` give the value of `foo`. */
function withAlternatives(props: Record<string, PropertyFacts>): Record<string, PropertyFacts> {
  return Object.fromEntries(Object.entries(props).map(([name, facts]) => {
    const other = facts.role === 'configMap' || facts.role === 'secret' ? /^(.+)From(?:Config|Secret)$/.exec(name)?.[1] : undefined;
    return [name, other !== undefined && Object.hasOwn(props, other) ? { ...facts, alternativeTo: other } : facts];
  }));
}

function validations(schema: JsonSchema, at: Place): Validations {
  const given = VALIDATIONS.filter((name) => schema[name] !== undefined);
  const found: Record<string, unknown> = Object.fromEntries(given.map((name) => [name, schema[name]]));
  for (const name of VALIDATIONS) {
    const wanted = name === 'pattern' ? 'string' : 'number';
    if (found[name] !== undefined && typeof found[name] !== wanted) {
      throw new SchemaError(at.path, `${name} is no ${wanted === 'string' ? 'text' : 'number'}`, 'correct the schema');
    }
  }
  if (schema.enum !== undefined) {
    const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
    // null stands in the enum of what is nullable: leaving the property out says the same.
    const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => value !== null) : undefined;
    if (!values?.every(isScalar)) throw new SchemaError(at.path, 'enum is no list of scalars', 'correct the schema');
    if (schema.type === 'string' && !values.every((value) => typeof value === 'string')) {
      throw new SchemaError(at.path, 'enum of a text has a value that is no text', 'put the value in quotes');
    }
    if (values.length > 0) found.enum = values;
  }
  return { ...found, ...(schema.default !== undefined && { default: schema.default }) } as Validations;
}

/** https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema */
function refuseUnstructural(schema: JsonSchema, at: Place): void {
  const refuse = (what: string) => {
    throw new SchemaError(
      at.path,
      `the schema is not structural: ${what}`,
      "take the CRD as the operator's release has it; a cluster would refuse this one",
    );
  };
  if (!isRecord(schema)) refuse('it is no object');
  if ('$ref' in schema) refuse('it has $ref');
  const free = schema['x-kubernetes-preserve-unknown-fields'] || schema['x-kubernetes-int-or-string'];
  if (schema.type === undefined && !free) refuse('it has no type');
  if (schema.type !== undefined && !['object', 'array', 'string', 'integer', 'number', 'boolean'].includes(schema.type)) {
    refuse(`there is no type ${JSON.stringify(schema.type)}`);
  }
  if (schema.properties !== undefined && schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    refuse('it has both properties and additionalProperties');
  }
}

/** Two properties that a class could not tell apart. */
function refuseNamesakes(names: readonly string[], at: Place): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const inProps = propertyNameOf(name, at.depth === 0);
    const other = seen.get(inProps);
    if (other !== undefined) {
      throw new SchemaError(
        at.path,
        `'${other}' and '${name}' would both be called '${inProps}' in a class`,
        'a class cannot be made of this kind; write its objects as ApiObject',
      );
    }
    seen.set(inProps, name);
  }
}
