import type { PropertyFacts, TypeExpression, TypeFacts } from './facts';
import { isArray, isConstrained, isMap, isRef } from './type-expression';
import { nearest } from '../util/nearest';

/** A property that was meant by another name. */
export interface MeantProperty {
  /** The names in the spec that lead to it, from the type where it was looked for. */
  readonly path: readonly string[];
  /** Whether the name is that of Azure's templates, where the property has another one here. */
  readonly inAzure: boolean;
  /** Whether the property takes a reference to a resource, where Azure takes the id. */
  readonly isReference: boolean;
}

/**
 * The property for which a type was given a name that it does not have: the one that Azure calls so (`vnetSubnetID` for
 * `vnetSubnetReference`), the one with the nearest spelling, or one of the same name a level below.
 * @param typeOf the type of a name in the kind's version
 */
export function meantProperty(name: string, { props }: TypeFacts, typeOf: (name: string) => TypeFacts): MeantProperty | undefined {
  const lower = name.toLowerCase();
  const same = Object.keys(props).find((own) => own.toLowerCase() === lower);
  if (same !== undefined) return { path: [same], inAzure: false, isReference: false };
  const called = propertyOfAzure(name, props);
  if (called !== undefined) return { path: [called], inAzure: true, isReference: isReference(props[called]!) };
  const near = nearest(name, Object.keys(props));
  if (near !== undefined) return { path: [near], inAzure: false, isReference: false };
  for (const [outer, { type }] of Object.entries(props)) {
    const inner = innermost(type);
    if (!isRef(inner)) continue;
    const below = typeOf(inner.ref).props;
    const found = Object.hasOwn(below, name) ? name : propertyOfAzure(name, below);
    if (found !== undefined) return { path: [outer, found], inAzure: found !== name, isReference: isReference(below[found]!) };
  }
  return undefined;
}

/** The property that has a name in the body of an ARM request, and another one in the spec. */
export function propertyOfAzure(name: string, props: Readonly<Record<string, PropertyFacts>>): string | undefined {
  const lower = name.toLowerCase();
  const all = Object.entries(props)
    .filter(([specName, { arm }]) => specName.toLowerCase() !== lower && nameInAzure(arm)?.toLowerCase() === lower);
  const [first] = all.find(([, { alternativeTo }]) => alternativeTo === undefined) ?? all[0] ?? [];
  return first;
}

/** Whether Azure has an id where the property has a reference. */
function isReference({ role }: PropertyFacts): boolean {
  return role === 'armReference' || role === 'wellKnownReference';
}

/** The last step of a path in the ARM body. */
function nameInAzure(arm: string | null | undefined): string | undefined {
  return arm?.split('/').at(-1);
}

function innermost(type: TypeExpression): TypeExpression {
  if (typeof type === 'string') return type;
  if (isConstrained(type)) return innermost(type.type);
  if (isArray(type)) return innermost(type.array);
  return isMap(type) ? innermost(type.map) : type;
}
