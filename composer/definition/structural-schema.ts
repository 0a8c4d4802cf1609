import { goPattern, NoGoPatternError } from './go-regexp';
import { mergedStructures } from './merged-structures';
import { isRecord, struct, type Struct } from '../../src/util/records';

/** A remark on a place of a schema. */
export interface SchemaNote {
  /** Path in a claim, e.g. `spec.queues[].name`. */
  readonly path: string;
  readonly message: string;
}

/** A structural schema of Kubernetes, and what could not be taken over. */
export interface StructuralSchema {
  readonly schema: Struct;
  /** Parts that Kubernetes cannot express. The schema must not be used. */
  readonly problems: readonly SchemaNote[];
  /** Parts that only the composer checks, and values without a maximum. */
  readonly advice: readonly SchemaNote[];
}

/** Keywords that say how a value is to be checked; all others are structure. */
const VALIDATIONS = [
  'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems',
  'minProperties', 'maxProperties',
] as const;
/** Keywords for people and other tools. */
const IGNORED: ReadonlySet<string> = new Set([
  '$schema', '$id', 'id', '$comment', 'title', 'example', 'examples', 'deprecated', 'readOnly', 'writeOnly', 'contentEncoding',
  'contentMediaType', 'definitions', '$defs', 'components', 'format', 'discriminator',
]);
const HANDLED: ReadonlySet<string> = new Set([
  ...VALIDATIONS, ...IGNORED, '$ref', 'type', 'nullable', 'description', 'default', 'enum', 'const', 'pattern', 'properties', 'required',
  'additionalProperties', 'items', 'uniqueItems', 'anyOf', 'oneOf', 'allOf', 'not',
]);
/** Formats that other keywords express, or that say nothing about the value. */
const UNCHECKED_FORMATS: ReadonlySet<string> = new Set(['includes', 'int32', 'int64', 'float', 'double']);
const JUNCTORS = ['anyOf', 'oneOf', 'allOf'] as const;
const MOST_NODES = 10_000;

/** A schema in two halves: inside of anyOf, oneOf, allOf and not, Kubernetes takes the second only. */
interface Halves {
  readonly structure: Struct;
  readonly validation: Struct;
}

/**
 * The schema of a claim's `spec` as Kubernetes wants it.
 * @param schema OpenAPI 3.0
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
export function structuralSchema(schema: Struct): StructuralSchema {
  const conversion = new Conversion(schema);
  const { structure, validation } = conversion.halves(schema, 'spec', []);
  const whole = combined(structure, validation);
  if (whole.type !== 'object') conversion.problem('spec', 'a spec is an object: give a schema of an object');
  return { schema: whole, problems: conversion.problems, advice: conversion.advice };
}

/** The halves while they are made. */
interface OwnHalves {
  readonly structure: Record<string, unknown>;
  readonly validation: Record<string, unknown>;
}

class Conversion {
  public readonly problems: SchemaNote[] = [];
  public readonly advice: SchemaNote[] = [];
  private nodes = 0;

  public constructor(private readonly root: Struct) {}

  public problem(path: string, message: string): void {
    if (!this.problems.some((other) => other.path === path && other.message === message)) this.problems.push({ path, message });
  }

  public halves(node: unknown, path: string, refs: readonly string[]): Halves {
    this.nodes += 1;
    if (!isRecord(node) || this.nodes > MOST_NODES) {
      this.problem(path, this.nodes > MOST_NODES ? `the schema has more than ${MOST_NODES} parts` : 'this is no schema');
      return { structure: {}, validation: {} };
    }
    if (typeof node.$ref === 'string') return this.referred(node.$ref, node, path, refs);
    for (const keyword of Object.keys(node)) {
      const isKnown = HANDLED.has(keyword) || keyword.startsWith('x-');
      if (!isKnown) this.problem(path, `Kubernetes has no '${keyword}': remove it, or check it in compose`);
    }
    const junctions = JUNCTORS.flatMap((junctor) => this.junction(junctor, node[junctor], path, refs));
    const own = this.own(node, path, refs);
    const structure = mergedStructures([own.structure, ...junctions.map((one) => one.structure)], (message) => this.problem(path, message));
    const conditions = junctions.map((one) => one.validation).filter((one) => Object.keys(one).length > 0);
    const validation: Struct = conditions.length > 1
      ? { ...own.validation, allOf: conditions }
      : { ...own.validation, ...conditions[0] };
    this.expectType(structure, node, path);
    this.expectMaximum(structure, { ...validation }, path);
    return { structure, validation };
  }

  private referred(ref: string, node: Struct, path: string, refs: readonly string[]): Halves {
    if (refs.includes(ref) || ref === '#') {
      this.problem(path, 'the schema contains itself, which Kubernetes cannot express: use z.any(), or a fixed number of levels');
      return { structure: {}, validation: {} };
    }
    const target = ref.split('/').slice(1).reduce<unknown>((value, key) => struct(value)?.[decodeURIComponent(key)], this.root);
    const { $ref, ...own } = node;
    return this.halves({ ...struct(target), ...own }, path, [...refs, String($ref)]);
  }

  private junction(junctor: (typeof JUNCTORS)[number], branches: unknown, path: string, refs: readonly string[]): Halves[] {
    if (!Array.isArray(branches)) return [];
    const halves = branches.map((branch) => this.halves(branch, path, refs));
    const structures = halves.map((one) => one.structure);
    const structure = mergedStructures(structures, (message) => this.problem(path, message), junctor !== 'allOf');
    const validations = halves.map(({ validation }, index) => this.branchValidation(validation, branches[index], structures));
    const isEmpty = (one: Struct) => Object.keys(one).length === 0;
    if (junctor === 'allOf') {
      const some = validations.filter((one) => !isEmpty(one));
      return [{ structure, validation: some.length > 0 ? { allOf: some } : {} }];
    }
    // Each condition of a text or an integer is one of its own type only.
    if (structure['x-kubernetes-int-or-string'] === true && !validations.some((one) => 'enum' in one)) {
      return [{ structure, validation: Object.assign({}, ...validations) as Struct }];
    }
    // A branch without a condition accepts all that the structure does.
    if (validations.some(isEmpty) && junctor === 'anyOf') return [{ structure, validation: {} }];
    if (validations.filter(isEmpty).length > 1 && structure['x-kubernetes-int-or-string'] !== true) {
      this.problem(path, 'the alternatives of oneOf cannot be told apart: give each a member with its own constant (z.discriminatedUnion)');
    }
    return [{ structure, validation: validations.every(isEmpty) ? {} : { [junctor]: validations } }];
  }

  /** The members that only other branches have are forbidden in a strict one. */
  private branchValidation(validation: Struct, branch: unknown, structures: readonly Struct[]): Struct {
    if (struct(branch)?.additionalProperties !== false) return validation;
    const own = new Set(Object.keys(struct(struct(branch)!.properties) ?? {}));
    const all = new Set(structures.flatMap(({ properties }) => Object.keys(struct(properties) ?? {})));
    const others = [...all].filter((name) => !own.has(name));
    return others.length === 0 ? validation : { ...validation, not: { anyOf: others.map((name) => ({ required: [name] })) } };
  }

  private own(node: Struct, path: string, refs: readonly string[]): Halves {
    const structure: Record<string, unknown> = {};
    const validation: Record<string, unknown> = {};
    for (const key of Object.keys(node)) if (key.startsWith('x-kubernetes-')) structure[key] = node[key];
    if (typeof node.type === 'string') structure.type = node.type;
    if (typeof node.description === 'string') structure.description = node.description;
    if (node.nullable === true) structure.nullable = true;
    if (node.default !== undefined && !(node.default === null && node.nullable !== true)) structure.default = node.default;
    for (const keyword of VALIDATIONS) if (node[keyword] !== undefined) this.addBound(keyword, node[keyword], validation);
    this.addValues(node, structure, validation, path);
    this.addPattern(node, validation, path);
    this.addMembers(node, { structure, validation }, path, refs);
    this.addItems(node, { structure, validation }, path, refs);
    if (node.not !== undefined) this.problem(path, "'not' cannot be expressed: remove the member (z.never), or check it in compose");
    return { structure, validation };
  }

  /** OpenAPI 3.1 has the exclusive bound itself, 3.0 and Kubernetes a flag beside the bound. */
  private addBound(keyword: (typeof VALIDATIONS)[number], value: unknown, validation: Record<string, unknown>): void {
    if (keyword.startsWith('exclusive') && typeof value === 'number') {
      validation[keyword] = true;
      validation[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'] = value;
    } else {
      validation[keyword] = value;
    }
  }

  private addValues(node: Struct, structure: Record<string, unknown>, validation: Record<string, unknown>, path: string): void {
    const values: unknown[] | undefined = Array.isArray(node.enum) ? node.enum : 'const' in node ? [node.const] : undefined;
    if (!values) return;
    validation.enum = values;
    if (structure.type !== undefined) return;
    const types = [...new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)))];
    if (types.length === 1) [structure.type] = types;
    else if (types.every((type) => type === 'string' || type === 'integer')) structure['x-kubernetes-int-or-string'] = true;
    else this.problem(path, `values of the types ${types.join(' and ')} cannot be mixed: use one type`);
  }

  private addPattern({ pattern, format }: Struct, validation: Record<string, unknown>, path: string): void {
    if (typeof pattern !== 'string') {
      // Formats of Kubernetes differ from those of schema libraries in details: the stricter one would refuse what the definition takes.
      if (typeof format === 'string' && !UNCHECKED_FORMATS.has(format)) this.unchecked(path, `the format ${format}`);
      return;
    }
    try {
      validation.pattern = goPattern(pattern);
    } catch (error) {
      if (!(error instanceof NoGoPatternError)) throw error;
      if (typeof format === 'string') return this.unchecked(path, `the format ${format}`);
      this.problem(path, `the pattern has ${error.message}, `
        + 'which the API server\'s expressions do not know: write it without, or in .refine(…)');
    }
  }

  private unchecked(path: string, part: string): void {
    this.advice.push({ path, message: `only the composer checks ${part}: the API server accepts other texts` });
  }

  private addMembers(node: Struct, { structure, validation }: OwnHalves, path: string, refs: readonly string[]): void {
    const { properties, required, additionalProperties: more } = node;
    if (isRecord(properties)) {
      const halves = Object.entries(properties).map(([name, member]) => [name, this.halves(member, `${path}.${name}`, refs)] as const);
      structure.properties = Object.fromEntries(halves.map(([name, one]) => [name, one.structure]));
      const checked = halves.filter(([, one]) => Object.keys(one.validation).length > 0);
      if (checked.length > 0) validation.properties = Object.fromEntries(checked.map(([name, one]) => [name, one.validation]));
    }
    if (Array.isArray(required) && required.length > 0) validation.required = required;
    const hasMembers = isRecord(properties) && Object.keys(properties).length > 0;
    // Unknown members of an object are removed by the API server, and refused by kubectl.
    if (more === undefined || more === false) return;
    if (more === true || (isRecord(more) && Object.keys(more).length === 0)) {
      structure['x-kubernetes-preserve-unknown-fields'] = true;
    } else if (hasMembers) {
      this.problem(path, 'an object has either fixed members or any (catchall): move one of them into a member of its own');
    } else {
      const { structure: value, validation: check } = this.halves(more, `${path}.*`, refs);
      structure.additionalProperties = combined(value, check);
      delete structure.properties;
    }
  }

  private addItems(node: Struct, { structure, validation }: OwnHalves, path: string, refs: readonly string[]): void {
    if (node.items !== undefined) {
      const items = this.halves(node.items, `${path}[]`, refs);
      structure.items = items.structure;
      if (Object.keys(items.validation).length > 0) validation.items = items.validation;
    } else if (node.type === 'array') {
      this.problem(path, 'a list needs the schema of its items');
    }
    if (node.uniqueItems !== true) return;
    const { type } = struct(structure.items) ?? {};
    if (typeof type === 'string' && type !== 'object' && type !== 'array') structure['x-kubernetes-list-type'] = 'set';
    else this.problem(path, 'items that are objects cannot be compared: use a map (z.record), or check it in compose');
  }

  /** A place without a type takes everything. */
  private expectType(structure: Struct, node: Struct, path: string): void {
    const isOpen = structure['x-kubernetes-int-or-string'] === true || structure['x-kubernetes-preserve-unknown-fields'] === true;
    if (structure.type !== undefined || isOpen || node.not !== undefined) return;
    const isAny = Object.keys(node).every((key) => ['description', 'default', 'nullable', 'title'].includes(key));
    if (isAny) (structure as Record<string, unknown>)['x-kubernetes-preserve-unknown-fields'] = true;
    else this.problem(path, 'the place has no type: give it one');
  }

  private expectMaximum(structure: Struct, validation: Struct, path: string): void {
    const has = (keyword: string) => JSON.stringify(validation).includes(`"${keyword}":`);
    const bound = { array: 'maxItems', string: 'maxLength', object: 'maxProperties' }[String(structure.type)];
    if (bound === undefined || has(bound)) return;
    if (structure.type === 'string' && (has('enum') || has('pattern'))) return;
    if (structure.type === 'object' && structure.additionalProperties === undefined) return;
    const kind = { array: 'the list', string: 'the text', object: 'the map' }[structure.type as 'array' | 'string' | 'object'];
    const message = `${kind} has no maximum (${bound}): one claim may fill etcd, and rules over it (CEL) cost too much`;
    if (!this.advice.some((other) => other.path === path && other.message === message)) this.advice.push({ path, message });
  }
}

/** Both halves in one schema, outside of anyOf, oneOf, allOf and not. */
function combined(structure: Struct, validation: Struct): Struct {
  const { properties, items, ...rest } = validation;
  const members = struct(structure.properties);
  const checks = struct(properties) ?? {};
  const whole = ([name, one]: [string, unknown]) => [name, combined(struct(one)!, struct(checks[name]) ?? {})] as const;
  return {
    ...structure,
    ...rest,
    ...(members && { properties: Object.fromEntries(Object.entries(members).map(whole)) }),
    ...(structure.items !== undefined && { items: combined(struct(structure.items)!, struct(items) ?? {}) }),
  };
}
