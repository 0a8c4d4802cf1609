import { changeFactsOf, type ChangeNote } from './change-note';
import type { PropertyNote, PropertyNotes, ServiceNotes } from './read-property-notes';
import type { DocsFacts, PropertyDoc, PropertyFacts, ServiceFacts, TypeFacts } from '../../src/catalog';

type TypeNotes = ServiceNotes[string];

/** Facts of a service with those of the notes, and the documentation of its properties. */
export interface Merged {
  readonly facts: ServiceFacts;
  /** Undefined without notes. */
  readonly docs?: DocsFacts;
}

/**
 * Merges the notes about the properties of a service into its facts. Facts of earlier notes are replaced.
 * @throws when no version of the service has a type or a property of the notes
 */
export function withPropertyNotes(facts: ServiceFacts, notes: ServiceNotes = {}): Merged {
  const { group, service } = facts;
  const versions = Object.values(facts.types);
  for (const [name, properties] of Object.entries(notes)) refuseUnknown(facts, name, properties, versions);
  const types = mapValues(facts.types, (byName) => mapValues(byName, (type, name) => merged(type, notes[name] ?? {})));
  if (Object.keys(notes).length === 0) return { facts: { ...facts, types } };
  const docs = { docs: { group, service, types: mapValues(notes, (properties) => mapValues(properties, docOf)) } };
  return { facts: { ...facts, types }, ...docs };
}

/** @throws when there are notes about a service that the catalog does not have */
export function refuseOtherServices(notes: PropertyNotes, services: readonly string[]): void {
  const other = [...notes.keys()].find((service) => !services.includes(service));
  if (other !== undefined) throw new Error(`overlays/properties/${other}.yaml: the catalog has no service ${other}`);
}

function refuseUnknown(
  { service, kinds: known }: ServiceFacts, name: string, properties: TypeNotes, versions: readonly Record<string, TypeFacts>[],
): void {
  const kinds = Object.keys(known);
  const types = versions.flatMap((byName) => (Object.hasOwn(byName, name) ? [byName[name]!] : []));
  const at = `overlays/properties/${service}.yaml`;
  if (types.length === 0) throw new Error(`${at}: no version has the type ${name}`);
  const refuse = (property: string) => {
    if (!types.some(({ props }) => Object.hasOwn(props, property))) throw new Error(`${at}: no version of ${name} has the property ${property}`);
  };
  for (const [property, { immutable }] of Object.entries(properties)) {
    refuse(property);
    if (!isChangeNote(immutable)) continue;
    Object.keys(immutable.unless ?? {}).forEach(refuse);
    const kind = immutable.kinds?.find((other) => !kinds.includes(other));
    if (kind !== undefined) throw new Error(`${at}: ${name}.${property}: there is no kind ${kind}`);
  }
}

function merged(type: TypeFacts, notes: TypeNotes): TypeFacts {
  return { ...type, props: mapValues(type.props, (facts, name) => withNote(facts, Object.hasOwn(notes, name) ? notes[name] : undefined)) };
}

/** A sentence alone is documented only: nothing can judge by it. */
function withNote({ immutable: _, ...facts }: PropertyFacts, note: PropertyNote | undefined): PropertyFacts {
  if (note?.immutable === true) return { ...facts, immutable: true };
  return isChangeNote(note?.immutable) ? { ...facts, immutable: changeFactsOf(note.immutable) } : facts;
}

function docOf({ immutable, ...doc }: PropertyNote): PropertyDoc {
  if (immutable === undefined) return doc;
  return { ...doc, immutable: isChangeNote(immutable) ? immutable.text : immutable };
}

function isChangeNote(immutable: PropertyNote['immutable']): immutable is ChangeNote {
  return typeof immutable === 'object';
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
