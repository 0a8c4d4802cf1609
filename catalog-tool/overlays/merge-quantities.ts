import type { QuantityOverlay } from './overlays';
import { isQuantity, QUANTITIES, type PropertyFacts, type Quantity, type ServiceFacts, type TypeFacts } from '../../src/catalog';
import { uncapitalized } from '../../src/util/words';

const NUMBERS: ReadonlySet<unknown> = new Set(['integer', 'number']);

/**
 * Merges what properties measure into the facts of a service. Facts of earlier overlays are replaced.
 * @throws when an overlay has an unknown quantity, or a type or property that no version has
 */
export function withQuantities(facts: ServiceFacts, overlays: readonly QuantityOverlay[]): ServiceFacts {
  const named = overlays.flatMap(({ properties }) => Object.entries(properties?.[facts.service] ?? {}));
  const suffixes = overlays.flatMap((overlay) => Object.entries(overlay.suffixes ?? {}));
  for (const [type, properties] of named) refuseUnknown(facts, type, properties);
  const types = mapValues(facts.types, (byName) => mapValues(byName, (type, name) => {
    const own = Object.assign({}, ...named.filter(([each]) => each === name).map(([, each]) => each)) as Record<string, Quantity>;
    return merged(type, (property, { type: value }) => own[property] ?? (NUMBERS.has(value) ? bySuffix(property, suffixes) : undefined));
  }));
  return { ...facts, types };
}

function refuseUnknown({ service, types }: ServiceFacts, name: string, properties: Readonly<Record<string, Quantity>>): void {
  const at = `overlays/quantities.yaml: ${service}: ${name}`;
  const versions = Object.values(types).flatMap((byName) => (Object.hasOwn(byName, name) ? [byName[name]!] : []));
  if (versions.length === 0) throw new Error(`${at}: no version has the type`);
  for (const [property, quantity] of Object.entries(properties)) {
    if (!versions.some(({ props }) => Object.hasOwn(props, property))) throw new Error(`${at}.${property}: no version has the property`);
    if (!isQuantity(quantity)) throw new Error(`${at}.${property}: ${String(quantity)} is none of ${QUANTITIES.join(', ')}`);
  }
}

function bySuffix(property: string, suffixes: readonly (readonly [string, Quantity])[]): Quantity | undefined {
  return suffixes.find(([suffix]) => property.endsWith(suffix) || property === uncapitalized(suffix))?.[1];
}

function merged(type: TypeFacts, quantityOf: (name: string, facts: PropertyFacts) => Quantity | undefined): TypeFacts {
  return {
    ...type,
    props: mapValues(type.props, ({ quantity: _, ...facts }, name) => {
      const quantity = quantityOf(name, facts);
      return quantity === undefined ? facts : { ...facts, quantity };
    }),
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
