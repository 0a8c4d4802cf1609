import type { PropertyFacts, TypeExpression, TypeFacts } from './facts';
import { scalarFault } from './scalar-fault';
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
 * @param value what was given: of several properties below, the first that takes it is meant
 */
export function meantProperty(
  name: string, { props }: TypeFacts, typeOf: (name: string) => TypeFacts, value?: unknown,
): MeantProperty | undefined {
  const lower = name.toLowerCase();
  const same = Object.keys(props).find((own) => own.toLowerCase() === lower);
  if (same !== undefined) return { path: [same], inAzure: false, isReference: false };
  const called = propertyOfAzure(name, props);
  if (called !== undefined) return { path: [called], inAzure: true, isReference: isReference(props[called]!) };
  const near = nearest(name, Object.keys(props));
  if (near !== undefined) return { path: [near], inAzure: false, isReference: false };
  const switched = switchOfSameWords(name, Object.keys(props));
  if (switched !== undefined) return { path: [switched], inAzure: false, isReference: false };
  const below = Object.entries(props).flatMap(([outer, { type }]) => {
    const inner = innermost(type);
    if (!isRef(inner)) return [];
    const own = typeOf(inner.ref).props;
    const found = Object.hasOwn(own, name) ? name : propertyOfAzure(name, own);
    return found === undefined ? [] : [{ path: [outer, found], facts: own[found]! }];
  });
  const chosen = below.find(({ facts }) => scalarFault(value, facts) === undefined) ?? below[0];
  return chosen && { path: chosen.path, inAzure: chosen.path[1] !== name, isReference: isReference(chosen.facts) };
}

/** Words around the name of a switch, which Terraform, the CLI and Azure choose differently: `enableNfsV3`, `isNfsV3Enabled`. */
const AROUND_SWITCHES: ReadonlySet<string> = new Set(['enable', 'enabled', 'is', 'support', 'supports', 'allow', 'allowed']);

/** The one property that has the same words, without those around a switch. */
function switchOfSameWords(name: string, names: readonly string[]): string | undefined {
  const words = wordsOfSwitch(name);
  if (words === undefined) return undefined;
  const same = names.filter((own) => wordsOfSwitch(own) === words);
  return same.length === 1 ? same[0] : undefined;
}

function wordsOfSwitch(name: string): string | undefined {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase().split(' ');
  const own = words.filter((word) => !AROUND_SWITCHES.has(word));
  return own.length === words.length || own.length === 0 ? undefined : own.join(' ');
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
