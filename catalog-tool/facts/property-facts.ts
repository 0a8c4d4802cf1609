import type { Conversion } from './conversion';
import { isRequired, validationsIn } from './markers';
import { roleOfType, rootRole } from './roles';
import { propertyType } from './type-facts';
import type { PropertyFacts, Role } from '../../src/catalog';
import { isArray, isMap } from '../../src/catalog';
import type { GoField } from '../go/syntax';
import { jsonName } from '../go/tags';
import type { GoPackage } from '../source/go-package';

/** The Go type that contains a property. */
export interface Enclosing {
  readonly types: GoPackage;
  readonly fields: readonly GoField[];
  /** Absent for types whose objects are never sent to ARM. */
  readonly conversion: Conversion | undefined;
  readonly isRoot: boolean;
  readonly isStatus: boolean;
}

/** Whether the field is a property. */
export function isProperty({ tags }: GoField): boolean {
  return !['', '-', undefined].includes(jsonName(tags));
}

/** @throws when the field is no property */
export function propertyName({ name, tags }: GoField): string {
  const json = jsonName(tags);
  if (json === undefined) throw new Error(`the Go field ${name} has no name in JSON`);
  return json;
}

/** All facts of a property. */
export function propertyFacts(field: GoField, enclosing: Enclosing): PropertyFacts {
  const { type, ...ofType } = propertyType(field.type, enclosing.types);
  // Azure's responses are not validated. A status that the operator writes itself is.
  const isAnswer = enclosing.isStatus && enclosing.conversion !== undefined;
  const validations = isAnswer ? {} : { ...ofType, ...validationsIn(field.comment) };
  const keyField = keyFieldOf(field, enclosing);
  const role = roleOf(field, enclosing, keyField);
  const arm = armOf(field, enclosing);
  const alternativeTo = enclosing.isStatus ? undefined : alternativeOf(field, role, enclosing);
  const emit = enclosing.isStatus ? undefined : emitOf(field, enclosing);
  return {
    type: isAnswer ? withoutValidations(type) : type,
    ...(!isAnswer && isRequired(field.comment) ? { required: true } : {}),
    ...validations,
    ...(role === undefined ? {} : { role }),
    ...(arm === undefined ? {} : { arm }),
    ...(keyField === undefined ? {} : { mapKeyFromReference: keyField }),
    ...(alternativeTo === undefined ? {} : { alternativeTo }),
    ...(emit === undefined ? {} : { emit }),
  };
}

function withoutValidations(type: PropertyFacts['type']): PropertyFacts['type'] {
  if (typeof type === 'string') return type;
  if (isArray(type)) return { array: withoutValidations(type.array) };
  if (isMap(type)) return { map: withoutValidations(type.map) };
  return 'type' in type ? withoutValidations(type.type) : type;
}

function roleOf(field: GoField, { isRoot, isStatus, types }: Enclosing, keyField: string | undefined): Role | undefined {
  if (isStatus) return field.name === 'Conditions' && isRoot ? 'conditions' : undefined;
  if (keyField !== undefined) return 'userAssignedIdentities';
  return (isRoot ? rootRole(field.name) : undefined) ?? roleOfType(propertyType(field.type, types).type);
}

/** Fields for the operator. ASO's generator never copies fields of these names to ARM. */
const NOT_IN_ARM: ReadonlySet<string> = new Set(['AzureName', 'AzureNameFromConfig', 'Conditions', 'OperatorSpec', 'Owner']);

/** The path in ARM's object; absent if it is the property's own name. */
function armOf(field: GoField, { conversion }: Enclosing): string | null | undefined {
  if (!conversion) return undefined;
  const to = conversion.fields.get(field.name);
  if (!to && NOT_IN_ARM.has(field.name)) return null;
  if (!to) throw new Error(`nothing says where ARM's ${conversion.armType} has ${field.name}`);
  const path = to.arm.path.join('/');
  return path === propertyName(field) ? undefined : path;
}

function emitOf(field: GoField, { conversion }: Enclosing): PropertyFacts['emit'] {
  const to = conversion?.fields.get(field.name);
  if (!to?.arm.alwaysSent || !['slice', 'map'].includes(to.arm.type.is)) return undefined;
  return to.emptied ? 'empty' : 'null';
}

function keyFieldOf(field: GoField, { conversion, types, isStatus }: Enclosing): string | undefined {
  const keyField = isStatus ? undefined : conversion?.fields.get(field.name)?.keyField;
  if (keyField === undefined || field.type.is !== 'slice' || field.type.of.is !== 'name') return undefined;
  const key = types.structs.get(field.type.of.name)?.fields.find(({ name }) => name === keyField);
  return key && propertyName(key);
}

/** The property of the same object with the same target in ARM as this reference. */
function alternativeOf(field: GoField, role: Role | undefined, { conversion, fields }: Enclosing): string | undefined {
  if (role === undefined || !conversion) return undefined;
  const placeOf = ({ name }: GoField) => conversion.fields.get(name)?.arm.path.join('/');
  const place = placeOf(field);
  // The Azure name is part of the URL, not of the body.
  const isPair = ({ name }: GoField) => role === 'configMap' && `${name}FromConfig` === field.name;
  const isOther = (each: GoField) => (place === undefined ? isPair(each) : placeOf(each) === place);
  const other = fields.find((each) => each !== field && isProperty(each) && isOther(each));
  return other && propertyName(other);
}
