import type { KindVersion } from '../../catalog/kind';
import { isArray, isCommon, isConstrained, isMap, isRef, isScalar } from '../../catalog/type-expression';
import type { AzureKindFacts } from '../azure-resource-props';
import { arrayConvert, mapConvert } from './collections';
import type { Convert } from './conversion';
import { destinationConvert } from './destinations';
import { resultIn } from './expressions';
import { keyedConvert } from './keyed-by-reference';
import { OwnerRule } from './owner-rule';
import { quantityConvert } from './quantities';
import { configMapConvert, referenceConvert, secretConvert, secretMapConvert } from './references';
import { scalarConvert } from './scalars';
import { CompiledStruct, structConvert } from './structs';
import { isUuidNamed } from '../../azure/uuid-names';
import { Catalog } from '../../catalog/catalog';
import type { ExportFacts, NamedOutputFacts, PropertyFacts, TypeExpression, TypeFacts, Validations } from '../../catalog/facts';
import { expressionCheck } from '../cel/expression-check';

/** Kind → its schemas, of any group and version; few per kind. */
const schemas = new Map<string, KindSchema[]>();
let revision = 0;

/** A kind of the catalog, compiled once: the conversion of its spec, and the facts that core needs. */
export class KindSchema {
  /** @throws when the catalog has no such kind or version */
  public static of(facts: AzureKindFacts): KindSchema {
    const catalog = Catalog.default();
    if (catalog.revision !== revision) {
      revision = catalog.revision;
      schemas.clear();
    }
    let known = schemas.get(facts.kind);
    if (!known) schemas.set(facts.kind, known = []);
    let schema = known.find(({ version: { name, kind } }) => name === facts.version && kind.group === facts.group);
    if (!schema) {
      const kind = catalog.kind(facts.group, facts.kind);
      const version = kind?.version(facts.version);
      if (!version) throw new Error(`The catalog has no ${facts.kind} of ${facts.group} in version ${facts.version}.${kind ? ` It has: ${kind.versionNames.join(', ')}.` : ''}`);
      schema = new KindSchema(version);
      known.push(schema);
    }
    return schema;
  }

  /** The ARM type, or `group/kind` for the few kinds that are no ARM resources. */
  public readonly typeName: string;
  /** The type name in lower case: Azure compares types case-insensitively. */
  public readonly foldedTypeName: string;
  public readonly spec: CompiledStruct;
  public readonly owner: OwnerRule;
  public readonly exports: ExportFacts;
  /** Whether `azureName` defaults to `metadata.name`. */
  public readonly azureNameIsFree: boolean;
  /** The conversion of `azureName`, if the kind has this property. */
  public readonly azureName: Convert | undefined;
  /** The property that can replace `azureName`. */
  public readonly azureNameAlternative: string | undefined;
  private readonly structs = new Map<string, CompiledStruct>();

  private constructor(public readonly version: KindVersion) {
    this.typeName = version.facts.arm?.type ?? `${version.kind.group}/${version.kind.kind}`;
    this.foldedTypeName = this.typeName.toLowerCase();
    this.owner = new OwnerRule(version);
    this.exports = version.facts.exports ?? {};
    const type = version.specType;
    this.spec = new CompiledStruct(type, true, this.compileProperty, this.typeOf);
    const azureName = type.props.azureName;
    this.azureName = azureName && this.compile(azureName.type, azureName);
    this.azureNameIsFree =
      azureName !== undefined && version.facts.name === 'azureName' && !isUuidNamed(version.kind.group, version.kind.kind);
    this.azureNameAlternative = Object.entries(type.props).find(([, facts]) => facts.alternativeTo === 'azureName')?.[0];
  }


  /** The fixed name of all resources of the kind, if it has one. */
  public get fixedName(): string | undefined {
    const { name } = this.version.facts;
    return typeof name === 'object' && name !== null ? name.fixed : undefined;
  }

  /** Values that the catalog has beyond the exports of the operator: name → template of the value. */
  public namedOutputs(store: 'ConfigMap' | 'Secret'): Readonly<Record<string, NamedOutputFacts>> {
    const { outputs, secretOutputs } = this.version.kind.facts;
    return (store === 'Secret' ? secretOutputs : outputs) ?? {};
  }

  private readonly typeOf = (name: string): TypeFacts => this.version.type(name);

  private readonly compileProperty = (name: string, facts: PropertyFacts): Convert => {
    if (facts.role === 'owner') return this.owner.convert;
    const value = this.compile(facts.type, facts, name);
    const convert = facts.quantity !== undefined && isScalar(facts.type) ? quantityConvert(facts.quantity, facts.type, value) : value;
    return facts.mapKeyFromReference === undefined ? convert : keyedConvert(convert, facts.mapKeyFromReference, name);
  };

  private compile(type: TypeExpression, rules: Validations, name = ''): Convert {
    if (isScalar(type)) return scalarConvert(type, rules);
    if (isArray(type)) return arrayConvert(this.compile(type.array, {}, name), rules);
    if (isMap(type)) return mapConvert(this.compile(type.map, {}, name));
    if (isConstrained(type)) return this.compile(type.type, type, name);
    if (isRef(type)) return structConvert(() => this.struct(type.ref, () => this.version.type(type.ref)));
    if (isCommon(type)) return this.compileCommon(type.common, name);
    throw new Error(
      `catalog: ${this.version.apiVersion} ${this.version.kind.kind} has a type that is not understood: ${JSON.stringify(type)}`,
    );
  }

  private compileCommon(type: string, propertyName: string): Convert {
    const struct = () => this.struct(`common:${type}`, () => this.version.commonType(type));
    switch (type) {
      case 'ResourceReference':
        return referenceConvert(false);
      case 'WellKnownResourceReference':
        return referenceConvert(true);
      case 'ConfigMapReference':
        return configMapConvert;
      case 'SecretReference':
        return secretConvert;
      case 'SecretMapReference':
        return secretMapConvert;
      case 'ConfigMapDestination':
        return destinationConvert('ConfigMap', struct);
      case 'SecretDestination':
        return destinationConvert('Secret', struct);
      case 'DestinationExpression':
        return destinationConvert(propertyName === 'secretExpressions' ? 'Secret' : 'ConfigMap', struct, {
          resultOf: resultIn(this.version),
          check: expressionCheck(this.version),
        });
      default:
        return structConvert(struct);
    }
  }

  /** Types refer to each other in cycles, so each is compiled on first use. */
  private struct(key: string, type: () => TypeFacts): CompiledStruct {
    let struct = this.structs.get(key);
    if (!struct) {
      struct = new CompiledStruct(type(), false, this.compileProperty, this.typeOf);
      this.structs.set(key, struct);
    }
    return struct;
  }
}
