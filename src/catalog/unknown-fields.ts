import { meantProperty, propertyOfAzure, type MeantProperty } from './azure-names';
import type { PropertyFacts, TypeFacts } from './facts';
import type { KindVersion } from './kind';
import { templateMember } from './template-members';
import { isRecord, member } from '../util/records';

/** A field that its type does not have. */
export interface UnknownField {
  /** The names that lead to it, from the object that has it. */
  readonly path: readonly string[];
  readonly message: string;
  readonly fix: string;
  /** The property of the type that is meant. */
  readonly meant?: string | undefined;
  /** The value of that property. Absent where it does not follow from what is written. */
  readonly correct?: { readonly value: unknown } | undefined;
  /** Whether another property may be meant. */
  readonly isGuess?: boolean | undefined;
  /** The names that lead to the property, where it is one of an object below. */
  readonly below?: readonly string[] | undefined;
}

const UNKNOWN = 'is no field of this kind and version';
const IN_PROPERTIES = 'stands below properties, as in an ARM template';
const TEMPLATE = 'is a member of ARM templates';
const ARM_ID = /^\/(?:subscriptions|providers)\/[\w/.() -]{1,1000}$/i;

/**
 * The problems of a field that a type does not have: where it belongs, by the names of Azure's templates and by its spelling. Members of
 * ARM's `properties`, which are fields of the spec itself, have a problem each.
 * @param present the object that has the field
 * @param place how messages spell the way to it; `spec` for the spec itself
 */
export function unknownFields(
  name: string, present: Readonly<Record<string, unknown>>, type: TypeFacts, version: KindVersion, place: string,
): UnknownField[] {
  const value = present[name];
  if (name === 'properties' && isRecord(value) && Object.keys(value).length > 0) {
    return Object.keys(value).map((inner) => inProperties(inner, value[inner], { present, type, version, place }));
  }
  const isOwn = Object.keys(type.props).some((own) => own.toLowerCase() === name.toLowerCase());
  const ofTemplate = place === 'spec' && !isOwn ? templateMember(name, value, present, version) : undefined;
  if (ofTemplate) return [{ path: [name], message: TEMPLATE, ...ofTemplate }];
  return [misspelt([name], value, { present, type, version, place }, fixOf)];
}

interface Around {
  readonly present: Readonly<Record<string, unknown>>;
  readonly type: TypeFacts;
  readonly version: KindVersion;
  readonly place: string;
}

function misspelt(
  path: readonly string[], value: unknown, around: Around, fixFor: (name: string, meant: MeantProperty) => string,
): UnknownField {
  const { type, version, place } = around;
  const name = path.at(-1)!;
  const meant = meantProperty(name, type, (ref) => version.type(ref), value);
  if (!meant) return { path, message: UNKNOWN, fix: (place === 'spec' ? childFix(name, version) : undefined) ?? 'remove it' };
  const [own = '', ...below] = meant.path;
  const isGuess = !meant.inAzure && own.toLowerCase() !== name.toLowerCase();
  const correct = below.length > 0 ? undefined : valueHere(value, type.props[own]);
  return { path, message: UNKNOWN, fix: fixFor(name, meant), meant: own, correct, isGuess, ...(below.length > 0 && { below: meant.path }) };
}

function inProperties(name: string, value: unknown, around: Around): UnknownField {
  const { present, type, place } = around;
  const path = ['properties', name];
  const own = ownName(name, type);
  if (own === undefined) return misspelt(path, value, around, (_, meant) => `write ${[place, ...meant.path].join('.')}`);
  if (member(present, own) !== undefined) return { path, message: IN_PROPERTIES, fix: `remove it: ${place}.${own} is given` };
  const facts = type.props[own]!;
  const reference = isReferenceHere(facts) ? ', a reference (group, kind and name, or armId)' : '';
  return { path, message: IN_PROPERTIES, fix: `write it as ${place}.${own}${reference}`, meant: own, correct: valueHere(value, facts) };
}

/** The property that a member of ARM's `properties` has become. */
function ownName(name: string, { props }: TypeFacts): string | undefined {
  if (Object.hasOwn(props, name)) return name;
  return propertyOfAzure(name, props) ?? Object.keys(props).find((own) => own.toLowerCase() === name.toLowerCase());
}

/** A value of Azure as the property takes it: an id is a reference. */
function valueHere(value: unknown, facts: PropertyFacts | undefined): UnknownField['correct'] {
  if (!facts || value === null || value === undefined) return undefined;
  if (!isReferenceHere(facts) || isRecord(value) || (Array.isArray(value) && value.every(isRecord))) return { value };
  return typeof value === 'string' && ARM_ID.test(value) ? { value: { armId: value } } : undefined;
}

function isReferenceHere({ role }: PropertyFacts): boolean {
  return role === 'armReference' || role === 'wellKnownReference';
}

function fixOf(name: string, { path, inAzure, isReference }: MeantProperty): string {
  const field = path.join('.');
  if (inAzure) return `Azure's ${name} is ${field} here${isReference ? ': a reference (group, kind and name, or armId)' : ''}`;
  return field.toLowerCase() === name.toLowerCase() ? `write ${field}` : `did you mean ${field}?`;
}

/** The fix for a list of resources that have a kind of their own. */
function childFix(name: string, version: KindVersion): string | undefined {
  const kind = version.childKind(name);
  return kind === undefined ? undefined : `write an object of kind ${kind} for each of them, with this one as its owner`;
}
