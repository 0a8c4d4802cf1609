/**
 * Compares two resourceVersions: negative when `a` is older, 0 when they are the same, positive when `a` is newer, and undefined when
 * they cannot be compared. Kubernetes promises decimal numbers that grow for all objects of a resource type (KEP-5504); they exceed
 * 2^53, so they are compared as text.
 */
export function compareResourceVersions(a: string | undefined, b: string | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return 0;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

const DECIMAL = /^(0|[1-9][0-9]*)$/;

/** Whether `a` is certainly older than `b`. */
export function isOlder(a: string | undefined, b: string | undefined): boolean {
  return (compareResourceVersions(a, b) ?? 0) < 0;
}
