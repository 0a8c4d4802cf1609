const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

const LONGEST = 40;

/** A duration in Go's notation (`15m`, `1h30m`, `1.5s`) in milliseconds; undefined when the text is invalid. */
export function parseDuration(text: string): number | undefined {
  // A valid duration is never longer; on a long invalid text the pattern would backtrack through all ways to read its digits.
  if (text.length > LONGEST) return undefined;
  const match = /^([+-])?((?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.exec(text);
  if (!match) return text === '0' ? 0 : undefined;
  const parts = [...text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)];
  const sum = parts.reduce((total, [, number, unit = '']) => total + Number(number) * (UNITS[unit] ?? NaN), 0);
  return match[1] === '-' ? -sum : sum;
}
