export interface Trend {
  readonly what: string;
  readonly mean: number;
  /** The median of the slopes between any two values of the last half, so that a few outliers change nothing. */
  readonly perHour: number;
  readonly flat: boolean;
}

/**
 * Whether the last half of the samples rises: by more than a tenth of the mean in an hour, and more than by chance. Some samples are
 * taken while watches restart or after connections were cut: a least-squares line rises if they are at the beginning, and hides a leak if
 * they are at the end.
 */
export function trendOf<T extends { readonly minute: number }>(
  what: string, samples: readonly T[], value: (sample: T) => number, chance: number,
): Trend {
  const half = samples.slice(Math.floor(samples.length / 2));
  const points = half.map((sample) => ({ hour: sample.minute / 60, value: value(sample) }));
  const mean = points.reduce((sum, point) => sum + point.value, 0) / Math.max(1, points.length);
  const perHour = medianOf(points.flatMap((from, at) => points.slice(at + 1).map((to) => (to.value - from.value) / (to.hour - from.hour))));
  const [first, last] = [points[0], points.at(-1)];
  const grown = first && last ? perHour * (last.hour - first.hour) : 0;
  return { what, mean, perHour, flat: perHour <= mean / 10 || grown <= chance };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  return low === undefined || high === undefined ? 0 : (low + high) / 2;
}
