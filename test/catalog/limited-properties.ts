import { Catalog, isArray, isConstrained, isRef, type ChangeFacts, type Kind, type PropertyFacts, type TypeExpression } from '../../src/catalog';

/** A property that Azure changes not at all, or not in every way. */
export interface LimitedProperty {
  readonly kind: string;
  readonly armType: string;
  /** In the body, with `-` for each element of a list. */
  readonly pointer: string;
  readonly rule: true | ChangeFacts;
}

/** The properties of all kinds with a fact `immutable`, each once, in the newest versions. */
export function limitedProperties(catalog = Catalog.default()): LimitedProperty[] {
  return catalog.allKinds.flatMap((kind) => ofKind(kind));
}

function ofKind(kind: Kind): LimitedProperty[] {
  const version = kind.latest;
  const armType = version.facts.arm?.type;
  if (armType === undefined) return [];
  const found: LimitedProperty[] = [];
  walk(version.specType.props, '', []);
  return found;

  function walk(props: Readonly<Record<string, PropertyFacts>>, at: string, above: readonly string[]): void {
    for (const [name, facts] of Object.entries(props)) {
      if (facts.arm === null || facts.alternativeTo !== undefined) continue;
      const pointer = facts.inline ? at : `${at}/${facts.arm ?? name}`;
      const rule = facts.immutable;
      const isOwn = rule === undefined || rule === true || rule.kinds === undefined || rule.kinds.includes(kind.kind);
      if (rule !== undefined && isOwn) found.push({ kind: `${kind.group}/${kind.kind}`, armType: armType!, pointer, rule });
      into(facts.type, pointer, above);
    }
  }

  function into(type: TypeExpression, at: string, above: readonly string[]): void {
    if (isConstrained(type)) into(type.type, at, above);
    else if (isArray(type)) into(type.array, `${at}/-`, above);
    else if (isRef(type) && !above.includes(type.ref)) walk(version.type(type.ref).props, at, [...above, type.ref]);
  }
}
