import { join } from 'node:path';
import type { TestedController } from '../shared/environment/tested-controller';
import { descriptorsOf } from '../shared/environment/usage';

/** Flags of Node for a controller whose heap can be measured after a collection of garbage. */
export const COLLECTS_AT_SIGNAL = ['--expose-gc', '--require', join(__dirname, 'heap-after-collection.cjs')];

/** State of the controller at a moment of the soak test. */
export interface Sample {
  readonly minute: number;
  readonly objects: number;
  readonly ready: number;
  readonly residentMiB: number;
  /** After a collection of garbage. */
  readonly heapMiB: number;
  readonly files: number;
  readonly sockets: number;
  /** For the edits whose result was seen since the last sample: time from the edit until the object was Ready again. */
  readonly lags: readonly number[];
}

export async function sampleOf(
  controller: TestedController,
  about: Pick<Sample, 'minute' | 'objects' | 'ready' | 'lags'>,
): Promise<Sample> {
  const heapMiB = await controller.collectedHeap();
  const { all: files, sockets } = descriptorsOf(controller.pid);
  return { ...about, residentMiB: controller.usage().residentMiB, heapMiB, files, sockets };
}
