/** `UK South` and `uksouth` are one location. */
export function normalizedLocation(location: unknown): string {
  return typeof location === 'string' ? location.toLowerCase().replace(/\s/g, '') : 'global';
}
