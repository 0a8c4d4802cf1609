import {
  isArray, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type Quantity, type Spelling, type TypeExpression,
} from '../../src/catalog';
import { omitUndefined } from '../../src/util/records';

/** The catalog's facts about a value in a request body that matter for comparing. */
export interface Shape {
  /** Azure never returns the value, or returns another one. */
  readonly secret?: boolean;
  /** An ARM id: its case does not matter. */
  readonly id?: boolean;
  /** An enum value: Azure ignores its case. */
  readonly word?: boolean;
  /** An object with these members. The catalog has no facts about other members. */
  readonly members?: ReadonlyMap<string, Shape>;
  /** A list whose elements have this shape. */
  readonly element?: Shape;
  /** A map with keys of the user; its values have this shape. */
  readonly values?: Shape;
  /** The keys of the map are ARM ids. */
  readonly keyedById?: boolean;
  /** An empty list or map, or null, does not remove what Azure has: Azure keeps or fills in entries by itself. */
  readonly filledByAzure?: boolean;
  /** Which texts mean the same. Absent: the form of the text says it. */
  readonly spelling?: Spelling;
  /** The measure of a number, or of a text in one of several forms. */
  readonly quantity?: Quantity;
  /** The order of the elements has a meaning. */
  readonly ordered?: boolean;
  /** Keys that differ by their case are two keys. */
  readonly caseSensitiveKeys?: boolean;
  /** Members that tell the elements of a list apart. */
  readonly identity?: readonly string[];
  /** ARM type of which the elements are resources of their own as well. */
  readonly childType?: string;
  /** Keys, names or texts of entries that Azure adds. */
  readonly addedByAzure?: RegExp;
}

export const NOTHING_KNOWN: Shape = {};
const shapes = new WeakMap<KindVersion, Shape>();

/** The facts about a member of an object with this shape. */
export function memberShape(shape: Shape, key: string): Shape {
  return shape.values ?? shape.members?.get(key) ?? NOTHING_KNOWN;
}

/** The shape of a kind's request body. Built once, and lazily, because types may be recursive. */
export function bodyShape(version: KindVersion): Shape {
  let shape = shapes.get(version);
  if (!shape) {
    shape = shapeOf(version);
    shapes.set(version, shape);
  }
  return shape;
}

/** A CRD does not say how Azure spells values: the version of the same kind that the catalog has is taken for that. */
function shapeOf(version: KindVersion): Shape {
  const { facts, kind } = version;
  if (facts.spec === undefined) return NOTHING_KNOWN;
  const known = facts.imported && kind.versionNames.map((name) => kind.version(name)!).find((other) => !other.facts.imported);
  const shapes_ = new Shapes(version);
  const own = shapes_.ofType(facts.spec);
  return known ? shapes_.merged(own, bodyShape(known)) : own;
}

class Shapes {
  private readonly known = new Map<string, Shape>();
  /** Shapes that are merged already; types may be recursive. */
  private readonly pairs = new Map<Shape, Map<Shape, Shape>>();

  public constructor(private readonly version: KindVersion) {}

  public ofType(name: string): Shape {
    const known = this.known.get(name);
    if (known) return known;
    const members = new Map<string, Shape>();
    const shape: Shape = { members };
    this.known.set(name, shape);
    const facts = this.version.type(name);
    for (const [property, own] of Object.entries(facts.props)) {
      if (own.arm === null) continue;
      if (own.inline && facts.oneOf) {
        const alternative = this.of(own.type, own);
        for (const [key, value] of alternative.members ?? []) {
          const other = members.get(key);
          members.set(key, other ? this.merged(other, value) : value);
        }
      } else {
        place(members, (own.arm ?? property).split('/'), this.ofProperty(own));
      }
    }
    return shape;
  }

  /**
   * Merges the facts of two union alternatives about one member: a member that is secret in one of them must be neither compared nor
   * printed. When one alternative has members and the other keys of the user, additional members do not count as the user's.
   */
  public merged(a: Shape, b: Shape): Shape {
    if (a === b) return a;
    const known = this.pairs.get(a)?.get(b);
    if (known) return known;
    const members = a.members || b.members ? new Map(a.members) : undefined;
    const shape: { -readonly [fact in keyof Shape]: Shape[fact] } = {
      ...(a.secret || b.secret ? { secret: true } : {}),
      ...(a.id || b.id ? { id: true } : {}),
      ...(a.word || b.word ? { word: true } : {}),
      ...(a.keyedById || b.keyedById ? { keyedById: true } : {}),
      ...factsOfEither(a, b),
      ...(members ? { members } : {}),
    };
    this.pairs.set(a, (this.pairs.get(a) ?? new Map<Shape, Shape>()).set(b, shape));
    for (const [key, value] of b.members ?? []) {
      const own = members!.get(key);
      members!.set(key, own ? this.merged(own, value) : value);
    }
    const element = this.mergedIfBoth(a.element, b.element);
    if (element) shape.element = element;
    const values = members ? undefined : this.mergedIfBoth(a.values, b.values);
    if (values) shape.values = values;
    return shape;
  }

  private mergedIfBoth(a: Shape | undefined, b: Shape | undefined): Shape | undefined {
    return a && b ? this.merged(a, b) : a ?? b;
  }

  private ofProperty(facts: PropertyFacts): Shape {
    if (facts.mapKeyFromReference) return { values: NOTHING_KNOWN, keyedById: true };
    const { filledByAzure, childType, addedByAzure, caseSensitiveKeys } = facts;
    return {
      ...(facts.enum ? { word: true } : {}),
      ...omitUndefined({ filledByAzure, childType, caseSensitiveKeys }),
      ...(addedByAzure ? { addedByAzure: new RegExp(addedByAzure.join('|')) } : {}),
      ...this.of(facts.type, facts),
    };
  }

  private of(type: TypeExpression, facts: FactsOfValues): Shape {
    if (isConstrained(type)) return { ...(type.enum ? { word: true } : {}), ...this.of(type.type, facts) };
    if (isArray(type)) {
      const { ordered, identity } = facts;
      return { ...omitUndefined({ ordered, identity }), element: this.of(type.array, facts) };
    }
    // The values of maps are the user's own texts.
    if (isMap(type)) return { values: this.of(type.map, { spelling: 'exact', ...facts }) };
    if (facts.role === 'secret' || facts.role === 'secretMap') return { secret: true };
    if (facts.role === 'armReference' || facts.role === 'wellKnownReference') return { id: true };
    return isRef(type) ? this.ofType(type.ref) : omitUndefined({ spelling: facts.spelling, quantity: facts.quantity });
  }
}

type FactsOfValues = Pick<PropertyFacts, 'role' | 'spelling' | 'quantity' | 'ordered' | 'identity'>;

/** The facts of two alternatives that one of them may lack. */
function factsOfEither(a: Shape, b: Shape): Shape {
  return omitUndefined({
    spelling: a.spelling ?? b.spelling,
    quantity: a.quantity ?? b.quantity,
    filledByAzure: a.filledByAzure ?? b.filledByAzure,
    ordered: a.ordered ?? b.ordered,
    caseSensitiveKeys: a.caseSensitiveKeys ?? b.caseSensitiveKeys,
    identity: a.identity ?? b.identity,
    childType: a.childType ?? b.childType,
    addedByAzure: a.addedByAzure ?? b.addedByAzure,
  });
}

/** Places a shape below its path: two properties may share the beginning of their paths (`properties/a`, `properties/b`). */
function place(members: Map<string, Shape>, [first, ...rest]: readonly string[], shape: Shape): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    members.set(first, { ...members.get(first), ...shape });
    return;
  }
  const below = new Map(members.get(first)?.members);
  place(below, rest, shape);
  members.set(first, { ...members.get(first), members: below });
}
