import { exportUnlessStopped } from '../../../../controller/reconcile/actions/export-values';
import { ExportError } from '../../../../engine/export/types';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { withAnnotations } from '../../../../engine/objects/annotations';
import { JobStoppedError } from '../../../../engine/workers/errors';
import { STOPPED_EXPORT } from '../../../../src/azure/annotations';

const MINUTE = 60_000;
const object: KubernetesObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x', uid: 'u', generation: 1 } };
const stop = Object.assign(new ExportError('failed' as never, 'an expression took longer than it may', 'Failed', 'Error'), {
  cause: new JobStoppedError('deadline', 1_000),
});

async function stopped(exported = object, now = 0) {
  const outcome = await exportUnlessStopped(exported, 'complete', () => now, () => Promise.reject(stop));
  return withAnnotations(exported, outcome!.annotations as Record<string, string>);
}

test('exports that succeed have no outcome of their own', async () => {
  expect(await exportUnlessStopped(object, 'export', () => 0, () => Promise.resolve())).toBeUndefined();
});

test('exports that were stopped are a fatal failure of the action, and the object records it', async () => {
  const outcome = await exportUnlessStopped(object, 'export', () => 0, () => Promise.reject(stop));
  expect(outcome).toMatchObject({
    of: 'failure', during: 'export', failure: { severity: 'Error', reason: 'FailedWritingAdditionalKubernetesObjects' },
  });
  expect(Object.keys(outcome!.annotations!)).toEqual([STOPPED_EXPORT]);
});

test('they are not evaluated again until the wait is over', async () => {
  const recorded = await stopped();
  const act = jest.fn(() => Promise.resolve());
  const again = await exportUnlessStopped(recorded, 'complete', () => 9 * MINUTE, act);
  expect(again).toMatchObject({ of: 'failure', during: 'complete' });
  expect(again).not.toHaveProperty('annotations');
  expect(act).not.toHaveBeenCalled();
  expect(await exportUnlessStopped(recorded, 'complete', () => 10 * MINUTE, act)).toBeUndefined();
  expect(act).toHaveBeenCalledTimes(1);
});

test('any other error is thrown', async () => {
  const error = new Error('the API server refuses it');
  await expect(exportUnlessStopped(object, 'export', () => 0, () => Promise.reject(error))).rejects.toBe(error);
});
