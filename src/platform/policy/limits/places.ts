import { either, OF_AZURE, ofEntries, ofType } from './facts';
import type { SpecPath } from '../../../catalog/spec-paths';
import { elementAt } from '../../../util/elements';
import { all, any, Condition, everyAt, is, lower, lowerAscii, not, oneOf, spec, Text, valuesAt, without } from '../condition';
import type { Limit } from '../limit';
import { propertyPathsOf } from '../limited-property';
import { nestedLocationsOf } from '../location-paths';
import { isNamed, KnownEntry, TeamPolicy } from '../team-policy';

/** Limits on regions, SKUs and other values. */
export function placeLimits(policy: TeamPolicy): Limit[] {
  const created = policy.entries.filter(({ creates }) => creates);
  const own = created.filter(({ entry }) => entry.locations !== undefined);
  return [
    locationLimit(all(OF_AZURE, not(ofEntries(own))), policy.locations, 'locations'),
    ...own.map(({ entry, type }) => locationLimit(ofType(type), entry.locations!, 'catalogue')),
    ...created.flatMap((known) => nestedLocationLimits(known, policy)),
    ...created.flatMap((known) => valueLimits(known, policy)),
  ];
}

/** Concerns only kinds with a location. */
function locationLimit(concerns: Condition, locations: readonly string[], option: string): Limit {
  const location = spec('location');
  const wanted = locations.map(regionName);
  return {
    id: 'self-service-location',
    concerns,
    holds: isRegion(location, wanted),
    field: 'spec.location',
    found: location,
    rule: `has to be ${either(wanted)}.`,
    option,
  };
}

/** Regions of replicas, failover and the like. */
function nestedLocationLimits({ entry, type, kind }: KnownEntry, policy: TeamPolicy): Limit[] {
  const wanted = (entry.locations ?? policy.locations).map(regionName);
  return nestedLocationsOf(kind).map((path): Limit => ({
    id: 'self-service-location',
    concerns: ofType(type),
    holds: everyAt(path, (value) => isRegion(value, wanted)),
    field: `spec.${path.text}`,
    found: { read: (environment) => valuesAt(path, environment).filter((value) => !wanted.includes(regionName(value))).join(', ') },
    rule: `has to be ${either(wanted)}.`,
    option: entry.locations ? 'catalogue' : 'locations',
  }));
}

function isRegion(value: Text, wanted: readonly string[]): Condition {
  return any(is(value, ''), oneOf(without(lower(value), ' '), wanted));
}

/** `UK South` and `uksouth` are the same region. */
function regionName(text: string): string {
  return lowerAscii(text).replaceAll(' ', '');
}

function valueLimits(known: KnownEntry, { options }: TeamPolicy): Limit[] {
  const { entry } = known;
  const byKind = Object.entries(options.skus ?? {}).find(([kind]) => isNamed(known, kind))?.[1];
  const skus = entry.skus ?? byKind;
  const property = entry.skuProperty ?? 'sku.name';
  return [
    // Without a SKU Azure chooses a default.
    ...(skus ? [valueLimit(known, 'self-service-sku', property, skus, true, entry.skus ? 'catalogue' : 'skus')] : []),
    ...(entry.properties ?? []).map(({ property: name, allowed, required = false }) =>
      valueLimit(known, 'self-service-property', name, allowed, required, 'catalogue'),
    ),
  ];
}

function valueLimit(
  { kind, type }: KnownEntry,
  id: string,
  property: string,
  allowed: readonly string[],
  required: boolean,
  option: string,
): Limit {
  // The path of the property may differ between versions, e.g. be in a list.
  const paths = propertyPathsOf(kind, property);
  return {
    id,
    concerns: ofType(type),
    holds: valuesAllowed(paths, allowed, required),
    field: `spec.${elementAt(paths, 0).text}`,
    found: {
      read: (environment) =>
        paths
          .flatMap((path) => valuesAt(path, environment))
          .filter((value) => !allowed.includes(value))
          .join(', '),
    },
    rule: `has to be ${either(allowed)}.`,
    option,
  };
}

function valuesAllowed(paths: readonly SpecPath[], allowed: readonly string[], required: boolean): Condition {
  const isInList = ({ steps }: SpecPath) => steps.some((step) => step === 'elements' || step === 'values');
  const isAllowed = (value: Text) => oneOf(value, allowed);
  const absentOrAllowed = (value: Text) => any(is(value, ''), oneOf(value, allowed));
  const [first, ...others] = paths;
  if (required && first && others.length === 0 && !isInList(first)) return everyAt(first, isAllowed);
  const values = all(...paths.map((path) => everyAt(path, required && isInList(path) ? isAllowed : absentOrAllowed)));
  return required ? all(values, any(...paths.map((path) => not(everyAt(path, (value) => is(value, '')))))) : values;
}
