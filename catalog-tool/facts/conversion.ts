import { armField, type ArmField } from './arm-path';
import { followValues, type Flow, type Flows } from './data-flow';
import { unionOf, type Union } from './union';
import { memberPath, unwrapped } from '../go/expressions';
import type { GoExpression, GoStatement, GoType } from '../go/syntax';
import { pointed } from '../go/types';
import type { GoPackage } from '../source/go-package';

/** The mapping between a type's fields and ARM's object. */
export interface Conversion {
  /** ARM's type. */
  readonly armType: string;
  /** Absent if ARM's type is no union. */
  readonly union?: Union;
  /** Go field → the field of ARM's object. */
  readonly fields: ReadonlyMap<string, ConvertedField>;
}

export interface ConvertedField {
  readonly arm: ArmField;
  /** Whether an absent collection is sent as an empty one. */
  readonly emptied: boolean;
  /** Go field of the elements whose value becomes the key of ARM's map. */
  readonly keyField?: string;
}

/** The mapping in `ConvertToARM` of a spec type; undefined if objects of the type are never sent to ARM. */
export function conversionToArm(type: string, types: GoPackage, arm: GoPackage): Conversion | undefined {
  const method = types.method(type, 'ConvertToARM');
  if (!method) return undefined;
  const armType = literalOf(method.body, 'result');
  if (armType === undefined) throw new Error(`${type}.ConvertToARM makes no result that the tool knows`);
  const followed = followValues(method.body, method.receiverName!, 'result');
  return conversion(followed, armType, arm, ({ from, to }) => ({ own: from, other: to }));
}

/** The mapping in `PopulateFromARM` of a status type; undefined if objects of the type are not read from ARM. */
export function conversionFromArm(type: string, types: GoPackage, arm: GoPackage): Conversion | undefined {
  const method = types.method(type, 'PopulateFromARM');
  if (!method) return undefined;
  const armType = assertedType(method.body);
  if (armType === undefined) throw new Error(`${type}.PopulateFromARM takes no input that the tool knows`);
  const followed = followValues(method.body, 'typedInput', method.receiverName!);
  return conversion(followed, armType, arm, ({ from, to }) => ({ own: to, other: from }));
}

type Ends = (flow: Flow) => { readonly own: readonly string[]; readonly other: readonly string[] };

function conversion(followed: Flows, armType: string, arm: GoPackage, ends: Ends): Conversion {
  const union = unionOf(armType, arm);
  const fields = new Map<string, ConvertedField>();
  for (const flow of followed.flows) {
    const { own, other } = ends(flow);
    // Unions set the resource's name separately.
    const [field] = own;
    const [otherField] = other;
    if (field === undefined || otherField === undefined || field === 'AzureName') continue;
    const known = fields.get(field);
    const emptied = followed.emptied.some((path) => path.join('.') === other.join('.'));
    const keyField = flow.asKey && own.length > 1 ? own[own.length - 1] : known?.keyField;
    const place = known?.arm ?? withoutAlternative(armField(arm, armType, other), union?.when.has(otherField) ?? false);
    fields.set(field, { arm: place, emptied, ...(keyField === undefined ? {} : { keyField }) });
  }
  return { armType, fields, ...(union ? { union } : {}) };
}

/** An alternative's object is ARM's object itself, so the alternative is not part of the path. */
function withoutAlternative(field: ArmField, isInAlternative: boolean): ArmField {
  return isInAlternative && field.path.length > 1 ? { ...field, path: field.path.slice(1) } : field;
}

/** The type of `result := &arm.T{}`. */
function literalOf(body: readonly GoStatement[], variable: string): string | undefined {
  const made = assignments(body).find(([target]) => target.is === 'name' && target.name === variable);
  const value = made && unwrapped(made[1]);
  return value?.is === 'literal' ? typeName(value.type) : undefined;
}

/** The type of `typedInput, ok := armInput.(arm.T)`. */
function assertedType(body: readonly GoStatement[]): string | undefined {
  for (const [, value] of assignments(body)) {
    if (value.is === 'wrapped' && value.type && memberPath(value.of)?.[0] === 'armInput') return typeName(value.type);
  }
  return undefined;
}

function assignments(body: readonly GoStatement[]): [GoExpression, GoExpression][] {
  return body.flatMap((statement): [GoExpression, GoExpression][] => {
    if (statement.is !== 'assign') return [];
    const [target] = statement.targets;
    const [value] = statement.values;
    return target && value ? [[target, value]] : [];
  });
}

function typeName(type: GoType): string | undefined {
  const bare = pointed(type);
  return bare.is === 'name' ? bare.name : undefined;
}
