/**
 * One of two depths of a test: what a run of every change needs, or what the nightly workflow runs (`NIGHTLY=1`), where the rest of the cases
 * is not missed for a day (docs/workflows.md says which, and why).
 */
export function atNight<T>(nightly: T, daily: T): T {
  return process.env.NIGHTLY === '1' ? nightly : daily;
}
