import type { Action, Observed } from '../../../../controller/reconcile/core/observed';
import { changesAzure, usesCredential } from '../../../../controller/reconcile/steps/next-action';
import type { KubernetesObject } from '../../../../engine/kubernetes/types';
import { withFinalizer } from '../../../../engine/objects/annotations';

const ACTIONS: readonly Action['do'][] = [
  'resolve', 'persist', 'read', 'preCheck', 'acquireLock', 'put', 'poll', 'complete', 'delete', 'ensure', 'observe', 'export', 'remove', 'finish',
];
const free: KubernetesObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'x' } };
const claimed = withFinalizer(free);
const between = (stored: KubernetesObject, object: KubernetesObject) => ({ stored, observed: { object } as Observed });

test('the decision is confirmed before each action that changes Azure, and before no other', () => {
  expect(ACTIONS.filter(changesAzure)).toEqual(['put', 'delete', 'ensure', 'remove']);
});

test('the credential is kept for an object that is sent', () => {
  expect(ACTIONS.filter((action) => usesCredential(action, between(claimed, claimed)))).toEqual(['put', 'ensure']);
});

test('the credential is kept for an object that is claimed, not for one that is written again or released', () => {
  expect(usesCredential('persist', between(free, claimed))).toBe(true);
  expect(usesCredential('persist', between(claimed, claimed))).toBe(false);
  expect(usesCredential('persist', between(claimed, free))).toBe(false);
});
