/**
 * The measure of a property, with its form: durations as a text (`PT5M`, `1.06:00:00`, `10m`, `10s`) or as a number of a unit, sizes as a
 * number of a unit. Azure's GB of disks and databases are 1024³ bytes.
 */
export const QUANTITIES = [
  'iso8601', 'timespan', 'go-minutes', 'go-seconds', 'seconds', 'minutes', 'hours', 'days', 'bytes', 'KiB', 'MiB', 'GiB',
] as const;

export type Quantity = (typeof QUANTITIES)[number];

/** Sizes; the others are durations. */
const SIZES: readonly string[] = ['bytes', 'KiB', 'MiB', 'GiB'];

export function isQuantity(name: unknown): name is Quantity {
  return (QUANTITIES as readonly unknown[]).includes(name);
}

export function isSize(quantity: Quantity): boolean {
  return SIZES.includes(quantity);
}
