import type { Explanation, PropertySummary } from './explanation';
import type { Located } from './locate';
import { structOf, type Models } from './models';
import { aboutClass } from '../../codegen/emit-kind';
import { typeText } from '../../codegen/emit-types';
import { armReference, asoReference, constraints, documentedFacts, saysSomething, summary, whenLeftOut } from '../../codegen/facts-text';
import type { KindModel, PropertyModel, ServiceModel, StructModel } from '../../codegen/model';
import { nameRule } from '../../codegen/sample-text';
import { innermost } from '../../codegen/service-model';
import { sample } from '../../codegen/snippet';
import { formatYaml } from '../../engine/yaml/format-yaml';

/** As many optional properties as an example of an object shows. */
const MOST_IN_EXAMPLE = 2;

/** The explanation of a kind, or of a property of it. */
export function describe(located: Located, models: Models, recursive: boolean): Explanation {
  const { kind, service, path } = located;
  const { version } = kind;
  const last = path.at(-1);
  const struct = last ? structOf(last.property.type, kind, service) : kind.spec;
  const property = last && summaryOf(last.property, last.struct, located);
  const arm = armPath(path.map((step) => step.property));
  const { arm: facts } = version.facts;
  return {
    path: [service.submodule, kind.className, ...path.map((step) => step.property.propName)].join('.'),
    kind: kind.className,
    apiVersion: version.apiVersion,
    text: property ? [property.text].filter((text) => text !== undefined) : aboutKind(kind),
    ...(property ? { property } : {}),
    manifest: ['spec', ...path.map((step) => step.property.specName)].join('.'),
    ...(last && arm !== undefined ? { arm } : {}),
    ...(facts ? { armType: facts.type, armApiVersion: facts.apiVersion } : {}),
    properties: struct ? propertiesOf(struct, located, recursive ? [] : undefined) : [],
    outputs: last ? [] : kind.outputs.map(({ propName }) => propName),
    secretOutputs: last ? [] : kind.secretOutputs.map(({ propName }) => propName),
    versions: version.kind.versionNames,
    example: example(located, models),
    links: [last?.property.doc?.see, armReference(version), asoReference(version)].filter((link) => link !== undefined),
  };
}

function aboutKind(kind: KindModel): string[] {
  return [...aboutClass(kind).slice(0, 2), nameRule(kind)].filter((text) => text !== undefined);
}

/** @param above structs whose properties are being listed, to follow a recursive type once; undefined: only one level */
function propertiesOf(struct: StructModel, located: Located, above: readonly string[] | undefined): PropertySummary[] {
  const required = struct.properties.filter(({ facts }) => facts.required);
  const optional = struct.properties.filter(({ facts }) => !facts.required);
  return [...required, ...optional].map((property) => {
    const own = summaryOf(property, struct, located);
    const inner = structOf(property.type, located.kind, located.service);
    if (!above || !inner || above.includes(inner.name)) return own;
    return { ...own, properties: propertiesOf(inner, located, [...above, inner.name]) };
  });
}

function summaryOf(property: PropertyModel, struct: StructModel, { kind, service }: Located): PropertySummary {
  const { propName, specName, facts, doc } = property;
  const text = summary(property, struct);
  const leftOut = whenLeftOut(property, struct);
  const allowed = facts.enum ?? property.elements?.enum;
  const immutable = doc?.immutable ?? (facts.immutable !== undefined || undefined);
  return {
    name: propName,
    ...(specName === propName ? {} : { manifestName: specName }),
    type: typeName(property, kind, service),
    required: facts.required === true,
    ...(text === undefined ? {} : { text }),
    facts: [...constraints(withoutEnum(property)), ...documentedFacts(property)],
    ...(allowed ? { allowed: allowed.map(String) } : {}),
    ...(facts.required || !saysSomething(leftOut) ? {} : { default: leftOut.replace(/^- /, '') }),
    ...(immutable === undefined ? {} : { immutable }),
  };
}

/** The allowed values are listed apart. */
function withoutEnum(property: PropertyModel): PropertyModel {
  const { enum: _, ...facts } = property.facts;
  const { enum: __, ...elements } = property.elements ?? {};
  return { ...property, facts, elements };
}

function typeName({ type }: PropertyModel, kind: KindModel, service: ServiceModel): string {
  const text = typeText(type, kind.owner);
  const inner = innermost(type);
  if (inner.is !== 'declared') return text;
  const found = [...kind.own, ...service.shared].find(({ name }) => name === inner.name);
  return found?.is === 'enum' ? `${text} (enum)` : text;
}

/** The path in the ARM body; undefined for a value that is not sent, or not under a name of its own. */
function armPath(properties: readonly PropertyModel[]): string | undefined {
  const steps: string[] = [];
  for (const { facts, specName } of properties) {
    if (facts.arm === null) return undefined;
    if (!facts.inline) steps.push(...(facts.arm ?? specName).split('/'));
  }
  return steps.length === 0 ? undefined : steps.join('.');
}

function example(located: Located, models: Models): Explanation['example'] {
  const { statement, object } = sample(located.kind, located.service, models.of, examplePaths(located));
  return { yaml: formatYaml(object).trimEnd(), typescript: statement };
}

/** The property itself, and the first of those below it where none is required. */
function examplePaths({ kind, service, path }: Located): string[] {
  const last = path.at(-1);
  if (!last) return [];
  const at = path.map(({ property }) => property.propName).join('.');
  const struct = structOf(last.property.type, kind, service);
  if (!struct || struct.oneOf || struct.properties.some(({ facts }) => facts.required)) return [at];
  const simple = struct.properties.filter(({ type }) => innermost(type).is === 'scalar' || !structOf(type, kind, service));
  return [at, ...simple.slice(0, MOST_IN_EXAMPLE).map(({ propName }) => `${at}.${propName}`)];
}
