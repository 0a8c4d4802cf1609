import { either, OF_AZURE, ofEntries, ofType } from './facts';
import { all, any, Condition, is, lower, lowerAscii, not, oneOf, spec, without } from '../condition';
import type { Limit } from '../limit';
import { isNamed, KnownEntry, TeamPolicy } from '../team-policy';

/** Regions, SKUs and other values. */
export function placeLimits(policy: TeamPolicy): Limit[] {
  const created = policy.entries.filter(({ creates }) => creates);
  const own = created.filter(({ entry }) => entry.locations !== undefined);
  return [
    locationLimit(all(OF_AZURE, not(ofEntries(own))), policy.locations, 'locations'),
    ...own.map(({ entry, type }) => locationLimit(ofType(type), entry.locations!, 'catalogue')),
    ...created.flatMap((known) => valueLimits(known, policy)),
  ];
}

/** `UK South` and `uksouth` are one region. Kinds without a location have nothing to say. */
function locationLimit(concerns: Condition, locations: readonly string[], option: string): Limit {
  const location = spec('location');
  const wanted = locations.map((name) => lowerAscii(name).replaceAll(' ', ''));
  return {
    id: 'self-service-location',
    concerns,
    holds: any(is(location, ''), oneOf(without(lower(location), ' '), wanted)),
    field: 'spec.location',
    found: location,
    rule: `has to be ${either(wanted)}.`,
    option,
  };
}

function valueLimits(known: KnownEntry, { options }: TeamPolicy): Limit[] {
  const { entry, type } = known;
  const byKind = Object.entries(options.skus ?? {}).find(([kind]) => isNamed(known, kind))?.[1];
  const skus = entry.skus ?? byKind;
  const property = entry.skuProperty ?? 'sku.name';
  return [
    // Without a SKU Azure takes one of its own.
    ...(skus ? [valueLimit(type, 'self-service-sku', property, skus, true, entry.skus ? 'catalogue' : 'skus')] : []),
    ...(entry.properties ?? []).map(({ property: name, allowed, required = false }) => valueLimit(type, 'self-service-property', name, allowed, required, 'catalogue')),
  ];
}

function valueLimit(type: string, id: string, property: string, allowed: readonly string[], required: boolean, option: string): Limit {
  const value = spec(...property.split('.'));
  const holds = oneOf(value, allowed);
  return {
    id,
    concerns: ofType(type),
    holds: required ? holds : any(is(value, ''), holds),
    field: `spec.${property}`,
    found: value,
    rule: `has to be ${either(allowed)}.`,
    option,
  };
}
