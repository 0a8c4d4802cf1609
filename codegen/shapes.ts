import type { KindSource } from './model';
import { typeNameOf } from './names';
import type { KindVersion, TypeExpression, TypeFacts } from '../src/catalog';
import { isArray, isConstrained, isMap, isRef } from '../src/catalog';
import { elementAt } from '../src/util/elements';
import { capitalized } from '../src/util/words';

/** The types that a type references. */
export function mentioned(type: TypeExpression): string[] {
  if (isRef(type)) return [type.ref];
  if (isArray(type)) return mentioned(type.array);
  if (isMap(type)) return mentioned(type.map);
  return isConstrained(type) ? mentioned(type.type) : [];
}

/** All types that a version of a kind reaches, its spec first, each before the types that it references. */
export function reachable(version: KindVersion): Map<string, TypeFacts> {
  const found = new Map<string, TypeFacts>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const facts = version.type(name);
    found.set(name, facts);
    Object.values(facts.props).forEach((property) => mentioned(property.type).forEach(visit));
  };
  visit(version.facts.spec!);
  return found;
}

/**
 * The struct names of a service's newest versions. Kinds are at different versions; if two of these have types of the same name but
 * different shapes, both are needed. The family of kinds (the first segment of the ARM type) that has used the name longest keeps it; the
 * others add their family: `Sku`, `SkuOfRedisEnterprise`.
 */
export class StructNames {
  private readonly names = new Map<string, string>();

  public constructor(catalog: KindSource, service: string) {
    const versions = catalog.kindsOf(service).map((kind) => kind.latest);
    const shapes = shapesOf(versions);
    for (const [specName, byShape] of groupByName(versions, shapes)) {
      const groups = [...byShape.values()].sort((a, b) => compare(age(catalog, service, a, specName), age(catalog, service, b, specName)));
      groups.forEach((group, index) => {
        const name = typeNameOf(specName) + (index === 0 ? '' : `Of${qualifier(group, groups)}`);
        for (const version of group) this.names.set(`${version.typesOf}/${specName}`, name);
      });
    }
  }

  /** The name of the struct for a type of that version. */
  public of(version: KindVersion, specName: string): string {
    return this.names.get(`${version.typesOf}/${specName}`)!;
  }
}

type Shapes = Map<string, string>;

/** Version and type → shape: two types have the same shape if they, and all types that they reach, are equal. */
function shapesOf(versions: KindVersion[]): Shapes {
  const types = new Map<string, { version: KindVersion; facts: TypeFacts }>();
  for (const version of versions) {
    for (const [name, facts] of reachable(version)) types.set(`${version.typesOf}/${name}`, { version, facts });
  }
  let shapes: Shapes = new Map([...types].map(([key, { facts }]) => [key, JSON.stringify(facts)]));
  for (let distinct = 0, before = -1; distinct !== before;) {
    before = distinct;
    const numbers = new Map<string, string>();
    const refined: Shapes = new Map();
    for (const [key, { version, facts }] of types) {
      const parts = Object.values(facts.props)
        .flatMap((property) => mentioned(property.type))
        .map((name) => shapes.get(`${version.typesOf}/${name}`));
      const shape = JSON.stringify([shapes.get(key), ...parts]);
      if (!numbers.has(shape)) numbers.set(shape, String(numbers.size));
      refined.set(key, numbers.get(shape)!);
    }
    shapes = refined;
    distinct = numbers.size;
  }
  return shapes;
}

/** Type name → shape → the versions of kinds that have the type in that shape. */
function groupByName(versions: KindVersion[], shapes: Shapes): Map<string, Map<string, KindVersion[]>> {
  const groups = new Map<string, Map<string, KindVersion[]>>();
  for (const version of versions) {
    for (const name of reachable(version).keys()) {
      const byShape = groups.get(name) ?? groups.set(name, new Map()).get(name)!;
      const shape = shapes.get(`${version.typesOf}/${name}`)!;
      byShape.set(shape, [...(byShape.get(shape) ?? []), version]);
    }
  }
  return groups;
}

/** The family of a kind, e.g. `redis`, `redisEnterprise`: the first segment of the ARM type, or the kind if it has none. */
function family(version: KindVersion): string {
  return version.facts.arm?.type.split('/')[1] ?? version.kind.kind;
}

/** The date of the oldest version in which a kind of these families has a type of this name. */
function age(catalog: KindSource, service: string, group: KindVersion[], specName: string): string {
  const families = new Set(group.map(family));
  const dates = catalog.kindsOf(service)
    .filter((kind) => families.has(family(kind.latest)))
    .flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!))
    .filter((version) => reachable(version).has(specName))
    .map((version) => `${version.facts.arm?.apiVersion ?? version.name} ${family(version)}`);
  return elementAt(dates.sort(), 0);
}

function qualifier(group: KindVersion[], groups: KindVersion[][]): string {
  const first = elementAt(group, 0);
  const own = family(first);
  const ambiguous = groups.some((other) => other !== group && other.some((version) => family(version) === own));
  return ambiguous ? first.kind.kind : capitalized(own);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
