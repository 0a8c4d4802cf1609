import { MigrationError, repeated } from '../../../cli/migrate/migration-context';
import { systemClock } from '../../../engine/clock';
import { NotLeadingError } from '../../../engine/kubernetes';
import { KubernetesError } from '../../../engine/kubernetes/types';

const slept: number[] = [];
const said: string[] = [];
let now = 0;
const sleep = async (milliseconds: number) => {
  slept.push(milliseconds);
  now += milliseconds;
};
const context = {
  clock: { ...systemClock, now: () => now, sleep },
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
  // An API server that is upgraded is away for a minute.
  expect(slept.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(60_000);
});

test('a lease that could not be renewed is waited for, as long as no other process has it', async () => {
  expect(await repeated(context, after(new NotLeadingError(), new NotLeadingError()), () => false)).toBe('done');
  await expect(repeated(context, after(new NotLeadingError()), () => true)).rejects.toBeInstanceOf(NotLeadingError);
});
