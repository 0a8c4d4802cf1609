/**
 * One of two depths of a test: what every change runs, or what the nightly workflow runs (`NIGHTLY=1`). The difference is in a table of
 * docs/workflows.md, with its reason.
 */
export function atNight<T>(nightly: T, daily: T): T {
  return process.env.NIGHTLY === '1' ? nightly : daily;
}
