import { isArray, isConstrained, isMap, isRef, type KindVersion, type PropertyFacts, type TypeExpression } from '../../src/catalog';

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
  /** A null does not remove the value: Azure fills it in by itself. */
  readonly filledByAzure?: boolean;
}

const NOTHING_KNOWN: Shape = {};
const shapes = new WeakMap<KindVersion, Shape>();

/** The shape of a kind's request body. Built once, and lazily, because types may be recursive. */
export function bodyShape(version: KindVersion): Shape {
  let shape = shapes.get(version);
  if (!shape) {
    shape = version.facts.spec === undefined ? NOTHING_KNOWN : new Shapes(version).ofType(version.facts.spec);
    shapes.set(version, shape);
  }
  return shape;
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
  private merged(a: Shape, b: Shape): Shape {
    if (a === b) return a;
    const known = this.pairs.get(a)?.get(b);
    if (known) return known;
    const members = a.members || b.members ? new Map(a.members) : undefined;
    const shape: { -readonly [fact in keyof Shape]: Shape[fact] } = {
      ...(a.secret || b.secret ? { secret: true } : {}),
      ...(a.id || b.id ? { id: true } : {}),
      ...(a.word || b.word ? { word: true } : {}),
      ...(a.keyedById || b.keyedById ? { keyedById: true } : {}),
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
    return {
      ...(facts.enum ? { word: true } : {}),
      ...(isFilledByAzure(facts) ? { filledByAzure: true } : {}),
      ...this.of(facts.type, facts),
    };
  }

  private of(type: TypeExpression, facts: Pick<PropertyFacts, 'role'>): Shape {
    if (isConstrained(type)) return { ...(type.enum ? { word: true } : {}), ...this.of(type.type, facts) };
    if (isArray(type)) return { element: this.of(type.array, facts) };
    if (isMap(type)) return { values: this.of(type.map, facts) };
    if (facts.role === 'secret' || facts.role === 'secretMap') return { secret: true };
    if (facts.role === 'armReference' || facts.role === 'wellKnownReference') return { id: true };
    return isRef(type) ? this.ofType(type.ref) : NOTHING_KNOWN;
  }
}

/**
 * Maps of profiles that are sent as null when the spec has none. AKS keeps its own entries: the identity of the kubelets in
 * `identityProfile`, add-ons that an Azure policy has enabled in `addonProfiles`.
 */
function isFilledByAzure({ type, emit }: PropertyFacts): boolean {
  return emit === 'null' && isMap(type) && isRef(type.map);
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
