import { childrenOf, hasCreator } from './children';
import { documented } from './documented';
import { guessableNames } from './enum-names';
import type {
  Declared,
  EnumModel,
  KindModel,
  KindSource,
  OutputModel,
  OwnerModel,
  PropertyModel,
  ServiceModel,
  StructModel,
  TypeModel,
} from './model';
import { enumMemberOf, enumNameOf, fileNameOf, optionsOf, refInterfaceOf, submoduleOf, typeNameOf } from './names';
import { reachable, StructNames } from './shapes';
import { isGivenByScope } from '../src/azure/scope-defaults';
import type { KindVersion, NamedOutputFacts, PropertyFacts, TypeExpression, TypeFacts, Validations } from '../src/catalog';
import { isArray, isCommon, isConstrained, isMap, isRef, isScalar, isSize } from '../src/catalog';
import { propertyNameOf } from '../src/catalog/property-names';

/** Type of `_common.json` → its class or interface in core. */
const CORE_TYPES: Record<string, string> = {
  ConfigMapDestination: 'ConfigMapDestination',
  ConfigMapReference: 'ConfigMapValue',
  DestinationExpression: 'DestinationExpression',
  ResourceReference: 'IAzureResourceRef',
  SecretDestination: 'SecretDestination',
  SecretMapReference: 'SecretMap',
  SecretReference: 'SecretValue',
  WellKnownResourceReference: 'IAzureResourceRef',
};

const SCALARS = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', json: 'any' } as const;

/** Builds the model of a service. */
export function serviceModel(catalog: KindSource, service: string): ServiceModel {
  const names = new StructNames(catalog, service);
  const taken = takenNames(catalog, service);
  const drafts = catalog.kindsOf(service).map((kind) => new KindDraft(catalog, kind.latest, names, taken));
  const enums = drafts.flatMap((draft) => [...draft.declared.values()].filter((declared) => declared.is === 'enum'));
  const guessable = guessableNames(enums, new Set([...taken].map((name) => name.toLowerCase())));
  for (const draft of drafts) draft.renameEnums(guessable);
  const users = new Map<string, number>();
  for (const draft of drafts) for (const name of draft.declared.keys()) users.set(name, (users.get(name) ?? 0) + 1);
  const shared = new Map<string, Declared>();
  for (const draft of drafts) for (const [name, declared] of draft.declared) if (users.get(name)! > 1) shared.set(name, declared);
  const kinds = drafts.map((draft) => draft.finish((name) => users.get(name) === 1));
  const model: ServiceModel = {
    service,
    submodule: submoduleOf(service),
    kinds,
    children: childrenOf(service, kinds),
    shared: [...shared.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    uses: usesOf(drafts.flatMap((draft) => [draft.spec, ...draft.declared.values()])),
  };
  assertDistinct(model);
  return documented(model, catalog.docs(service));
}

/** Names of core that the files of a service import. */
const IMPORTED = ['AzureReference', 'AzureResource', 'AzureResourceProps', 'AzureResourceReference', 'Output', 'SecretOutput', 'Duration', 'Size', ...Object.values(CORE_TYPES)];

/** Names that no enum may have: those of types in any version, of what each kind exports, and of what the files import. */
function takenNames(catalog: KindSource, service: string): Set<string> {
  const types = Object.values(catalog.service(service)!.types).flatMap((byName) => Object.keys(byName));
  const ofKinds = catalog.kindsOf(service).flatMap(({ kind }) => [kind, `${kind}Props`, optionsOf(kind), `${kind}Outputs`, `${kind}SecretOutputs`, refInterfaceOf(kind)]);
  return new Set([...types.map(typeNameOf), ...ofKinds, ...IMPORTED]);
}

/** An unfinished kind model: all its declarations, before it is known which of them other kinds share. */
class KindDraft {
  public declared = new Map<string, Declared>();
  public spec: StructModel;

  public constructor(
    private readonly catalog: KindSource,
    private readonly version: KindVersion,
    private readonly names: StructNames,
    private readonly taken: Set<string>,
  ) {
    const [root, ...others] = reachable(version);
    if (!root) throw new Error(`${version.kind.kind} has no type of its spec`);
    this.spec = this.struct(version.kind.kind, ...root, true);
    for (const [specName, facts] of others) {
      const struct = this.struct(names.of(version, specName), specName, facts, false);
      this.declared.set(struct.name, struct);
    }
  }

  /** @param names by the present name */
  public renameEnums(names: ReadonlyMap<string, string>): void {
    this.spec = withEnumNames(this.spec, names);
    const renamed = [...this.declared.values()].map((declared) => withEnumNames(declared, names));
    this.declared = new Map(renamed.map((declared) => [declared.name, declared]));
  }

  public finish(isOwn: (name: string) => boolean): KindModel {
    const { version } = this;
    const exports = version.facts.exports ?? {};
    const sources = version.kind.facts.secretSources?.values ?? {};
    return {
      version,
      className: version.kind.kind,
      fileName: fileNameOf(version.kind.kind),
      submodule: submoduleOf(version.kind.service),
      owner: this.owner(),
      spec: this.spec,
      own: [...this.declared.values()].filter((declared) => isOwn(declared.name)),
      outputs: outputs(
        Object.entries(exports.configMaps ?? {}).map(([name, path]) => [name, path ?? undefined]),
        version.kind.facts.outputs,
      ),
      secretOutputs: outputs((exports.secrets ?? []).map((name) => [name, sources[name]]), version.kind.facts.secretOutputs),
    };
  }

  private owner(): OwnerModel {
    const { owner } = this.version.facts;
    const property = this.version.specProperty('owner');
    if (!property) return { kind: 'none' };
    if (!owner) return { kind: this.version.facts.imported ? 'unlisted' : 'none' };
    if (owner === 'any') return { kind: 'any' };
    const kind = this.catalog.kind(owner.group, owner.kind);
    if (!kind && this.version.facts.imported) return { kind: 'unlisted' };
    if (!kind) {
      throw new Error(`catalog: ${this.version.kind.kind} is owned by ${owner.kind} of ${owner.group}, which is not in the catalog`);
    }
    // A file cannot have two interfaces of the same name.
    if (this.version.facts.imported && kind.kind === this.version.kind.kind && kind.group !== this.version.kind.group) {
      return { kind: 'unlisted' };
    }
    const byNameOnly = isCommon(property[1].type) && property[1].type.common === 'KubernetesOwnerReference';
    return { kind: 'known', submodule: submoduleOf(kind.service), className: kind.kind, fileName: fileNameOf(kind.kind), byNameOnly };
  }

  /** @param enumOwner prefix of the names of its enums */
  private struct(enumOwner: string, specName: string, facts: TypeFacts, root: boolean): StructModel {
    const properties = Object.entries(facts.props).map(([name, property]) => this.property(enumOwner, name, property, root));
    return {
      is: 'struct',
      name: root ? `${enumOwner}Props` : enumOwner,
      specName,
      oneOf: facts.oneOf === true,
      arm: facts.arm !== false,
      properties,
    };
  }

  private property(enumOwner: string, specName: string, facts: PropertyFacts, root: boolean): PropertyModel {
    const propName = propertyNameOf(specName, root);
    const type: TypeModel =
      facts.role === 'owner' ? { is: 'owner' } : this.type(facts.type, facts, { enumOwner, specName, propName, root });
    const { group, kind } = this.version.kind;
    const byScope = facts.required === true && isGivenByScope(group, kind, [...this.pathOf(enumOwner, root), propName]);
    return { specName, propName, type, facts, elements: elementsOf(facts.type), ...(byScope && { byScope }) };
  }

  /** The path of a struct in the spec: empty for the spec itself, and for structs that are deeper. */
  private pathOf(structName: string, root: boolean): string[] {
    if (root) return [];
    const isStruct = (type: TypeExpression) => isRef(type) && this.names.of(this.version, type.ref) === structName;
    const found = Object.entries(this.version.specType.props).find(([, { type }]) => isStruct(type));
    return found ? [found[0]] : ['…'];
  }

  private type(type: TypeExpression, rules: Validations & Pick<PropertyFacts, 'quantity'>, at: Place): TypeModel {
    if (isScalar(type)) {
      return type === 'string' && rules.enum
        ? { is: 'declared', name: this.enumeration(rules.enum as string[], at) }
        : { is: 'scalar', text: SCALARS[type], or: rules.quantity && (isSize(rules.quantity) ? 'Size' : 'Duration') };
    }
    if (isArray(type)) return { is: 'array', of: this.type(type.array, {}, at) };
    if (isMap(type)) return { is: 'map', of: this.type(type.map, {}, at) };
    if (isConstrained(type)) return this.type(type.type, type, at);
    if (isRef(type)) return { is: 'declared', name: this.names.of(this.version, type.ref) };
    const core = isCommon(type) ? CORE_TYPES[type.common] : undefined;
    if (!core) throw new Error(`catalog: ${this.version.kind.kind} has a type for which core has nothing: ${JSON.stringify(type)}`);
    return { is: 'core', name: core };
  }

  private enumeration(values: string[], at: Place): string {
    const structName = at.root ? `${at.enumOwner}Props` : at.enumOwner;
    let name = enumNameOf(at.enumOwner, at.specName);
    if (this.taken.has(name)) name = `${name}Value`;
    // `A.bC` and `AB.c` may both have an enum of the same name.
    const isOther = (declared?: Declared) =>
      declared?.is === 'enum' && (declared.structName !== structName || declared.propName !== at.propName);
    while (isOther(this.declared.get(name))) name = `${name}Value`;
    const members = this.version.facts.imported ? distinctMembers(values) : values.map((value) => ({ name: enumMemberOf(value), value }));
    const twice = members.find((member, i) => members.findIndex((other) => other.name === member.name) !== i);
    if (twice) {
      throw new Error(`${name}: two values become ${twice.name}; ${twice.value} is one of them. enumMemberOf has to tell them apart.`);
    }
    const model: EnumModel = { is: 'enum', name, structName, propName: at.propName, members };
    this.declared.set(name, model);
    return name;
  }
}

/** Imported enums are not reviewed before code is generated, so members with equal names get a number instead of an error. */
function distinctMembers(values: readonly string[]): EnumModel['members'] {
  const taken = new Set<string>();
  return [...new Set(values)].map((value) => {
    const wanted = enumMemberOf(value);
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
    taken.add(name);
    return { name, value };
  });
}

function withEnumNames<T extends Declared>(declared: T, names: ReadonlyMap<string, string>): T;
function withEnumNames(declared: Declared, names: ReadonlyMap<string, string>): Declared {
  if (declared.is === 'enum') return { ...declared, name: names.get(declared.name) ?? declared.name };
  const properties = declared.properties.map((property) => ({ ...property, type: withEnumName(property.type, names) }));
  return { ...declared, properties };
}

function withEnumName(type: TypeModel, names: ReadonlyMap<string, string>): TypeModel {
  if (type.is === 'array' || type.is === 'map') return { is: type.is, of: withEnumName(type.of, names) };
  return type.is === 'declared' ? { is: 'declared', name: names.get(type.name) ?? type.name } : type;
}

function usesOf(declared: Declared[]): Map<string, string[]> {
  const uses = new Map<string, Set<string>>();
  for (const struct of declared) {
    if (struct.is === 'enum') continue;
    for (const { type, propName } of struct.properties) {
      const inner = innermost(type);
      if (inner.is === 'declared') uses.set(inner.name, (uses.get(inner.name) ?? new Set()).add(`${struct.name}.${propName}`));
    }
  }
  return new Map([...uses].map(([name, places]) => [name, [...places].sort()]));
}

/** The element type of a list or map at any depth, or the type itself. */
export function innermost(type: TypeModel): TypeModel {
  return type.is === 'array' || type.is === 'map' ? innermost(type.of) : type;
}

interface Place {
  readonly enumOwner: string;
  readonly specName: string;
  readonly propName: string;
  readonly root: boolean;
}

type NamedOutputs = Readonly<Record<string, NamedOutputFacts>>;

/** The operator's own exports, and the values that are exported by an expression. */
function outputs(exported: readonly (readonly [name: string, source: string | undefined])[], named: NamedOutputs = {}): OutputModel[] {
  const own = exported.map(([specName, source]): OutputModel => {
    const about = Object.hasOwn(named, specName) ? named[specName]!.text : undefined;
    return { specName, propName: propertyNameOf(specName, false), source, about };
  });
  const others = Object.entries(named).filter(([, { value }]) => value !== undefined);
  return [...own, ...others.map(([name, { text }]): OutputModel => ({ specName: name, propName: name, source: undefined, about: text }))];
}

/** Validations of the innermost elements, if they have any. */
function elementsOf(type: TypeExpression): Validations | undefined {
  if (isArray(type)) return elementsOf(type.array);
  if (isMap(type)) return elementsOf(type.map);
  return isConstrained(type) ? type : undefined;
}

/** The names of all classes, structs, enums and interfaces that a service exports. */
export function exportedNames(model: ServiceModel): string[] {
  const ofKinds = model.kinds.flatMap((kind) => [
    kind.className,
    `I${kind.className}Ref`,
    kind.spec.name,
    ...(hasCreator(kind) && !kind.version.facts.imported ? [optionsOf(kind.className)] : []),
    ...(kind.outputs.length > 0 ? [`${kind.className}Outputs`] : []),
    ...(kind.secretOutputs.length > 0 ? [`${kind.className}SecretOutputs`] : []),
    ...kind.own.map((declared) => declared.name),
  ]);
  return [...ofKinds, ...model.shared.map((declared) => declared.name)];
}

function assertDistinct(model: ServiceModel): void {
  const seen = new Set<string>();
  for (const name of exportedNames(model)) {
    if (seen.has(name)) {
      throw new Error(
        `${model.service}: two things would be called ${name}. Give the rules in names.ts and docs/naming.md another clause.`,
      );
    }
    seen.add(name);
  }
}
