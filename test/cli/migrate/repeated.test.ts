import { MigrationError, repeated } from '../../../cli/migrate/migration-context';
import { systemClock } from '../../../engine/clock';
import { KubernetesError } from '../../../engine/kubernetes/types';

const slept: number[] = [];
const said: string[] = [];
const context = {
  clock: { ...systemClock, sleep: async (milliseconds: number) => void slept.push(milliseconds) },
  progress: (text: string) => void said.push(text),
};
beforeEach(() => [slept, said].forEach((all) => all.splice(0)));

/** Fails with these errors, then succeeds. */
const after = (...errors: Error[]) => async () => {
  const error = errors.shift();
  if (error) throw error;
  return 'done';
};

test('a step is repeated after errors that pass', async () => {
  const reset = new KubernetesError(500, 'InternalError', 'conversion webhook failed: connection reset by peer');
  expect(await repeated(context, after(reset, new KubernetesError(0, '', 'no answer')))).toBe('done');
  expect(slept).toEqual([2_000, 2_000]);
  expect(said).toEqual(['again: conversion webhook failed: connection reset by peer', 'again: no answer']);
});

test('other errors, and one that stays, end it', async () => {
  await expect(repeated(context, after(new KubernetesError(403, 'Forbidden', 'no')))).rejects.toThrow('no');
  await expect(repeated(context, after(new MigrationError('waited')))).rejects.toThrow('waited');
  await expect(repeated(context, async () => Promise.reject(new KubernetesError(503, '', 'away')))).rejects.toThrow('away');
  expect(slept).toHaveLength(4);
});
