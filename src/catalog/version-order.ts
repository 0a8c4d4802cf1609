/**
 * Newest first, as the catalog lists the versions of a kind: by the date in the name, a stable version before a preview, `vX` before
 * `v1apiX`.
 */
export function newestFirst(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  const byRank =
    compare(right.date, left.date) || left.preview - right.preview || left.long - right.long || compare(right.number, left.number);
  return byRank || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether a version (`v1api20220131preview`, `v1beta1`) is a preview. */
export function isPreviewVersion(version: string): boolean {
  return /(preview|alpha|beta)\d*$/.test(version);
}

/** The ARM api-version that a version of Azure Service Operator is named after: `v1api20220131preview` → `2022-01-31-preview`. */
export function apiVersionIn(version: string): string | undefined {
  const match = /^v(?:\d+(?:api|beta|alpha(?:\d*api)?))?(\d{4})(\d{2})(\d{2})(preview)?/.exec(version);
  return match ? `${match[1]}-${match[2]}-${match[3]}${match[4] ? '-preview' : ''}` : undefined;
}

function partsOf(version: string) {
  const date = Number(/\d{8}/.exec(version)?.[0] ?? 0);
  const numbers = version.match(/\d+/g) ?? [];
  return {
    date,
    preview: Number(isPreviewVersion(version)),
    long: Number(date > 0 && !/^v\d{8}/.test(version)),
    number: Number(date > 0 ? 0 : (numbers[0] ?? 0)),
  };
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a version has a later date than the newest one that is known. */
export function isNewerThan(version: string, newest: string): boolean {
  return /^v(?:1api)?\d{8}(?:preview)?$/.test(version) && partsOf(version).date > partsOf(newest).date;
}

/** The advice where the catalog lacks a kind or version of a later release. */
export const ADD_CATALOG = 'give the catalog that import-crds writes of its CRD: --catalog FILE';

/** The problem of a version that is newer than all that the catalog has of its kind, and the fix. */
export function newerVersion(kind: string, version: string): { readonly message: string; readonly fix: string } {
  return {
    message: `${version} of ${kind} is newer than this catalog`,
    fix: `${ADD_CATALOG}; or correct the version`,
  };
}
