/** Maximum wait: longer than any real `Retry-After` of Azure, so that an invalid header does not delay an object for days. */
const LONGEST_SECONDS = 3600;

/**
 * Seconds to wait, from the headers of an answer: `retry-after-ms`, `x-ms-retry-after-ms`, or `Retry-After` as seconds or HTTP date. A date
 * is compared with the answer's own `Date`, so that the two clocks need not agree. Zero, past dates and invalid values count as none.
 */
export function retryAfterSeconds(headers: Readonly<Record<string, string>>, now: number = Date.now()): number | undefined {
  const milliseconds = headers['retry-after-ms'] ?? headers['x-ms-retry-after-ms'];
  if (milliseconds !== undefined && /^\d+$/.test(milliseconds.trim())) return bounded(Number(milliseconds) / 1000);
  const text = headers['retry-after']?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text));
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  const serverNow = Date.parse(headers.date ?? '');
  return bounded((until - (Number.isNaN(serverNow) ? now : serverNow)) / 1000);
}

function bounded(seconds: number): number | undefined {
  return seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : undefined;
}
