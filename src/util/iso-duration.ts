/** Days, hours, minutes and seconds; years, months and weeks where a service takes them. */
const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const SECONDS = [31_536_000, 2_592_000, 604_800, 86_400, 3_600, 60, 1] as const;

/**
 * Seconds of an ISO 8601 duration: `PT5M` is 300. A year counts as 365 days, a month as 30. Undefined for any other text.
 * @see https://www.iso.org/iso-8601-date-and-time-format.html
 */
export function secondsOfDuration(text: string): number | undefined {
  const parts = text === 'P' ? null : DURATION.exec(text);
  return parts ? SECONDS.reduce((sum, seconds, index) => sum + seconds * Number(parts[index + 1] ?? 0), 0) : undefined;
}
