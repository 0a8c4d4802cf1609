import { ExportError } from '../../../engine/export/types';
import type { KubernetesObject } from '../../../engine/kubernetes/types';
import { JobStoppedError } from '../../../engine/workers/errors';
import { fatal } from '../core/failure';
import type { Outcome } from '../core/observed';
import { afterStop, stillStopped } from '../core/stopped-work';

export type StoppedExport = Extract<Outcome, { of: 'failure' }>;

/** Runs the exports, unless they were stopped before and nothing has changed since. Returns an outcome where they are stopped. */
export async function exportUnlessStopped(
  object: KubernetesObject, during: StoppedExport['during'], now: () => number, act: () => Promise<void>,
): Promise<StoppedExport | undefined> {
  const stopped = (message: string): StoppedExport =>
    ({ of: 'failure', during, failure: fatal('FailedWritingAdditionalKubernetesObjects', message) });
  const before = stillStopped(object, now());
  if (before !== undefined) return stopped(before);
  try {
    await act();
    return undefined;
  } catch (error) {
    if (!(error instanceof ExportError && error.cause instanceof JobStoppedError)) throw error;
    const { message, annotations } = afterStop(object, error.message, now());
    return { ...stopped(message), annotations };
  }
}
