import { join } from 'node:path';
import type { TestedController } from '../shared/world/tested-controller';
import { descriptorsOf } from '../shared/world/usage';

/** Flags of Node for a controller whose heap can be measured after a collection of garbage. */
export const COLLECTS_AT_SIGNAL = ['--expose-gc', '--require', join(__dirname, 'heap-after-collection.cjs')];

/** The controller at a moment of the soak. */
export interface Sample {
  readonly minute: number;
  readonly objects: number;
  readonly ready: number;
  readonly residentMiB: number;
  /** After a collection of garbage. */
  readonly heapMiB: number;
  readonly files: number;
  readonly sockets: number;
  /** Of the edits that have arrived since the last sample: from the edit until the object was Ready again. */
  readonly lags: readonly number[];
}

export async function sampleOf(controller: TestedController, about: Pick<Sample, 'minute' | 'objects' | 'ready' | 'lags'>): Promise<Sample> {
  const heapMiB = await controller.collectedHeap();
  const { all: files, sockets } = descriptorsOf(controller.pid);
  return { ...about, residentMiB: controller.usage().residentMiB, heapMiB, files, sockets };
}

export interface Trend {
  readonly what: string;
  readonly mean: number;
  /** By the straight line that fits best through the last half. */
  readonly perHour: number;
  readonly flat: boolean;
}

/** Whether the last half of the samples goes up: by more than a tenth of the mean in an hour, and more than chance could be. */
export function trendOf(what: string, samples: readonly Sample[], value: (sample: Sample) => number, chance: number): Trend {
  const half = samples.slice(Math.floor(samples.length / 2));
  const [xs, ys] = [half.map(({ minute }) => minute / 60), half.map(value)];
  const [x, y] = [meanOf(xs), meanOf(ys)];
  const spread = xs.reduce((sum, one) => sum + (one - x) ** 2, 0);
  const perHour = spread === 0 ? 0 : xs.reduce((sum, one, at) => sum + (one - x) * (ys[at] - y), 0) / spread;
  const grown = perHour * ((xs.at(-1) ?? 0) - (xs[0] ?? 0));
  return { what, mean: y, perHour, flat: perHour <= y / 10 || grown <= chance };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
