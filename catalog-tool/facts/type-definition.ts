import { conversionFromArm, conversionToArm } from './conversion';
import { isProperty, propertyFacts, propertyName, type Enclosing } from './property-facts';
import type { Union } from './union';
import type { PropertyFacts, TypeFacts } from '../../src/catalog';
import type { GoPackage } from '../source/go-package';

/** The packages that declare the types of a version. */
export interface TypeSource {
  readonly types: GoPackage;
  readonly arm: GoPackage | undefined;
  readonly isStatus: boolean;
}

/** All facts of a type. */
export function typeFacts(name: string, isRoot: boolean, { types, arm, isStatus }: TypeSource): TypeFacts {
  const struct = types.structs.get(name);
  if (!struct) throw new Error(`the Go type ${name} is not declared`);
  const conversion = arm && (isStatus ? conversionFromArm : conversionToArm)(name, types, arm);
  const union = conversion?.union;
  const enclosing: Enclosing = { types, fields: struct.fields, conversion, isRoot, isStatus };
  const props = Object.fromEntries(struct.fields.filter(isProperty).map((field) => {
    const facts = propertyFacts(field, enclosing);
    return [propertyName(field), union ? asAlternative(facts, union, conversion!.fields.get(field.name)?.arm.path, field.name) : facts];
  }));
  if (!union) return { ...(conversion ? {} : { arm: false }), props };
  const names = new Map(struct.fields.filter(isProperty).map((field) => [field.name, propertyName(field)]));
  // A status is never sent.
  const order = isStatus ? [] : union.order.flatMap((field) => names.get(field) ?? []);
  const { discriminator } = union;
  return { oneOf: true, ...(discriminator === undefined ? {} : { discriminator }), ...(order.length > 0 ? { order } : {}), props };
}

/** An alternative of a union has no path in ARM. */
function asAlternative(facts: PropertyFacts, union: Union, path: readonly string[] | undefined, field: string): PropertyFacts {
  const when = union.when.get(field);
  if (when === undefined || !path) return facts;
  const { arm, ...rest } = facts;
  return { ...rest, inline: true, when };
}
