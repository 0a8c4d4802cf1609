import type { PropertyNotes } from './read-property-notes';
import type { DocsFacts, PropertyDoc, PropertyFacts, ServiceDocs, ServiceFacts, TypeDocs, TypeFacts } from '../../src/catalog';

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
export function withPropertyNotes(facts: ServiceFacts, notes: ServiceDocs = {}): Merged {
  const { group, service } = facts;
  const versions = Object.values(facts.types);
  for (const [name, properties] of Object.entries(notes)) refuseUnknown(service, name, properties, versions);
  const types = mapValues(facts.types, (byName) => mapValues(byName, (type, name) => merged(type, notes[name] ?? {})));
  const docs = Object.keys(notes).length === 0 ? {} : { docs: { group, service, types: notes } };
  return { facts: { ...facts, types }, ...docs };
}

/** @throws when there are notes about a service that the catalog does not have */
export function refuseOtherServices(notes: PropertyNotes, services: readonly string[]): void {
  const other = [...notes.keys()].find((service) => !services.includes(service));
  if (other !== undefined) throw new Error(`overlays/properties/${other}.yaml: the catalog has no service ${other}`);
}

function refuseUnknown(service: string, name: string, properties: TypeDocs, versions: readonly Record<string, TypeFacts>[]): void {
  const types = versions.flatMap((byName) => (Object.hasOwn(byName, name) ? [byName[name]!] : []));
  const at = `overlays/properties/${service}.yaml`;
  if (types.length === 0) throw new Error(`${at}: no version has the type ${name}`);
  for (const property of Object.keys(properties)) {
    if (!types.some(({ props }) => Object.hasOwn(props, property))) throw new Error(`${at}: no version of ${name} has the property ${property}`);
  }
}

function merged(type: TypeFacts, notes: TypeDocs): TypeFacts {
  return { ...type, props: mapValues(type.props, (facts, name) => withNote(facts, Object.hasOwn(notes, name) ? notes[name] : undefined)) };
}

/** A change with exceptions is documented only: what reads the facts refuses it without looking further. */
function withNote({ immutable: _, ...facts }: PropertyFacts, note: PropertyDoc | undefined): PropertyFacts {
  return note?.immutable === true ? { ...facts, immutable: true } : facts;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
